import type { Metadata } from 'next';
import { DepositView } from '#components/account/DepositView.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';

export const metadata: Metadata = { title: 'Deposit' };

export default function DepositPage() {
  return (
    <div className="mx-auto max-w-lg">
      <PageHead title="Deposit" />
      <DepositView />
    </div>
  );
}
