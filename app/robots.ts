import type { MetadataRoute } from 'next';
import { getRuntime } from '#server/api/webRuntime.ts';

// The address is that of the running service, not of the build.
export const dynamic = 'force-dynamic';

/** Personal pages are excluded from search engines. */
export default async function robots(): Promise<MetadataRoute.Robots> {
  const { publicBaseUrl } = (await getRuntime()).config;
  return {
    sitemap: `${publicBaseUrl}/sitemap.xml`,
    rules: {
      userAgent: '*',
      allow: '/',
      disallow: [
        '/v1/',
        '/account',
        '/activity',
        '/deposit',
        '/orders',
        '/portfolio',
        '/transactions',
        '/watchlist',
        '/withdraw',
        '/workspace',
        '/developers/components',
        '/developers/keys',
        '/developers/webhooks',
      ],
    },
  };
}
