import {
  readOperationLoad,
  readTransactionsInFlight,
} from '../../chain/operations/transactions.ts';
import { ALERT_KINDS } from '../admin/alertKinds.ts';
import { listAlerts } from '../admin/alerts.ts';
import { EVERY_MARKET, listSuspensions } from '../admin/suspensions.ts';
import { readSyncState } from '../markets/sync/syncState.ts';
import { readDeliveryLoad } from '../notifications/outbox.ts';
import { countOrphanedRequests, readBacklog, readStages } from '../orders/lifecycle/backlog.ts';
import { readHeldRoom } from '../orders/lifecycle/room/reserveRoom.ts';
import { DIFFERENCE_KINDS } from '../reconciliation/difference.ts';
import { readLatestRun } from '../reconciliation/runs.ts';
import { listUnfinishedSettlements } from '../settlement/settlementStore.ts';
import { type Part, part, type ServiceDeps, shown } from './parts.ts';

/** Gauges from the database. */
export function databaseParts(deps: ServiceDeps): Part[] {
  return [
    stagesPart(deps),
    backlogPart(deps),
    operationsPart(deps),
    cataloguePart(deps),
    reconciliationPart(deps),
    alertsPart(deps),
    deliveriesPart(deps),
    suspensionsPart(deps),
    settlementsPart(deps),
    roomPart(deps),
  ];
}

function stagesPart(deps: ServiceDeps): Part {
  const open = shown('orders_open', 'Open orders, by due step.', ['stage']);
  const oldest = shown('orders_oldest_seconds', 'Age of the oldest open order of a stage.', [
    'stage',
  ]);
  const usdc = shown(
    'money_in_flight_usdc_micros',
    'USDC in open orders, in millionths; exact up to nine billion USDC.',
    ['stage'],
  );
  const contracts = shown(
    'money_in_flight_contract_micros',
    'Outcome tokens in open orders, in millionths.',
    ['stage'],
  );
  return part('stages', [open, oldest, usdc, contracts], async () =>
    (await readStages(deps)).flatMap((load) => {
      const labels = { stage: load.stage };
      return [
        { gauge: open, labels, value: load.open },
        { gauge: oldest, labels, value: load.oldestSeconds },
        { gauge: usdc, labels, value: Number(load.usdcMicros) },
        { gauge: contracts, labels, value: Number(load.contractMicros) },
      ];
    }),
  );
}

function backlogPart(deps: ServiceDeps): Part {
  const overdue = shown('orders_overdue_seconds', 'How long the most overdue order has been due.');
  const failing = shown('orders_failing', 'Open orders whose last step failed.');
  const dead = shown('orders_dead_letters', 'Open orders whose step failed eight times or more.');
  const orphans = shown(
    'orphaned_requests_open',
    'Orphaned vault requests not returned to their owner.',
  );
  return part('backlog', [overdue, failing, dead, orphans], async () => {
    const [backlog, orphan] = await Promise.all([readBacklog(deps), countOrphanedRequests(deps)]);
    return [
      { gauge: overdue, value: backlog.overdueSeconds },
      { gauge: failing, value: backlog.failingOrders },
      { gauge: dead, value: backlog.deadLetters },
      { gauge: orphans, value: orphan.open },
    ];
  });
}

function operationsPart(deps: ServiceDeps): Part {
  const ready = shown('chain_operations_waiting', 'Operations without a transaction.', ['kind']);
  const oldest = shown('chain_operations_oldest_seconds', 'Age of the oldest of them.', ['kind']);
  const inFlight = shown('chain_transactions_in_flight', 'Transactions signed, not confirmed.');
  const age = shown('chain_transactions_oldest_seconds', 'Age of the oldest of them.');
  return part('operations', [ready, oldest, inFlight, age], async () => {
    const db = deps.database.orm;
    const [load, transactions] = await Promise.all([
      readOperationLoad(db),
      readTransactionsInFlight(db),
    ]);
    return [
      ...load.flatMap(({ kind, open, oldestSeconds }) => [
        { gauge: ready, labels: { kind }, value: open },
        { gauge: oldest, labels: { kind }, value: oldestSeconds },
      ]),
      { gauge: inFlight, value: transactions.open },
      { gauge: age, value: transactions.oldestSeconds },
    ];
  });
}

