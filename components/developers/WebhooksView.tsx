'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useFullClient } from '#components/app/useFullClient.ts';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { CheckField, TextField } from '#components/ui/Field.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { Webhook, WebhookEventType } from '#lib/api/schemas/webhook.ts';
import { developerKeys, webhooksQuery } from '#lib/browser/queries/developers.ts';
import { CreateAndList, CreateForm } from './CreateAndList.tsx';
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

const KINDS: readonly { label: string; types: WebhookEventType[] }[] = [
  { label: 'Orders: completed or failed', types: ['order.completed', 'order.failed'] },
  {
    label: 'Orders: every step',
    types: [
      'order.created',
      'order.validated',
      'order.triggered',
      'order.executing',
      'order.filled',
      'order.returned',
    ],
  },
  {
    label: 'Withdrawals',
    types: [
      'withdrawal.created',
      'withdrawal.executing',
      'withdrawal.completed',
      'withdrawal.failed',
    ],
  },
  { label: 'Market payouts', types: ['market.settled'] },
  { label: 'Price alerts', types: ['price_alert.triggered'] },
];

function WebhookForm({ onMade, onBack }: { onMade: (secret: string) => void; onBack: () => void }) {
  const { site } = useApp();
  const api = useFullClient();
  const { wallet } = useVisitor();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [chosen, setChosen] = useState<number[]>(KINDS.map((_, index) => index));
  return (
    <CreateForm
      what="webhook"
      makeLabel="Create webhook"
      isComplete={url.trim() !== '' && chosen.length > 0}
      make={() =>
        api.createWebhook({
          url: url.trim(),
          description,
          eventTypes:
            chosen.length === KINDS.length
              ? []
              : KINDS.flatMap(({ types }, index) => (chosen.includes(index) ? types : [])),
        })
      }
      listKey={developerKeys.webhooks(wallet.address ?? '')}
      onMade={onMade}
      onBack={onBack}
    >
      <TextField
        label="Endpoint URL"
        hint={site.sandbox ? 'In the sandbox, localhost is allowed.' : 'A public https URL.'}
        required
        // A form that was just opened starts here.
        autoFocus
        inputMode="url"
        placeholder="https://example.com/crossbook"
        value={url}
        onChange={setUrl}
        className="font-mono text-14"
      />
      <TextField
        label="Description (optional)"
        maxLength={200}
        value={description}
        onChange={setDescription}
      />
      <fieldset className="grid">
        <legend className="mb-1 text-14">Events</legend>
        {KINDS.map(({ label }, index) => (
          <CheckField
            key={label}
            checked={chosen.includes(index)}
            onChange={(isOn) =>
              setChosen(isOn ? [...chosen, index] : chosen.filter((one) => one !== index))
            }
          >
            {label}
          </CheckField>
        ))}
      </fieldset>
    </CreateForm>
  );
}
