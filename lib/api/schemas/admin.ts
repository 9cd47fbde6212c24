import { z } from 'zod';
import { MicrosError, parseMicros } from '../../money.ts';
import { decimalSchema } from './common.ts';

/** Shapes of the admin interface, which is not published. */

const moment = z.string();
const nullableAmount = z.string().nullable();

export const adminSelfSchema = z.object({
  name: z.string(),
  role: z.enum(['watch', 'act']),
});

export const stageLoadSchema = z.object({
  stage: z.string(),
  open: z.number(),
  oldestSeconds: z.number(),
  usdc: z.string(),
  contracts: z.string(),
});

export const adminOverviewSchema = z.object({
  operator: adminSelfSchema,
  paused: z.boolean(),
  suspendedMarkets: z.number(),
  openAlerts: z.number(),
  overdueSeconds: z.number(),
  failingOrders: z.number(),
  deadLetters: z.number(),
  stages: z.array(stageLoadSchema),
  shards: z.array(
    z.object({
      shard: z.number(),
      name: z.string(),
      usdc: z.string(),
      arrivingUsdc: z.string(),
      tradingActive: z.boolean(),
      readAt: moment,
    }),
  ),
  reconciliation: z.object({
    status: z.enum(['ok', 'differences', 'failing', 'pending']),
    checkedAt: moment.nullable(),
    differences: z.array(
      z.object({
        kind: z.string(),
        subject: z.string(),
        explanation: z.string(),
        tickers: z.array(z.string()),
      }),
    ),
  }),
});

export const problemOrderSchema = z.object({
  id: z.string(),
  kind: z.string(),
  ticker: z.string().nullable(),
  status: z.string(),
  stage: z.string(),
  failures: z.number(),
  overdueSeconds: z.number(),
  pastExpirySeconds: z.number().nullable(),
  chainTries: z.number(),
  isDeadLetter: z.boolean(),
});

export const adminAlertSchema = z.object({
  kind: z.string(),
  subject: z.string(),
  detail: z.string(),
  internalDetail: z.string().nullable(),
  raisedAt: moment,
  lastSeenAt: moment,
  resolvedAt: moment.nullable(),
});

export const suspensionSchema = z.object({
  ticker: z.string(),
  reason: z.string(),
  suspendedBy: z.string(),
  suspendedAt: moment,
});

export const limitScopeSchema = z.enum(['key', 'account', 'market']);

export const tradingLimitSchema = z.object({
  scope: limitScopeSchema,
  subject: z.string(),
  maxOrder: nullableAmount,
  maxDay: nullableAmount,
  maxExposure: nullableAmount,
  maxOpenOrders: z.number().nullable(),
  setBy: z.string(),
  setAt: moment,
});

export const adminSettlementSchema = z.object({
  ticker: z.string(),
  state: z.string(),
  payoutYes: z.string(),
  settledAt: moment,
  finalizableAt: moment.nullable(),
  /** A payout that differs from the exchange's and needs a second admin. */
  pending: z
    .object({ payoutYes: z.string(), proposedBy: z.string(), reason: z.string() })
    .nullable(),
});

export const auditEntrySchema = z.object({
  at: moment,
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  reason: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});

export const reasonSchema = z.strictObject({
  reason: z.string().trim().min(3, 'must state the reason in a few words').max(500),
});
const ticker = z.string().min(1).max(120);

/** Becomes millionths of a dollar. */
const microsSchema = decimalSchema.transform((text, context) => {
  try {
    return parseMicros(text);
  } catch (error) {
    if (!(error instanceof MicrosError)) throw error;
    context.addIssue('must have at most six decimals and not be too large');
    return z.NEVER;
  }
});

export const orderActSchema = reasonSchema.extend({ id: z.uuid('must be an order ID') });
export const stopSchema = reasonSchema.extend({ ticker: ticker.optional() });
export const tickerActSchema = reasonSchema.extend({ ticker });
export const proposeSchema = tickerActSchema.extend({ payoutYes: microsSchema.optional() });
export const confirmProposalSchema = tickerActSchema.extend({ payoutYes: microsSchema });
export const proposedSchema = z.object({ outcome: z.enum(['sent', 'pending']) });
export const resolveAlertSchema = reasonSchema.extend({
  kind: z.string().min(1).max(60),
  subject: z.string().min(1).max(200).optional(),
});
export const removeLimitSchema = reasonSchema.extend({
  scope: limitScopeSchema,
  subject: z.string().min(1).max(120),
});
export const setLimitSchema = removeLimitSchema.extend({
  maxOrder: microsSchema.nullable(),
  maxDay: microsSchema.nullable(),
  maxExposure: microsSchema.nullable(),
  maxOpenOrders: z.number().int().min(0).max(1_000_000).nullable(),
});

export const doneSchema = z.object({ done: z.literal(true) });
export const contractCallSchema = z.object({ to: z.string(), data: z.string() });

export type AdminOverview = z.infer<typeof adminOverviewSchema>;
export type ProblemOrder = z.infer<typeof problemOrderSchema>;
export type AdminAlert = z.infer<typeof adminAlertSchema>;
export type Suspension = z.infer<typeof suspensionSchema>;
export type TradingLimit = z.infer<typeof tradingLimitSchema>;
export type AdminSettlement = z.infer<typeof adminSettlementSchema>;
export type AuditEntry = z.infer<typeof auditEntrySchema>;
export type LimitScope = z.infer<typeof limitScopeSchema>;
export type LimitInput = Omit<z.input<typeof setLimitSchema>, 'reason'>;
