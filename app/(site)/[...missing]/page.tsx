import { notFound } from 'next/navigation';

/** Catches unknown URLs, so that the not-found page has the site's layout. */
export default function MissingPage() {
  notFound();
}
