import { z } from 'zod';
import { chainIdSchema, timestampSchema } from './common.ts';

const stateSchema = z.enum(['ok', 'degraded', 'down']).meta({ example: 'ok' });

export const statusSchema = z
  .object({
    status: stateSchema.meta({ description: 'The worst status of all parts.' }),
    version: z.string(),
    time: timestampSchema,
    database: z.object({ status: stateSchema, latencyMs: z.number().nullable() }),
    exchange: z.object({
      status: stateSchema,
      name: z.string(),
      exchangeActive: z.boolean().nullable(),
      tradingActive: z.boolean().nullable(),
      shards: z
        .array(z.object({ shard: z.number().int(), name: z.string(), tradingActive: z.boolean() }))
        .meta({
          description:
            'Parts of the exchange that can be paused separately; empty when it has none.',
        }),
      resumesAt: timestampSchema.nullable(),
    }),
    chain: z.object({
      status: stateSchema,
      chainId: chainIdSchema,
      sandbox: z.boolean(),
      blockNumber: z.string().nullable(),
      blockTime: timestampSchema.nullable(),
    }),
    processor: z.object({
      status: stateSchema,
      openOrders: z.number().nullable(),
      overdueSeconds: z.number().nullable().meta({
        description: 'How long the most overdue order has been waiting.',
      }),
      failingOrders: z.number().nullable().meta({
        description: 'Open orders whose last step failed and is being retried.',
      }),
      deadLetters: z.number().nullable().meta({
        description: 'Of these, orders that failed so often that they need attention.',
      }),
      strayRequests: z
        .object({ open: z.number(), total: z.number() })
        .nullable()
        .meta({
          description:
            'Funds locked in the vault that belong to no order: how often that happened, ' +
            'and how many are not returned yet.',
        }),
    }),
    catalogue: z
      .object({
        status: z.enum(['pending', 'ok', 'stale']),
        mirroredAt: timestampSchema.nullable(),
        markets: z.number().nullable(),
        underWay: z
          .object({
            begunAt: timestampSchema,
            markets: z.number(),
            ofMarkets: z.number().nullable(),
          })
          .nullable()
          .meta({ description: 'Progress of the current full read of all markets.' }),
      })
      .meta({
        description: 'The copy of the exchange’s markets, and when it was last read in full.',
      }),
    reconciliation: z
      .object({
        status: z.enum(['ok', 'differences', 'failing', 'pending']),
        checkedAt: timestampSchema.nullable(),
        differences: z.number(),
      })
      .meta({ description: 'Books, exchange and chain, compared with each other.' }),
    alerts: z
      .array(
        z.object({
          kind: z.string(),
          detail: z.string(),
          raisedAt: timestampSchema,
          lastSeenAt: timestampSchema,
        }),
      )
      .meta({ description: 'Open incidents, oldest first.' }),
  })
  .meta({ id: 'ServiceStatus' });

export type ServiceStatus = z.infer<typeof statusSchema>;
