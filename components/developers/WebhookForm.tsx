'use client';

import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useFullClient } from '#components/app/useFullClient.ts';
import { CheckField, FIELD, Field } from '#components/ui/Field.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { WebhookEventType } from '#lib/api/schemas/webhook.ts';
import { developerKeys } from '#lib/browser/queries/developers.ts';
import { CreateForm } from './CreateForm.tsx';

const KINDS: readonly { label: string; types: WebhookEventType[] }[] = [
  { label: 'Orders: completed or failed', types: ['order.completed', 'order.failed'] },
  {
    label: 'Orders: every step',
    types: [
      'order.created',
      'order.validated',
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
];

type WebhookFormProps = { onMade: (secret: string) => void; onBack: () => void };

/** Creates a webhook: its URL and its event types. */
export function WebhookForm({ onMade, onBack }: WebhookFormProps) {
  const { site } = useApp();
  const api = useFullClient();
  const { wallet } = useVisitor();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [chosen, setChosen] = useState<number[]>([0, 1, 2, 3]);
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
      <Field
        label="Endpoint URL"
        hint={site.sandbox ? 'In the sandbox, localhost is allowed.' : 'A public https URL.'}
      >
        {(id) => (
          <input
            id={id}
            required
            // biome-ignore lint/a11y/noAutofocus: a form that was just opened starts here
            autoFocus
            inputMode="url"
            placeholder="https://example.com/crossbook"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            className={`font-mono text-14 ${FIELD}`}
          />
        )}
      </Field>
      <Field label="Description (optional)">
        {(id) => (
          <input
            id={id}
            maxLength={200}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
            className={FIELD}
          />
        )}
      </Field>
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
