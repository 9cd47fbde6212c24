import { notFound } from 'next/navigation';

/** Addresses that nothing else answers, so that even there the site's own frame stands around. */
export default function MissingPage() {
  notFound();
}
