'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFullClient } from '#components/app/useFullClient.ts';
import { Button } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { CheckField, FIELD, Field, TextField } from '#components/ui/Field.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { ApiKey } from '#lib/api/schemas/key.ts';
import { apiKeysQuery, developerKeys } from '#lib/browser/queries/developers.ts';
import { CreateAndList, CreateForm } from './CreateAndList.tsx';
import { setExampleKey } from './exampleKey.ts';
import { KeyUsage } from './KeyUsage.tsx';

const SECRET = {
  title: 'Copy your secret key now. It is shown only once.',
  words:
    'Store it where only your program can read it. The examples on this site use it until you leave.',
};

export function KeysView() {
  return (
    <SignInPrompt what="your API keys">
      <Keys />
    </SignInPrompt>
  );
}

/** Revoked keys are rarely needed; active ones are why a developer opens this page. */
function activeFirst(a: ApiKey, b: ApiKey): number {
  return Number(b.status === 'active') - Number(a.status === 'active');
}

function Keys() {
  const api = useFullClient();
  const { wallet } = useVisitor();
  const query = useQuery(apiKeysQuery(api, wallet.address ?? ''));
  return (
    <CreateAndList
      query={query}
      what="keys"
      newLabel="New API key"
      secret={SECRET}
      form={(handlers) => <KeyForm {...handlers} />}
    >
      {({ keys }, onSecret) =>
        keys.length === 0 ? (
          <EmptyState title="No keys yet">
            Each API key has its own rate limits and usage, and can be revoked on its own.
          </EmptyState>
        ) : (
          <ul className="sheet divide-y" aria-label="API keys">
            {keys.toSorted(activeFirst).map((key) => (
              <KeyRow key={key.id} apiKey={key} onSecret={onSecret} />
            ))}
          </ul>
        )
      }
    </CreateAndList>
  );
}

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

function KeyForm({ onMade, onBack }: { onMade: (secret: string) => void; onBack: () => void }) {
  const api = useFullClient();
  const { wallet } = useVisitor();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(['read']);
  const [networks, setNetworks] = useState('');
  const [origins, setOrigins] = useState('');
  const [days, setDays] = useState(0);
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
      <TextField
        label="Name"
        required
        // A form that was just opened starts here.
        autoFocus
        maxLength={80}
        placeholder="Market maker"
        value={name}
        onChange={setName}
      />
      <Permissions scopes={scopes} onChange={setScopes} />
      <TextField
        label="Allowed IP addresses"
        hint="Addresses or ranges such as 203.0.113.0/24. Leave empty to allow any address."
        value={networks}
        onChange={setNetworks}
        className="font-mono"
      />
      <TextField
        label="Allowed browser origins"
        hint="Such as https://app.example. Leave empty to allow no other sites."
        value={origins}
        onChange={setOrigins}
        className="font-mono"
      />
      <Lifetime days={days} onChange={setDays} />
    </CreateForm>
  );
}

type PermissionsProps = { scopes: Scope[]; onChange: (scopes: Scope[]) => void };

function Permissions({ scopes, onChange }: PermissionsProps) {
  const toggle = (scope: Scope, isOn: boolean) =>
    onChange(
      SCOPES.map((one) => one.scope).filter((one) => (one === scope ? isOn : scopes.includes(one))),
    );
  return (
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
  );
}

function Lifetime({ days, onChange }: { days: number; onChange: (days: number) => void }) {
  return (
    <Field label="Expires in">
      {(id) => (
        <select
          id={id}
          value={days}
          onChange={(event) => onChange(Number(event.target.value))}
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
  );
}

const STATUS = { active: 'Active', expired: 'Expired', revoked: 'Revoked' } as const;

function KeyRow({ apiKey, onSecret }: { apiKey: ApiKey; onSecret: (secret: string) => void }) {
  const api = useFullClient();
  const { wallet } = useVisitor();
  const queryClient = useQueryClient();
  const [isSure, setIsSure] = useState(false);
  const renew = () =>
    queryClient.invalidateQueries({ queryKey: developerKeys.apiKeys(wallet.address ?? '') });
  const rotate = useMutation({
    mutationFn: () => api.rotateKey(apiKey.id),
    onSuccess: ({ secret }) => {
      onSecret(secret);
      return renew();
    },
  });
  const revoke = useMutation({ mutationFn: () => api.revokeKey(apiKey.id), onSuccess: renew });
  const error = rotate.error ?? revoke.error;
  const isActive = apiKey.status === 'active';
  return (
    <li className="grid gap-2 px-4 py-4 md:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0">
          <span className={isActive ? 'font-medium' : 'text-ink-3 line-through'}>
            {apiKey.name}
          </span>{' '}
          <code className="font-mono text-13 text-ink-3">{apiKey.hint}</code>
        </p>
        {isActive && (
          <span className="flex gap-2">
            <Button size="s" disabled={rotate.isPending} onClick={() => rotate.mutate()}>
              Rotate
            </Button>
            <Button
              size="s"
              tone={isSure ? 'no' : 'outline'}
              disabled={revoke.isPending}
              onClick={() => (isSure ? revoke.mutate() : setIsSure(true))}
              onBlur={() => setIsSure(false)}
            >
              {isSure ? 'Confirm revoke' : 'Revoke'}
            </Button>
          </span>
        )}
      </div>
      <KeyFacts apiKey={apiKey} />
      <KeyUsage apiKey={apiKey} />
      <ErrorNotice error={error} />
    </li>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-13 text-ink-2">
      <span>{STATUS[apiKey.status]}</span>
      <span>{apiKey.scopes.join(', ')}</span>
      {apiKey.ipRanges.length > 0 && <span>IP {apiKey.ipRanges.join(', ')}</span>}
      {apiKey.origins.length > 0 && <span>origins {apiKey.origins.join(', ')}</span>}
      <span>
        {apiKey.lastUsedAt ? (
          <>
            last used <LocalTime at={apiKey.lastUsedAt} />
          </>
        ) : (
          'never used'
        )}
      </span>
      <span>
        created <LocalTime at={apiKey.createdAt} format="date" />
      </span>
      {apiKey.expiresAt && (
        <span>
          expires <LocalTime at={apiKey.expiresAt} format="date" />
        </span>
      )}
      {apiKey.previousSecretExpiresAt && (
        <span>
          old secret valid until <LocalTime at={apiKey.previousSecretExpiresAt} />
        </span>
      )}
    </p>
  );
}
