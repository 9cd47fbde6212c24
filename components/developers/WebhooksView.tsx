'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { Moment } from '#components/ui/Times.tsx';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { webhooksQuery } from '#lib/api/queries/developers.ts';
import type { Webhook } from '#lib/api/schemas/webhook.ts';
import { SecretOnce } from './SecretOnce.tsx';
import { WebhookForm } from './WebhookForm.tsx';
import { webhookStatusWords } from './webhookWords.ts';

export function WebhooksView() {
  return (
    <ConnectPrompt what="your webhooks" signedIn>
      <Webhooks />
    </ConnectPrompt>
  );
}

function Webhooks() {
  const { api } = useApp();
  const { wallet } = useVisitor();
  const webhooks = useQuery(webhooksQuery(api, wallet.address ?? ''));
  const [isMaking, setIsMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  if (webhooks.isPending) {
    return <div className="skeleton h-48" role="status" aria-label="Loading" />;
  }
  if (webhooks.isError && !webhooks.data) {
    return (
      <EmptyState
        title="Your webhooks did not load"
        action={<Button onClick={() => void webhooks.refetch()}>Try again</Button>}
      >
        {webhooks.error.message}
      </EmptyState>
    );
  }
  const listed = webhooks.data.webhooks;
  return (
    <div className="grid gap-5">
      {secret && (
        <SecretOnce secret={secret} title="This secret verifies what we send.">
          Check the header webhook-signature with it, as the Standard Webhooks specification says.
        </SecretOnce>
      )}
      {isMaking ? (
        <WebhookForm
          onMade={(made) => {
            setSecret(made);
            setIsMaking(false);
          }}
          onBack={() => setIsMaking(false)}
        />
      ) : (
        <div>
          <Button tone="primary" onClick={() => setIsMaking(true)}>
            New webhook
          </Button>
        </div>
      )}
      {listed.length === 0 ? (
        <p className="text-ink-2">Nothing is told to any address yet.</p>
      ) : (
        <ul className="sheet divide-y" aria-label="Webhooks">
          {listed.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </div>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  return (
    <li>
      <Link
        href={`/developers/webhooks/${webhook.id}`}
        className="grid gap-1 px-4 py-4 hover:bg-sunken md:px-5"
      >
        <span className="wrap-anywhere font-mono text-[14px]">{webhook.url}</span>
        <span className="flex flex-wrap gap-x-4 text-[13px] text-ink-2">
          <span className={webhook.failingSince ? 'text-no' : ''}>
            {webhookStatusWords(webhook)}
          </span>
          {webhook.description !== '' && <span>{webhook.description}</span>}
          <span>
            {webhook.eventTypes.length === 0
              ? 'every event'
              : `${webhook.eventTypes.length} kinds of events`}
          </span>
          {webhook.lastDeliveredAt && (
            <span>
              last delivered <Moment at={webhook.lastDeliveredAt} />
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}
