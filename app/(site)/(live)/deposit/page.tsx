import type { Metadata } from 'next';
import { PageHead } from '#components/ui/PageHead.tsx';
import { DepositView } from '#components/account/DepositView.tsx';

export const metadata: Metadata = { title: 'Deposit' };

export default function DepositPage() {
  return (
    <div className="mx-auto max-w-lg">
      <PageHead title="Deposit" />
      <DepositView />
    </div>
  );
}
