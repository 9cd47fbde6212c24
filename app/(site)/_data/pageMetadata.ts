import type { Metadata } from 'next';

type PageText = {
  path: string;
  title: string;
  description: string;
  /** Whether an `opengraph-image` beside the page draws its picture. */
  hasOwnPicture?: boolean;
};

const PICTURE = { url: '/opengraph-image', width: 1200, height: 630, alt: 'Crossbook' };

/** What search engines and link previews show of a public page; the root layout adds the host. */
export function pageMetadata({ path, title, description, hasOwnPicture }: PageText): Metadata {
  return {
    title,
    description,
    alternates: { canonical: path },
    openGraph: {
      url: path,
      title,
      description,
      siteName: 'Crossbook',
      type: 'website',
      ...(hasOwnPicture ? {} : { images: [PICTURE] }),
    },
  };
}
