'use client';

import clsx from 'clsx';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { type FormEvent, type ReactNode, useState } from 'react';
import { DataProvider } from '#components/app/DataProvider.tsx';
import { Button } from '#components/ui/Button.tsx';
import { useHydrated } from '#components/ui/clock.ts';
import { TextField } from '#components/ui/Field.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { isApiProblem } from '#lib/api/problem.ts';
import type { AdminOverview } from '#lib/api/schemas/admin.ts';
import { adminApi, checkAdminToken } from '#lib/browser/admin/adminApi.ts';
import { setAdminToken, useAdminToken } from '#lib/browser/admin/adminToken.ts';
import { AlertsPanel } from './AlertsPanel.tsx';
import { AuditPanel } from './AuditPanel.tsx';
import { LimitsPanel } from './LimitsPanel.tsx';
import { OrdersPanel } from './OrdersPanel.tsx';
import { OverviewPanel } from './OverviewPanel.tsx';
import { SettlementsPanel } from './SettlementsPanel.tsx';
import { TradingPanel } from './TradingPanel.tsx';
import { AdminRole, useAdminQuery } from './useAdmin.ts';

const VIEWS = {
  overview: { name: 'Overview', panel: <OverviewPanel /> },
  orders: { name: 'Orders', panel: <OrdersPanel /> },
  trading: { name: 'Trading', panel: <TradingPanel /> },
  limits: { name: 'Limits', panel: <LimitsPanel /> },
  settlements: { name: 'Settlements', panel: <SettlementsPanel /> },
  alerts: { name: 'Alerts', panel: <AlertsPanel /> },
  audit: { name: 'Audit log', panel: <AuditPanel /> },
} satisfies Record<string, { name: string; panel: ReactNode }>;

type View = keyof typeof VIEWS;

export function AdminShell() {
  return (
    <AdminGate>
      {(self) => (
        <>
          <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
            <h1 className="font-semibold text-26 leading-tight tracking-[-0.015em]">Operations</h1>
            <div className="flex items-center gap-3 text-14 text-ink-2">
              <span>
                {self.name}
                {self.role === 'watch' && ', read only'}
              </span>
              <Button size="s" onClick={() => setAdminToken('')}>
                Sign out
              </Button>
            </div>
          </header>
          <Views />
        </>
      )}
    </AdminGate>
  );
}

function Views() {
  const asked = useSearchParams().get('view') ?? 'overview';
  const current: View = asked in VIEWS ? (asked as View) : 'overview';
  return (
    <>
      <nav
        aria-label="Operations"
        className="-mx-4 mb-6 overflow-x-auto border-b px-4 md:mx-0 md:px-0"
      >
        <ul className="flex gap-1">
          {Object.entries(VIEWS).map(([view, { name }]) => (
            <li key={view}>
              <Link
                href={`/operator?view=${view}`}
                aria-current={view === current ? 'page' : undefined}
                className={clsx(
                  'block whitespace-nowrap border-b-2 px-3 py-2.5 font-medium text-14 max-md:py-3.5',
                  view === current
                    ? 'border-ink text-ink'
                    : 'border-transparent text-ink-2 hover:text-ink',
                )}
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {VIEWS[current].panel}
    </>
  );
}

type Self = AdminOverview['operator'];

/** Admits admins by their token; shows nothing of the service before that. */
function AdminGate({ children }: { children: (self: Self) => ReactNode }) {
  return (
    <DataProvider>
      <Gate>{children}</Gate>
    </DataProvider>
  );
}

function Gate({ children }: { children: (self: Self) => ReactNode }) {
  const isHydrated = useHydrated();
  const token = useAdminToken();
  if (!isHydrated) return <div className="skeleton h-48" role="status" aria-label="Loading" />;
  return token === '' ? <SignIn /> : <SignedIn>{children}</SignedIn>;
}

function SignedIn({ children }: { children: (self: Self) => ReactNode }) {
  const overview = useAdminQuery(['overview'], adminApi.overview);
  if (overview.data) {
    const self = overview.data.operator;
    return <AdminRole value={self.role}>{children(self)}</AdminRole>;
  }
  if (!overview.isError) {
    return <div className="skeleton h-48" role="status" aria-label="Loading" />;
  }
  const isRefused = isApiProblem(overview.error) && overview.error.status === 401;
  return isRefused ? (
    <SignIn refused={overview.error.message} />
  ) : (
    <Notice tone="problem" title="The service is not responding" live>
      {overview.error.message}
    </Notice>
  );
}

function SignIn({ refused }: { refused?: string }) {
  const [text, setText] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState(refused);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    try {
      await checkAdminToken(text.trim());
      setAdminToken(text.trim());
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setIsBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => void submit(event)}
      className="sheet mx-auto mt-[8vh] grid max-w-[420px] gap-4 p-6"
    >
      <h1 className="font-semibold text-20">Operations</h1>
      <p className="text-14 text-ink-2">
        For the team that runs this service. The token is kept in this tab only.
      </p>
      <TextField
        label="Admin token"
        hint="Create one with npm run ops -- operators add."
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder="cbo_…"
        value={text}
        onChange={setText}
        className="font-mono"
      />
      {problem && (
        <Notice tone="problem" live>
          {problem}
        </Notice>
      )}
      <Button type="submit" tone="primary" disabled={text.trim() === ''} isBusy={isBusy}>
        Sign in
      </Button>
    </form>
  );
}
