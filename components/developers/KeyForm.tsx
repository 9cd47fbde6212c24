'use client';

import { useState } from 'react';
import { useFullClient } from '#components/app/useFullClient.ts';
import { CheckField, FIELD, Field } from '#components/ui/Field.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { developerKeys } from '#lib/browser/queries/developers.ts';
import { CreateForm } from './CreateForm.tsx';
import { setExampleKey } from './exampleKey.ts';

const SCOPES = [
  { scope: 'read', label: 'Read markets, orders and positions' },
  { scope: 'trade', label: 'Place and cancel orders' },
  { scope: 'withdraw', label: 'Withdraw' },
] as const;

type Scope = (typeof SCOPES)[number]['scope'];

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { days: 0, label: 'No expiry' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: '1 year' },
];

function lines(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

type KeyFormProps = { onMade: (secret: string) => void; onBack: () => void };

/** Creates a key with the least rights it needs. */
export function KeyForm({ onMade, onBack }: KeyFormProps) {
  const api = useFullClient();
  const { wallet } = useVisitor();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['read']);
  const [networks, setNetworks] = useState('');
  const [origins, setOrigins] = useState('');
  const [days, setDays] = useState(0);
  const toggle = (scope: Scope, isOn: boolean) =>
    setScopes(
      SCOPES.map((one) => one.scope).filter((one) => (one === scope ? isOn : scopes.includes(one))),
    );
  return (
    <CreateForm
      what="API key"
      makeLabel="Create API key"
      isComplete={name.trim() !== '' && scopes.length > 0}
      make={() =>
        api.createKey({
          name: name.trim(),
          scopes,
          ipRanges: lines(networks),
          origins: lines(origins),
          expiresAt: days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
        })
      }
      listKey={developerKeys.apiKeys(wallet.address ?? '')}
      onMade={(secret) => {
        setExampleKey(secret);
        onMade(secret);
      }}
      onBack={onBack}
    >
      <Field label="Name">
        {(id) => (
          <input
            id={id}
            required
            // biome-ignore lint/a11y/noAutofocus: a form that was just opened starts here
            autoFocus
            maxLength={80}
            placeholder="Market maker"
            value={name}
            onChange={(event) => setName(event.target.value)}
            className={FIELD}
          />
        )}
      </Field>
      <fieldset className="grid">
        <legend className="mb-1 text-14">Permissions</legend>
        {SCOPES.map(({ scope, label }) => (
          <CheckField
            key={scope}
            checked={scopes.includes(scope)}
            onChange={(isOn) => toggle(scope, isOn)}
          >
            {label}
          </CheckField>
        ))}
      </fieldset>
      <Field
        label="Allowed IP addresses"
        hint="Addresses or ranges such as 203.0.113.0/24. Leave empty to allow any address."
      >
        {(id) => (
          <input
            id={id}
            value={networks}
            onChange={(event) => setNetworks(event.target.value)}
            className={`font-mono ${FIELD}`}
          />
        )}
      </Field>
      <Field
        label="Allowed browser origins"
        hint="Such as https://app.example. Leave empty to allow no other sites."
      >
        {(id) => (
          <input
            id={id}
            value={origins}
            onChange={(event) => setOrigins(event.target.value)}
            className={`font-mono ${FIELD}`}
          />
        )}
      </Field>
      <Field label="Expires in">
        {(id) => (
          <select
            id={id}
            value={days}
            onChange={(event) => setDays(Number(event.target.value))}
            className={FIELD}
          >
            {LIFETIMES.map((lifetime) => (
              <option key={lifetime.days} value={lifetime.days}>
                {lifetime.label}
              </option>
            ))}
          </select>
        )}
      </Field>
    </CreateForm>
  );
}
