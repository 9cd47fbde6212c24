'use client';

import { useQuery } from '@tanstack/react-query';
import { useFullClient } from '#components/app/useFullClient.ts';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { Webhook } from '#lib/api/schemas/webhook.ts';
import { webhooksQuery } from '#lib/browser/queries/developers.ts';
import { CreateAndList } from './CreateAndList.tsx';
import { WebhookForm } from './WebhookForm.tsx';
import { webhookStatusLabel } from './webhookLabels.ts';

const SECRET = {
  title: 'Signing secret',
  words: 'Use it to verify the webhook-signature header, as described by Standard Webhooks.',
};

export function WebhooksView() {
  return (
    <SignInPrompt what="your webhooks">
      <Webhooks />
    </SignInPrompt>
  );
}

function Webhooks() {
  const api = useFullClient();
  const { wallet } = useVisitor();
  const query = useQuery(webhooksQuery(api, wallet.address ?? ''));
  return (
    <CreateAndList
      query={query}
      what="webhooks"
      newLabel="New webhook"
      secret={SECRET}
      form={(handlers) => <WebhookForm {...handlers} />}
    >
      {({ webhooks }) =>
        webhooks.length === 0 ? (
          <EmptyState title="No webhooks yet">
            Add an endpoint to receive signed events for every step of your orders and withdrawals.
            Failed deliveries are retried.
          </EmptyState>
        ) : (
          <ul className="sheet divide-y" aria-label="Webhooks">
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        )
      }
    </CreateAndList>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  return (
    <li>
      <PageLink
        href={`/developers/webhooks/${webhook.id}`}
        className="grid gap-1 px-4 py-4 hover:bg-sunken md:px-5"
      >
        <span className="wrap-anywhere font-mono text-14">{webhook.url}</span>
        <span className="flex flex-wrap gap-x-4 text-13 text-ink-2">
          <span className={webhook.failingSince ? 'text-no' : ''}>
            {webhookStatusLabel(webhook)}
          </span>
          {webhook.description !== '' && <span>{webhook.description}</span>}
          <span>
            {webhook.eventTypes.length === 0
              ? 'all events'
              : `${webhook.eventTypes.length} event types`}
          </span>
          {webhook.lastDeliveredAt && (
            <span>
              last delivered <LocalTime at={webhook.lastDeliveredAt} />
            </span>
          )}
        </span>
      </PageLink>
    </li>
  );
}
