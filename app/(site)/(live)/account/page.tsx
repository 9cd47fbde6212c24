import type { Metadata } from 'next';
import { AccountView } from '#components/account/AccountView.tsx';

export const metadata: Metadata = { title: 'Account' };

export default function AccountPage() {
  return (
    <>
      <h1 className="mb-5 font-semibold text-[26px] tracking-[-0.015em]">Account</h1>
      <AccountView />
    </>
  );
}
