'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { useSignOut, useVisitor } from '#components/wallet/useSetup.ts';
import type { SessionList, SessionRecord } from '#lib/api/schemas/auth.ts';
import { accountKeys, sessionsQuery } from '#lib/browser/queries/account.ts';
import { deviceName } from '#lib/format/device.ts';
import { SignOutDialog } from './SignOutDialog.tsx';

/** Programs sign in repeatedly; a list of dozens would push the rest of the page down. */
const SHOWN_AT_FIRST = 3;

/** The wallet's sessions, each with a button that ends it, and one that ends all. */
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

type SessionsProps = { owner: string; onEndAll: (list: SessionList) => void };

function Sessions({ owner, onEndAll }: SessionsProps) {
  const { api } = useApp();
  const sessions = useQuery(sessionsQuery(api, owner));
  const [showsAll, setShowsAll] = useState(false);
  const all = (sessions.data?.sessions ?? []).toSorted(currentFirst);
  const shown = showsAll ? all : all.slice(0, SHOWN_AT_FIRST);
  return (
    <section className="sheet p-5" aria-labelledby="sessions-heading">
      <h2 id="sessions-heading" className="font-semibold text-17">
        Active sessions
      </h2>
      <p className="mt-1 mb-3 text-14 text-ink-2">Sessions expire 30 minutes after sign-in.</p>
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
      {sessions.isError && (
        <div className="mt-3">
          <Notice tone="problem" live>
            {sessions.error.message}
          </Notice>
        </div>
      )}
      <Button
        className="mt-4"
        disabled={!sessions.data}
        onClick={() => sessions.data && onEndAll(sessions.data)}
      >
        Sign out everywhere
      </Button>
    </section>
  );
}

function currentFirst(a: SessionRecord, b: SessionRecord): number {
  return Number(b.isCurrent) - Number(a.isCurrent);
}

function SessionRow({ session, owner }: { session: SessionRecord; owner: string }) {
  const { api } = useApp();
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
          <span className="font-mono">{session.ip}</span> · since{' '}
          <LocalTime at={session.createdAt} format="clock" />
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
