import { type ZodType, z } from 'zod';
import * as shapes from '#lib/api/schemas/admin.ts';
import { formatMicros } from '#lib/money.ts';
import { listAlerts } from '../../domain/admin/alerts.ts';
import { readAudit } from '../../domain/admin/audit.ts';
import { NotAllowedError } from '../../domain/admin/notAllowed.ts';
import { EVERY_MARKET, listSuspensions } from '../../domain/admin/suspensions.ts';
import { listShardCash } from '../../domain/collateral/shardStore.ts';
import { listLimits } from '../../domain/limits/limits.ts';
import {
  isDeadLetter,
  listProblemOrders,
  readBacklog,
  readStages,
  readWholeStory,
} from '../../domain/orders/lifecycle/backlog.ts';
import { readLatestRun } from '../../domain/reconciliation/runs.ts';
import { listSettlements } from '../../domain/settlement/adminActions.ts';
import type { Database } from '../../platform/database/client.ts';
import { ServiceError } from '../../platform/errors.ts';
import { adminOf } from '../middleware/authenticate.ts';
import { type HttpMethod, type Route, type RouteContext, route } from '../routes/route.ts';
import { type ActionDeps, ADMIN_ACTIONS, type AdminAction } from './actions.ts';

type Deps = ActionDeps & { config: { operator: { isOpen: boolean } } };

type Declaration<
  Params extends ZodType,
  Query extends ZodType,
  Body extends ZodType,
  Output extends ZodType,
> = {
  method?: HttpMethod;
  path: string;
  name: string;
  params?: Params;
  query?: Query;
  body?: Body;
  output: Output;
  handler: (
    context: RouteContext<Deps, z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Promise<z.input<Output>>;
};

/**
 * A route for admins: with their own tokens, counted by address, present only where the interface
 * is open. The role `watch` reads, `act` changes.
 */
function adminRoute<
  Params extends ZodType,
  Query extends ZodType,
  Body extends ZodType,
  Output extends ZodType,
>(declaration: Declaration<Params, Query, Body, Output>): Route<Deps> {
  const { method = 'GET', path, name, output, handler, ...schemas } = declaration;
  return route<Deps, Params, Query, Body, Output>({
    ...schemas,
    method,
    path: `/operator/v1${path}`,
    operationId: name,
    summary: name,
    tags: ['Operators'],
    auth: { apiKey: 'none', token: 'none', admin: method === 'GET' ? 'watch' : 'act' },
    rateClass: 'operator',
    response: { schema: output },
    available: ({ config }) => config.operator.isOpen,
    async handler(context) {
      try {
        return await handler(context);
      } catch (error) {
        if (!(error instanceof NotAllowedError)) throw error;
        throw new ServiceError('action_not_possible', error.message);
      }
    },
  });
}

function actionRoute(act: AdminAction): Route<Deps>[] {
  if (!act.route) return [];
  const { input } = act;
  const { output, ...rest } = act.route;
  const params = rest.path.includes('{id}') ? input.pick({ id: true }) : z.object({});
  return [
    adminRoute({
      method: 'POST',
      ...rest,
      params,
      body: input.omit(params.shape),
      output: output ?? shapes.doneSchema,
      async handler({ deps, caller, params: named, body }) {
        const result = await act.run(deps, { ...named, ...body, by: adminOf(caller).name });
        return output ? result : { done: true };
      },
    }),
  ];
}

async function readReconciliation(deps: { database: Database }) {
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

async function readOverview(deps: { database: Database }) {
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

const allSchema = z.strictObject({
  all: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .default(false),
});

const orderReads: Route<Deps>[] = [
  adminRoute({
    path: '/overview',
    name: 'operatorOverview',
    output: shapes.adminOverviewSchema,
    async handler({ deps, caller }) {
      const { name, role } = adminOf(caller);
      return { operator: { name, role }, ...(await readOverview(deps)) };
    },
  }),
  adminRoute({
    path: '/orders',
    name: 'operatorOrders',
    query: allSchema,
    output: z.object({ orders: z.array(shapes.problemOrderSchema) }),
    async handler({ deps, query }) {
      const found = await listProblemOrders(deps, query);
      return { orders: found.map((one) => ({ ...one, isDeadLetter: isDeadLetter(one) })) };
    },
  }),
  adminRoute({
    path: '/orders/{id}',
    name: 'operatorOrder',
    params: z.strictObject({ id: z.uuid() }),
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

const stateReads: Route<Deps>[] = [
  adminRoute({
    path: '/alerts',
    name: 'operatorAlerts',
    query: allSchema,
    output: z.object({ alerts: z.array(shapes.adminAlertSchema) }),
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
    path: '/suspensions',
    name: 'operatorSuspensions',
    output: z.object({ suspensions: z.array(shapes.suspensionSchema) }),
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
    path: '/limits',
    name: 'operatorLimits',
    output: z.object({ limits: z.array(shapes.tradingLimitSchema) }),
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
    path: '/settlements',
    name: 'operatorSettlements',
    output: z.object({ settlements: z.array(shapes.adminSettlementSchema) }),
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
    path: '/audit',
    name: 'operatorAudit',
    query: z.strictObject({
      subject: z.string().min(1).max(200).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    output: z.object({ entries: z.array(shapes.auditEntrySchema) }),
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

/** What admins may see and do; no part of the published interface. */
export const adminRoutes: readonly Route<Deps>[] = [
  ...orderReads,
  ...stateReads,
  ...ADMIN_ACTIONS.flatMap(actionRoute),
];
