'use client';

import clsx from 'clsx';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { setAdminToken } from '#lib/browser/admin/adminToken.ts';
import { AdminGate } from './AdminGate.tsx';
import { AlertsPanel } from './AlertsPanel.tsx';
import { AuditPanel } from './AuditPanel.tsx';
import { LimitsPanel } from './LimitsPanel.tsx';
import { OrdersPanel } from './OrdersPanel.tsx';
import { OverviewPanel } from './OverviewPanel.tsx';
import { SettlementsPanel } from './SettlementsPanel.tsx';
import { TradingPanel } from './TradingPanel.tsx';

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

/** The admin pages: one path, with the current part in its query. */
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
