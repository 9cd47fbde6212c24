import type { MetadataRoute } from 'next';
import { GUIDE_PATHS } from '#lib/guidePages.ts';
import { getRuntime } from '#server/api/webRuntime.ts';

// The address is that of the running service, not of the build.
export const dynamic = 'force-dynamic';

const PATHS = ['', ...GUIDE_PATHS, '/status', '/developers', '/docs/errors'];

/** The public pages that do not change with a market. */
export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const { publicBaseUrl } = (await getRuntime()).config;
  return PATHS.map((path) => ({ url: `${publicBaseUrl}${path || '/'}` }));
}
