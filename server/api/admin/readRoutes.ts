import { z } from 'zod';
import {
  adminAlertSchema,
  adminOverviewSchema,
  adminSettlementSchema,
  auditEntrySchema,
  problemOrderSchema,
  suspensionSchema,
  tradingLimitSchema,
} from '#lib/api/schemas/admin.ts';
import { formatMicros } from '#lib/money.ts';
import { listAlerts } from '../../domain/admin/alerts.ts';
import { readAudit } from '../../domain/admin/audit.ts';
import { EVERY_MARKET, listSuspensions } from '../../domain/admin/suspensions.ts';
import { listShardCash } from '../../domain/collateral/shardStore.ts';
import { listLimits } from '../../domain/limits/limits.ts';
import { readBacklog } from '../../domain/orders/lifecycle/backlog.ts';
import {
  isDeadLetter,
  listProblemOrders,
  readWholeStory,
} from '../../domain/orders/lifecycle/problemOrders.ts';
import { readStages } from '../../domain/orders/lifecycle/stages.ts';
import { readLatestRun } from '../../domain/reconciliation/runs.ts';
import { listSettlements } from '../../domain/settlement/adminActions.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Runtime } from '../../runtime.ts';
import { adminOf } from '../middleware/authenticateAdmin.ts';
import type { Route } from '../routes/route.ts';
import { adminRoute } from './declare.ts';

const allSchema = z.strictObject({
  all: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .default(false),
});
const nothing = z.strictObject({});

async function readReconciliation(deps: Runtime) {
  const run = await readLatestRun(deps);
  if (!run) return { status: 'pending' as const, checkedAt: null, differences: [] };
  return {
    status: run.status,
    checkedAt: run.checkedAt.toISOString(),
    differences: run.differences.map(({ kind, subject, explanation, tickers }) => ({
      kind,
      subject,
      explanation,
      tickers,
    })),
  };
}

async function readOverview(deps: Runtime) {
  const [backlog, stages, suspensions, alerts, shards, reconciliation] = await Promise.all([
    readBacklog(deps),
    readStages(deps),
    listSuspensions(deps),
    listAlerts(deps, { limit: 1_000 }),
    listShardCash(deps.database.orm),
    readReconciliation(deps),
  ]);
  const { overdueSeconds, failingOrders, deadLetters } = backlog;
  const tickers = new Set(suspensions.map((one) => one.ticker));
  return {
    paused: tickers.has(EVERY_MARKET),
    suspendedMarkets: [...tickers].filter((one) => one !== EVERY_MARKET).length,
    openAlerts: alerts.length,
    overdueSeconds,
    failingOrders,
    deadLetters,
    stages: stages.map(({ usdcMicros, contractMicros, ...rest }) => ({
      ...rest,
      usdc: formatMicros(usdcMicros),
      contracts: formatMicros(contractMicros),
    })),
    shards: shards.map(({ shard, name, tradingActive, balanceMicros, arrivingMicros, readAt }) => ({
      shard,
      name,
      tradingActive,
      usdc: formatMicros(balanceMicros),
      arrivingUsdc: formatMicros(arrivingMicros),
      readAt: readAt.toISOString(),
    })),
    reconciliation,
  };
}

