'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFullClient } from '#components/app/useFullClient.ts';
import { Button } from '#components/ui/Button.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { ApiKey } from '#lib/api/schemas/key.ts';
import { developerKeys } from '#lib/browser/queries/developers.ts';
import { KeyUsage } from './KeyUsage.tsx';

const STATUS = { active: 'Active', expired: 'Expired', revoked: 'Revoked' } as const;

type KeyRowProps = { apiKey: ApiKey; onSecret: (secret: string) => void };

/** A key with its rights, its last use, and the actions to change or revoke it. */
export function KeyRow({ apiKey, onSecret }: KeyRowProps) {
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
      <KeyUsage apiKey={apiKey} />
      {error && (
        <Notice tone="problem" live>
          {error.message}
        </Notice>
      )}
    </li>
  );
}
