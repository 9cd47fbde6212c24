'use client';

import { useQuery } from '@tanstack/react-query';
import { useFullClient } from '#components/app/useFullClient.ts';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { ApiKey } from '#lib/api/schemas/key.ts';
import { apiKeysQuery } from '#lib/browser/queries/developers.ts';
import { CreateAndList } from './CreateAndList.tsx';
import { KeyForm } from './KeyForm.tsx';
import { KeyRow } from './KeyRow.tsx';

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
