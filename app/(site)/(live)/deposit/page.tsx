import type { Metadata } from 'next';
import { DepositView } from '#components/account/DepositView.tsx';
import { DepositGuide } from '#components/guide/DepositGuide.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';

export const metadata: Metadata = { title: 'Deposit' };

export default function DepositPage() {
  return (
    <>
      <PageHead title="Deposit" />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,32rem)_minmax(0,1fr)]">
        <div>
          <DepositView />
        </div>
        <DepositGuide />
      </div>
    </>
  );
}
