import type { Metadata } from 'next';
import { AccountView } from '#components/account/AccountView.tsx';
import { ThemePanel } from '#components/account/ThemePanel.tsx';

export const metadata: Metadata = { title: 'Account' };

export default function AccountPage() {
  return (
    <>
      <h1 className="mb-5 font-semibold text-[26px] tracking-[-0.015em]">Account</h1>
      <AccountView />
      <div className="mt-6 lg:max-w-[calc(50%-12px)]">
        <ThemePanel />
      </div>
    </>
  );
}
