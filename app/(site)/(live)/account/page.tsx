import type { Metadata } from 'next';
import { AccountView } from '#components/account/AccountView.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';

export const metadata: Metadata = { title: 'Account' };

export default function AccountPage() {
  return (
    <>
      <PageHead title="Account" />
      <AccountView />
    </>
  );
}
