import type { Metadata } from 'next';
import { notFound } from 'next/navigation';

export const metadata: Metadata = { title: 'Page not found' };

/** Catches unknown URLs, so that the not-found page has the site's layout. */
export default function MissingPage() {
  notFound();
}
