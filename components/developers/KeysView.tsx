'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { apiKeysQuery } from '#lib/api/queries/developers.ts';
import { KeyForm } from './KeyForm.tsx';
import { KeyRow } from './KeyRow.tsx';
import { SecretOnce } from './SecretOnce.tsx';

export function KeysView() {
  return (
    <ConnectPrompt what="your API keys" signedIn>
      <Keys />
    </ConnectPrompt>
  );
}

function Keys() {
  const { api } = useApp();
  const { wallet } = useVisitor();
  const keys = useQuery(apiKeysQuery(api, wallet.address ?? ''));
  const [isMaking, setIsMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  if (keys.isPending) return <div className="skeleton h-48" role="status" aria-label="Loading" />;
  if (keys.isError && !keys.data) {
    return (
      <EmptyState
        title="Your keys did not load"
        action={<Button onClick={() => void keys.refetch()}>Try again</Button>}
      >
        {keys.error.message}
      </EmptyState>
    );
  }
  const listed = keys.data.keys;
  return (
    <div className="grid gap-5">
      {secret && (
        <SecretOnce secret={secret} title="This is the secret. It is not shown again.">
          Keep it where only your program can read it. The examples on this site use it until you
          leave.
        </SecretOnce>
      )}
      {isMaking ? (
        <KeyForm
          onMade={(made) => {
            setSecret(made);
            setIsMaking(false);
          }}
          onBack={() => setIsMaking(false)}
        />
      ) : (
        <div>
          <Button tone="primary" onClick={() => setIsMaking(true)}>
            New API key
          </Button>
        </div>
      )}
      {listed.length === 0 ? (
        <p className="text-ink-2">You have no keys yet.</p>
      ) : (
        <ul className="sheet divide-y" aria-label="API keys">
          {listed.map((key) => (
            <KeyRow key={key.id} apiKey={key} onSecret={setSecret} />
          ))}
        </ul>
      )}
    </div>
  );
}
