import type { Metadata } from 'next';
import { StatusView } from '#components/status/StatusView.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';

export const metadata: Metadata = {
  title: 'System status',
  description: 'Live status of the exchange, the chain and order processing.',
};

export default function StatusPage() {
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead title="System status" />
      <StatusView />
    </div>
  );
}
