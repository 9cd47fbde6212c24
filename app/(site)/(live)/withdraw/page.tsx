import type { Metadata } from 'next';
import { PageHead } from '#components/ui/PageHead.tsx';
import { WithdrawView } from '#components/withdraw/WithdrawView.tsx';

export const metadata: Metadata = { title: 'Withdraw' };

export default function WithdrawPage() {
  return (
    <div className="mx-auto max-w-lg">
      <PageHead title="Withdraw" />
      <WithdrawView />
    </div>
  );
}
