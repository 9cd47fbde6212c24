'use client';

import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useNow } from '#components/ui/clock.ts';
import { PendingPage } from '#components/ui/LoadStates.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Section } from '#components/ui/Section.tsx';
import type { ServiceStatus } from '#lib/api/schemas/status.ts';
import { statusQuery } from '#lib/browser/queries/status.ts';
import { duration } from '#lib/format/duration.ts';
import { shardName } from '#lib/market/shardName.ts';

type State = ServiceStatus['status'];

const SUMMARY: Record<State, string> = {
  ok: 'All systems operational',
  degraded: 'Degraded performance',
  down: 'Service outage',
};

export function StatusView() {
  const { api } = useApp();
  const status = useQuery(statusQuery(api));
  if (status.isPending) return <PendingPage />;
  if (!status.data) {
    return (
      <Notice tone="problem" title="Status unavailable" live>
        Orders you placed continue when the service is back. Retrying every few seconds…
      </Notice>
    );
  }
  const { data } = status;
  return (
    <div className="grid gap-6">
      <p role="status" className="flex items-center gap-3 font-medium text-17">
        <Dot state={data.status} />
        {SUMMARY[data.status]}
      </p>
      {data.status !== 'ok' && (
        <Notice tone="caution" title="Your funds are safe">
          Your USDC and positions are in your own account on chain. Orders you placed are completed
          or refunded.
        </Notice>
      )}
      {status.isError && (
        <Notice tone="caution">Could not refresh. Showing the last known status.</Notice>
      )}
      <ul className="sheet divide-y" aria-label="Parts">
        <Parts data={data} />
      </ul>
      <Alerts alerts={data.alerts} />
      <p className="text-13 text-ink-3">
        Version {data.version} · Updated <LocalTime at={data.time} format="clock" /> · JSON:{' '}
        <a href="/v1/status" className="underline underline-offset-4">
          /v1/status
        </a>
      </p>
    </div>
  );
}

const BOOKS: Record<ServiceStatus['reconciliation']['status'], { state: State; words: string }> = {
  ok: { state: 'ok', words: 'agree' },
  differences: { state: 'degraded', words: 'differ' },
  failing: { state: 'degraded', words: 'could not be compared' },
  pending: { state: 'ok', words: 'have not been compared yet' },
};

function Parts({ data }: { data: ServiceStatus }) {
  const { exchange, chain, processor, database, reconciliation } = data;
  const books = BOOKS[reconciliation.status];
  return (
    <>
      <Part name="Exchange" state={exchange.status}>
        {tradingWords(exchange)}
        {exchange.resumesAt && (
          <>
            {' '}
            until <LocalTime at={exchange.resumesAt} />
          </>
        )}
      </Part>
      <Part name="Order processing" state={processor.status}>
        {processor.openOrders === null ? 'Unknown' : ordersUnderWay(processor.openOrders)}
        {processor.overdueSeconds !== null &&
          processor.overdueSeconds > 0 &&
          `, oldest waiting ${duration(processor.overdueSeconds * 1_000)}`}
      </Part>
      <Part name={chain.sandbox ? 'Chain (sandbox)' : 'Base'} state={chain.status}>
        {chain.blockNumber === null ? 'Unknown' : <BlockAge chain={chain} />}
      </Part>
      <Part name="Database" state={database.status}>
        {database.latencyMs === null
          ? 'Unknown'
          : `Responds in ${Math.round(database.latencyMs)} ms`}
      </Part>
      <Part name="Books" state={books.state}>
        Books, exchange and chain {books.words}
        {reconciliation.checkedAt && (
          <>
            , compared at <LocalTime at={reconciliation.checkedAt} format="clock" />
          </>
        )}
      </Part>
    </>
  );
}

/** Which part is paused, when it is not the whole. */
function tradingWords({ tradingActive, shards }: ServiceStatus['exchange']): string {
  const paused = shards.filter((one) => !one.tradingActive);
  if (tradingActive === false || (paused.length > 0 && paused.length === shards.length)) {
    return 'Trading is paused';
  }
  if (paused.length === 0) return 'Trading';
  return `Trading is paused in: ${paused.map(shardName).join(', ')}`;
}

function ordersUnderWay(count: number): string {
  return `${count} ${count === 1 ? 'order' : 'orders'} in progress`;
}

function BlockAge({ chain }: { chain: ServiceStatus['chain'] }) {
  const now = useNow();
  const age =
    now === undefined || chain.blockTime === null
      ? ''
      : `, ${duration(Math.max(0, now - Date.parse(chain.blockTime)))} old`;
  return (
    <span className="nums">
      Block {chain.blockNumber}
      {age}
    </span>
  );
}

function Alerts({ alerts }: { alerts: ServiceStatus['alerts'] }) {
  if (alerts.length === 0) return null;
  return (
    <Section
      id="alerts-heading"
      title="Under investigation"
      className="grid gap-3"
      headClassName=""
    >
      {alerts.map((alert) => (
        <Notice key={`${alert.kind} ${alert.raisedAt}`} tone="caution" title={alert.detail}>
          Since <LocalTime at={alert.raisedAt} />
        </Notice>
      ))}
    </Section>
  );
}

const STATE_WORDS: Record<State, string> = {
  ok: 'Operational',
  degraded: 'Degraded',
  down: 'Down',
};

function Part({ name, state, children }: { name: string; state: State; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-5 py-3.5 sm:grid-cols-[12rem_minmax(0,1fr)_auto]">
      <span className="flex items-center gap-3 font-medium">
        <Dot state={state} />
        {name}
      </span>
      <span className="text-14 text-ink-2 max-sm:order-last max-sm:col-span-2 max-sm:pl-[22px]">
        {children}
      </span>
      <span className="text-14">{STATE_WORDS[state]}</span>
    </li>
  );
}

function Dot({ state }: { state: State }) {
  return (
    <span
      aria-hidden
      className={clsx(
        'size-2.5 shrink-0 rounded-full',
        state === 'ok' ? 'bg-yes-solid' : state === 'degraded' ? 'bg-caution' : 'bg-no-solid',
      )}
    />
  );
}
