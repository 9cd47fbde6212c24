import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFullClient } from '#components/app/useFullClient.ts';
import { Button } from '#components/ui/Button.tsx';
import { Dialog } from '#components/ui/Dialog.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { CheckField } from '#components/ui/Field.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Section } from '#components/ui/Section.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { forgetSaved, useSignOut } from '#components/wallet/useSignOut.ts';
import type { AllSessionsEnded, SessionList, SessionRecord } from '#lib/api/schemas/auth.ts';
import { accountKeys, sessionsQuery } from '#lib/browser/queries/account.ts';
import { endSession } from '#lib/browser/session/session.ts';
import { deviceName } from '#lib/format/device.ts';

/** Programs sign in repeatedly; a list of dozens would push the rest of the page down. */
const SHOWN_AT_FIRST = 3;

export function SessionsPanel() {
  const { session } = useVisitor();
  const [ending, setEnding] = useState<SessionList>();
  return (
    <>
      {session && <Sessions owner={session.address} onEndAll={setEnding} />}
      {/* Shows what has ended after the session itself is gone. */}
      {ending && <SignOutDialog list={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function Sessions({ owner, onEndAll }: { owner: string; onEndAll: (list: SessionList) => void }) {
  const api = useFullClient();
  const sessions = useQuery(sessionsQuery(api, owner));
  const [showsAll, setShowsAll] = useState(false);
  const all = (sessions.data?.sessions ?? []).toSorted(currentFirst);
  const shown = showsAll ? all : all.slice(0, SHOWN_AT_FIRST);
  return (
    <Section id="sessions-heading" title="Active sessions" className="sheet p-5" headClassName="">
      <p className="mt-1 mb-3 text-14 text-ink-2">
        A browser stays signed in for up to 30 days, or until it is unused for 14. Programs sign in
        for 30 minutes.
      </p>
      {sessions.isPending && <div className="skeleton h-16" role="status" aria-label="Loading" />}
      {sessions.data && (
        <ul className="divide-y border-y" aria-label="Sessions">
          {shown.map((one) => (
            <SessionRow key={one.id} session={one} owner={owner} />
          ))}
        </ul>
      )}
      {shown.length < all.length && (
        <Button
          size="s"
          tone="quiet"
          className="-ml-3 mt-2 flex!"
          onClick={() => setShowsAll(true)}
        >
          Show all {all.length}
        </Button>
      )}
      <ErrorNotice error={sessions.error} className="mt-3" />
      <Button
        className="mt-4"
        disabled={!sessions.data}
        onClick={() => sessions.data && onEndAll(sessions.data)}
      >
        Sign out everywhere
      </Button>
    </Section>
  );
}

function currentFirst(a: SessionRecord, b: SessionRecord): number {
  return Number(b.isCurrent) - Number(a.isCurrent);
}

function SessionRow({ session, owner }: { session: SessionRecord; owner: string }) {
  const api = useFullClient();
  const queryClient = useQueryClient();
  const signOut = useSignOut();
  const end = useMutation({
    mutationFn: () => api.endSession(session.id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountKeys.sessions(owner) }),
  });
  const device = deviceName(session.userAgent);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5 text-14">
      <div className="min-w-0">
        <p className="font-medium" title={session.userAgent}>
          {device}
          {session.isCurrent && <span className="font-normal text-ink-3"> · this device</span>}
        </p>
        <p className="text-13 text-ink-3">
          <span className="font-mono">{session.ip}</span> · signed in{' '}
          <LocalTime at={session.createdAt} /> · last used <LocalTime at={session.lastUsedAt} />
        </p>
      </div>
      <Button
        size="s"
        disabled={end.isPending}
        aria-label={`Sign out ${device}${session.isCurrent ? ', this device' : ''}`}
        onClick={() => (session.isCurrent ? signOut.mutate() : end.mutate())}
      >
        Sign out
      </Button>
      {end.isError && (
        <p role="alert" className="w-full text-13 text-no">
          {end.error.message}
        </p>
      )}
    </li>
  );
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

type Given = Pick<SessionList, 'apiKeys' | 'webhooks'>;
function SignOutDialog({ list, onClose }: { list: SessionList; onClose: () => void }) {
  const api = useFullClient();
  // Counted when the dialog opened: the list disappears with the session.
  const [before] = useState(list);
  const [ends, setEnds] = useState({ apiKeys: false, webhooks: false });
  const endAll = useMutation({
    mutationFn: () =>
      api.endAllSessions({
        apiKeys: ends.apiKeys ? 'true' : 'false',
        webhooks: ends.webhooks ? 'true' : 'false',
      }),
    onSuccess: async () => {
      endSession();
      await forgetSaved();
    },
  });
  return (
    <Dialog title={endAll.data ? 'Signed out everywhere' : 'Sign out everywhere'} onClose={onClose}>
      {endAll.data ? (
        <SignedOut before={before} ended={endAll.data} onClose={onClose} />
      ) : (
        <div className="grid gap-4">
          <p className="text-14 text-ink-2">
            Ends {counted(before.sessions.length, 'session')} of this account, including this one,
            and turns off notifications in its browsers.
          </p>
          <GivenChoice given={before} ends={ends} onChange={setEnds} />
          <ErrorNotice error={endAll.error} />
          <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-2">
            <Button onClick={onClose} disabled={endAll.isPending}>
              Cancel
            </Button>
            <Button tone="no" onClick={() => endAll.mutate()} isBusy={endAll.isPending}>
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

const GIVEN = [
  {
    key: 'apiKeys',
    action: 'Revoke',
    noun: 'API key',
    note: (isOne: boolean) =>
      `This cannot be undone. Programs and streams that use ${isOne ? 'it' : 'them'} stop.`,
  },
  {
    key: 'webhooks',
    action: 'Disable',
    noun: 'webhook',
    note: (isOne: boolean) => `You can enable ${isOne ? 'it' : 'each'} again under Developers.`,
  },
] as const;

/** Keys and webhooks outlive a session; after a theft they still give access. */
function GivenChoice({ given, ends, onChange }: GivenChoiceProps) {
  if (GIVEN.every(({ key }) => given[key] === 0)) {
    return <Notice>This account has no active API keys or webhooks.</Notice>;
  }
  return (
    <fieldset className="grid gap-1 rounded-md border border-line p-3">
      <legend className="px-1 text-13 text-ink-2">
        If you do not recognise a session, revoke these too
      </legend>
      {GIVEN.map(
        ({ key, action, noun, note }) =>
          given[key] > 0 && (
            <CheckField
              key={key}
              checked={ends[key]}
              onChange={(checked) => onChange({ ...ends, [key]: checked })}
            >
              <span>
                {action} {counted(given[key], noun)}
                <span className="block text-13 text-ink-3">{note(given[key] === 1)}</span>
              </span>
            </CheckField>
          ),
      )}
    </fieldset>
  );
}

type SignedOutProps = { before: Given; ended: AllSessionsEnded; onClose: () => void };

function SignedOut({ before, ended, onClose }: SignedOutProps) {
  const { apiKeysRevoked, webhooksDisabled } = ended;
  const endedOf = { apiKeys: apiKeysRevoked, webhooks: webhooksDisabled };
  const left = GIVEN.filter(({ key }) => endedOf[key] === undefined && before[key] > 0);
  return (
    <div className="grid gap-4" role="status">
      <Figures>
        <Figure label="Sessions ended">{ended.ended}</Figure>
        {apiKeysRevoked !== undefined && <Figure label="API keys revoked">{apiKeysRevoked}</Figure>}
        {webhooksDisabled !== undefined && (
          <Figure label="Webhooks disabled">{webhooksDisabled}</Figure>
        )}
      </Figures>
      {left.length > 0 && (
        <Notice>
          Still active: {left.map(({ key, noun }) => counted(before[key], noun)).join(' and ')}.
        </Notice>
      )}
      <Button tone="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  );
}
