import type { Metadata } from 'next';
import { DeveloperNav } from '#components/developers/DeveloperNav.tsx';
import { WebhooksView } from '#components/developers/WebhooksView.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';

export const metadata: Metadata = { title: 'Webhooks' };

export default function WebhooksPage() {
  return (
    <>
      <DeveloperNav />
      <PageHead title="Webhooks">Get notified about your orders.</PageHead>
      <WebhooksView />
    </>
  );
}
