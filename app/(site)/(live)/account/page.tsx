import type { Metadata } from 'next';
import { AccountView } from '#components/account/AccountView.tsx';
import { ThemePanel } from '#components/account/ThemePanel.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';

export const metadata: Metadata = { title: 'Account' };

export default function AccountPage() {
  return (
    <>
      <PageHead title="Account" />
      <AccountView />
      <div className="mt-6 lg:max-w-[calc(50%-12px)]">
        <ThemePanel />
      </div>
    </>
  );
}