const orderReads: Route[] = [
  adminRoute({
    method: 'GET',
    path: '/overview',
    name: 'operatorOverview',
    role: 'watch',
    query: nothing,
    output: adminOverviewSchema,
    async handler({ deps, caller }) {
      const { name, role } = adminOf(caller);
      return { operator: { name, role }, ...(await readOverview(deps)) };
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/orders',
    name: 'operatorOrders',
    role: 'watch',
    query: allSchema,
    output: z.object({ orders: z.array(problemOrderSchema) }),
    async handler({ deps, query }) {
      const found = await listProblemOrders(deps, { all: query.all });
      return { orders: found.map((one) => ({ ...one, isDeadLetter: isDeadLetter(one) })) };
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/orders/{id}',
    name: 'operatorOrder',
    role: 'watch',
    params: z.strictObject({ id: z.uuid() }),
    query: nothing,
    output: z.object({ story: z.record(z.string(), z.array(z.unknown())) }),
    async handler({ deps, params }) {
      const story = await readWholeStory(deps, params.id);
      if (story.intent?.length !== 1) {
        throw new ServiceError('order_not_found', 'No order has this ID.');
      }
      return { story };
    },
  }),
];

const stateReads: Route[] = [
  adminRoute({
    method: 'GET',
    path: '/alerts',
    name: 'operatorAlerts',
    role: 'watch',
    query: allSchema,
    output: z.object({ alerts: z.array(adminAlertSchema) }),
    async handler({ deps, query }) {
      const alerts = await listAlerts(deps, { resolvedToo: query.all, limit: 200 });
      return {
        alerts: alerts.map(({ id: _id, raisedAt, lastSeenAt, resolvedAt, ...rest }) => ({
          ...rest,
          raisedAt: raisedAt.toISOString(),
          lastSeenAt: lastSeenAt.toISOString(),
          resolvedAt: resolvedAt?.toISOString() ?? null,
        })),
      };
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/suspensions',
    name: 'operatorSuspensions',
    role: 'watch',
    query: nothing,
    output: z.object({ suspensions: z.array(suspensionSchema) }),
    async handler({ deps }) {
      const suspensions = await listSuspensions(deps);
      return {
        suspensions: suspensions.map(({ ticker, reason, suspendedBy, suspendedAt }) => ({
          ticker,
          reason,
          suspendedBy,
          suspendedAt: suspendedAt.toISOString(),
        })),
      };
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/limits',
    name: 'operatorLimits',
    role: 'watch',
    query: nothing,
    output: z.object({ limits: z.array(tradingLimitSchema) }),
    async handler({ deps }) {
      const amount = (micros: bigint | null) => (micros === null ? null : formatMicros(micros));
      const limits = await listLimits(deps);
      return {
        limits: limits.map((one) => ({
          scope: one.scope,
          subject: one.subject,
          maxOrder: amount(one.maxOrderUsdcMicros),
          maxDay: amount(one.maxDayUsdcMicros),
          maxExposure: amount(one.maxExposureUsdcMicros),
          maxOpenOrders: one.maxOpenOrders,
          setBy: one.setBy,
          setAt: one.setAt.toISOString(),
        })),
      };
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/settlements',
    name: 'operatorSettlements',
    role: 'watch',
    query: nothing,
    output: z.object({ settlements: z.array(adminSettlementSchema) }),
    async handler({ deps }) {
      const settlements = await listSettlements(deps, 100);
      return {
        settlements: settlements.map((one) => ({
          ticker: one.ticker,
          state: one.state,
          payoutYes: formatMicros(one.payoutYesMicros),
          settledAt: one.settledAt.toISOString(),
          finalizableAt: one.finalizableAt?.toISOString() ?? null,
          pending: one.pending && {
            payoutYes: formatMicros(one.pending.payoutYesMicros),
            proposedBy: one.pending.proposedBy,
            reason: one.pending.reason,
          },
        })),
      };
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/audit',
    name: 'operatorAudit',
    role: 'watch',
    query: z.strictObject({
      subject: z.string().min(1).max(200).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    output: z.object({ entries: z.array(auditEntrySchema) }),
    async handler({ deps, query }) {
      const { subject, limit } = query;
      const entries = await readAudit(deps, {
        limit,
        ...(subject === undefined ? {} : { subject }),
      });
      return {
        entries: entries.map(({ id: _id, at, ...rest }) => ({ ...rest, at: at.toISOString() })),
      };
    },
  }),
];

export const adminReadRoutes: Route[] = [...orderReads, ...stateReads];
