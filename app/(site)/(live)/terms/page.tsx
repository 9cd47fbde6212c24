import type { Metadata } from 'next';
import { TermsView } from '#components/account/TermsView.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';

export const metadata: Metadata = { title: 'Terms' };

export default function TermsPage() {
  return (
    <div className="mx-auto max-w-2xl">
      <PageHead title="Terms" />
      <TermsView />
    </div>
  );
}
