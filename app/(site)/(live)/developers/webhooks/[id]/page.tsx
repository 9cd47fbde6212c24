import type { Metadata } from 'next';
import { DeveloperNav } from '#components/developers/DeveloperNav.tsx';
import { WebhookDetail } from '#components/developers/WebhookDetail.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';

export const metadata: Metadata = { title: 'Webhook' };

export default async function WebhookPage(props: { params: Promise<{ id: string }> }) {
  const { id } = await props.params;
  return (
    <>
      <DeveloperNav />
      <PageHead title="Webhook" />
      <WebhookDetail id={id} />
    </>
  );
}
