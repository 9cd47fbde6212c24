'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { Dialog } from '#components/ui/Dialog.tsx';
import { CheckField } from '#components/ui/Field.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import type { AllSessionsEnded, SessionList } from '#lib/api/schemas/auth.ts';
import { endSession } from '#lib/browser/session/session.ts';

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

type Given = Pick<SessionList, 'apiKeys' | 'webhooks'>;
type SignOutDialogProps = { list: SessionList; onClose: () => void };

/** Ends every session of the wallet and, if chosen, its API keys and webhooks. */
export function SignOutDialog({ list, onClose }: SignOutDialogProps) {
  const { api } = useApp();
  // Counted when the dialog opened: the list disappears with the session.
  const [before] = useState(list);
  const [ends, setEnds] = useState({ apiKeys: false, webhooks: false });
  const endAll = useMutation({
    mutationFn: () =>
      api.endAllSessions({
        apiKeys: ends.apiKeys ? 'true' : 'false',
        webhooks: ends.webhooks ? 'true' : 'false',
      }),
    onSuccess: endSession,
  });
  return (
    <Dialog title={endAll.data ? 'Signed out everywhere' : 'Sign out everywhere'} onClose={onClose}>
      {endAll.data ? (
        <SignedOut before={before} ended={endAll.data} onClose={onClose} />
      ) : (
        <div className="grid gap-4">
          <p className="text-14 text-ink-2">
            Ends {counted(before.sessions.length, 'session')} of this wallet, including this one,
            and turns off notifications in its browsers.
          </p>
          <GivenChoice given={before} ends={ends} onChange={setEnds} />
          {endAll.isError && (
            <Notice tone="problem" live>
              {endAll.error.message}
            </Notice>
          )}
          <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-2">
            <Button onClick={onClose} disabled={endAll.isPending}>
              Cancel
            </Button>
            <Button tone="no" disabled={endAll.isPending} onClick={() => endAll.mutate()}>
              {endAll.isPending && <Spinner />}
              Sign out everywhere
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

type Ends = { apiKeys: boolean; webhooks: boolean };
type GivenChoiceProps = { given: Given; ends: Ends; onChange: (ends: Ends) => void };

/** Keys and webhooks outlive a session; after a theft they still give access. */
function GivenChoice({ given, ends, onChange }: GivenChoiceProps) {
  const { apiKeys, webhooks } = given;
  if (apiKeys === 0 && webhooks === 0) {
    return <Notice>This wallet has no active API keys or webhooks.</Notice>;
  }
  return (
    <fieldset className="grid gap-1 rounded-md border border-line p-3">
      <legend className="px-1 text-13 text-ink-2">
        If you do not recognise a session, revoke these too
      </legend>
      {apiKeys > 0 && (
        <CheckField
          checked={ends.apiKeys}
          onChange={(checked) => onChange({ ...ends, apiKeys: checked })}
        >
          <span>
            Revoke {counted(apiKeys, 'API key')}
            <span className="block text-13 text-ink-3">
              This cannot be undone. Programs and streams that use {apiKeys === 1 ? 'it' : 'them'}{' '}
              stop.
            </span>
          </span>
        </CheckField>
      )}
      {webhooks > 0 && (
        <CheckField
          checked={ends.webhooks}
          onChange={(checked) => onChange({ ...ends, webhooks: checked })}
        >
          <span>
            Disable {counted(webhooks, 'webhook')}
            <span className="block text-13 text-ink-3">
              You can enable {webhooks === 1 ? 'it' : 'each'} again under Developers.
            </span>
          </span>
        </CheckField>
      )}
    </fieldset>
  );
}

type SignedOutProps = { before: Given; ended: AllSessionsEnded; onClose: () => void };

function SignedOut({ before, ended, onClose }: SignedOutProps) {
  const { apiKeysRevoked, webhooksDisabled } = ended;
  const left = [
    ...(apiKeysRevoked === undefined && before.apiKeys > 0
      ? [counted(before.apiKeys, 'API key')]
      : []),
    ...(webhooksDisabled === undefined && before.webhooks > 0
      ? [counted(before.webhooks, 'webhook')]
      : []),
  ];
  return (
    <div className="grid gap-4" role="status">
      <Figures>
        <Figure label="Sessions ended">{ended.ended}</Figure>
        {apiKeysRevoked !== undefined && <Figure label="API keys revoked">{apiKeysRevoked}</Figure>}
        {webhooksDisabled !== undefined && (
          <Figure label="Webhooks disabled">{webhooksDisabled}</Figure>
        )}
      </Figures>
      {left.length > 0 && <Notice>Still active: {left.join(' and ')}.</Notice>}
      <Button tone="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  );
}
