import type { Metadata } from 'next';
import { DeveloperNav } from '#components/developers/DeveloperNav.tsx';
import { KeysView } from '#components/developers/KeysView.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';

export const metadata: Metadata = { title: 'API keys' };

export default function KeysPage() {
  return (
    <>
      <DeveloperNav />
      <PageHead title="API keys">
        An API key identifies your program. Orders also need a sign-in with the wallet that owns the
        account.
      </PageHead>
      <KeysView />
    </>
  );
}
