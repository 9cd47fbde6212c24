import type { Metadata } from 'next';
import { DepositView } from '#components/account/DepositView.tsx';

export const metadata: Metadata = { title: 'Deposit' };

export default function DepositPage() {
  return (
    <div className="mx-auto max-w-lg">
      <h1 className="mb-5 font-semibold text-[26px] tracking-[-0.015em]">Deposit</h1>
      <DepositView />
    </div>
  );
}