function cataloguePart(deps: ServiceDeps): Part {
  const age = shown(
    'catalogue_age_seconds',
    'Time since the list of markets was last read in full.',
  );
  const markets = shown('catalogue_markets', 'Markets in it.');
  return part('catalogue', [age, markets], async () => {
    const { lastFull } = await readSyncState(deps);
    if (!lastFull) return [];
    const seconds = Math.max(0, (Date.now() - Date.parse(lastFull.finishedAt)) / 1000);
    return [
      { gauge: age, value: seconds },
      { gauge: markets, value: lastFull.markets },
    ];
  });
}

function reconciliationPart(deps: ServiceDeps): Part {
  const ok = shown('reconciliation_ok', 'Whether books, exchange and chain agreed: 1, or 0.');
  const age = shown('reconciliation_age_seconds', 'Time since they were last compared.');
  const differences = shown('reconciliation_differences', 'Differences, by kind.', ['kind']);
  return part('reconciliation', [ok, age, differences], async () => {
    const run = await readLatestRun(deps);
    if (!run) return [];
    const count = (kind: string) => run.differences.filter((one) => one.kind === kind).length;
    return [
      { gauge: ok, value: run.status === 'ok' ? 1 : 0 },
      { gauge: age, value: Math.max(0, (Date.now() - run.checkedAt.getTime()) / 1000) },
      ...Object.keys(DIFFERENCE_KINDS).map((kind) => ({
        gauge: differences,
        labels: { kind },
        value: count(kind),
      })),
    ];
  });
}

function alertsPart(deps: ServiceDeps): Part {
  const open = shown('alerts_open', 'Open alerts, by kind.', ['kind']);
  return part('alerts', [open], async () => {
    const current = await listAlerts(deps, { limit: 10_000 });
    return Object.keys(ALERT_KINDS).map((kind) => ({
      gauge: open,
      labels: { kind },
      value: current.filter((one) => one.kind === kind).length,
    }));
  });
}

function deliveriesPart(deps: ServiceDeps): Part {
  const labels = ['channel'];
  const pending = shown('notification_deliveries_pending', 'Pending messages.', labels);
  const overdue = shown(
    'notification_deliveries_overdue_seconds',
    'Delay of the most overdue message.',
    labels,
  );
  return part('notifications', [pending, overdue], async () => {
    const load = await readDeliveryLoad(deps.database.orm);
    return Object.entries(load).flatMap(([channel, { pending: count, overdueSeconds }]) => [
      { gauge: pending, labels: { channel }, value: count },
      { gauge: overdue, labels: { channel }, value: overdueSeconds },
    ]);
  });
}

function suspensionsPart(deps: ServiceDeps): Part {
  const paused = shown('trading_paused', 'Whether trading is paused on every market.');
  const markets = shown('markets_suspended', 'Suspended markets.');
  return part('suspensions', [paused, markets], async () => {
    const current = await listSuspensions(deps);
    const tickers = new Set(current.map((one) => one.ticker));
    return [
      { gauge: paused, value: tickers.has(EVERY_MARKET) ? 1 : 0 },
      { gauge: markets, value: [...tickers].filter((one) => one !== EVERY_MARKET).length },
    ];
  });
}

function settlementsPart(deps: ServiceDeps): Part {
  const open = shown('settlements_open', 'Settled markets that do not pay out yet, by state.', [
    'state',
  ]);
  return part('settlements', [open], async () => {
    const unfinished = await listUnfinishedSettlements(deps.database.orm);
    return ['due', 'proposed', 'held'].map((state) => ({
      gauge: open,
      labels: { state },
      value: unfinished.filter((one) => one.state === state).length,
    }));
  });
}

function roomPart(deps: ServiceDeps): Part {
  const reserved = shown(
    'room_reserved_usdc_micros',
    'Vault capacity reserved by open orders, by direction, in millionths.',
    ['action'],
  );
  return part('room_reserved', [reserved], async () => {
    const held = await readHeldRoom(deps.database.orm);
    return (['buy', 'sell'] as const).map((action) => ({
      gauge: reserved,
      labels: { action },
      value: Number(held[action].usdcMicros),
    }));
  });
}
