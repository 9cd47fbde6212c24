import type { Metadata } from 'next';
import { getRuntime } from '#server/api/webRuntime.ts';

type PageText = { path: string; title: string; description: string };

/** What search engines and link previews show of a public page. */
export async function pageMetadata({ path, title, description }: PageText): Promise<Metadata> {
  const { publicBaseUrl } = (await getRuntime()).config;
  const url = `${publicBaseUrl}${path}`;
  return {
    title,
    description,
    alternates: { canonical: url },
    openGraph: {
      url,
      title,
      description,
      siteName: 'Crossbook',
      type: 'website',
      images: [
        { url: `${publicBaseUrl}/opengraph-image`, width: 1200, height: 630, alt: 'Crossbook' },
      ],
    },
  };
}
