import type { Metadata } from 'next';
import { WithdrawView } from '#components/withdraw/WithdrawView.tsx';

export const metadata: Metadata = { title: 'Withdraw' };

export default function WithdrawPage() {
  return (
    <div className="mx-auto max-w-lg">
      <h1 className="mb-5 font-semibold text-[26px] tracking-[-0.015em]">Withdraw</h1>
      <WithdrawView />
    </div>
  );
}
