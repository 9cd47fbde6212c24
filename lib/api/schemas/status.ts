import { z } from 'zod';
import { chainIdSchema, timestampSchema } from './common.ts';

const stateSchema = z.enum(['ok', 'degraded', 'down']).meta({ example: 'ok' });

export const statusSchema = z
  .object({
    status: stateSchema.meta({ description: 'The worst of the parts.' }),
    version: z.string(),
    time: timestampSchema,
    database: z.object({ status: stateSchema, latencyMs: z.number().nullable() }),
    exchange: z.object({
      status: stateSchema,
      name: z.string(),
      exchangeActive: z.boolean().nullable(),
      tradingActive: z.boolean().nullable(),
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
        description: 'How long the most overdue order has been waiting for work.',
      }),
      failingOrders: z.number().nullable().meta({
        description: 'Open orders whose last step failed; it is tried again.',
      }),
      deadLetters: z.number().nullable().meta({
        description: 'Those among them that have failed so often that a person should look.',
      }),
      strayRequests: z
        .object({ open: z.number(), total: z.number() })
        .nullable()
        .meta({
          description:
            'Funds that somebody locked in the vault for no order of ours: how often that was, ' +
            'and how many of them are not sent back yet.',
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
          .meta({ description: 'How far the reading of all markets that goes on now has come.' }),
      })
      .meta({ description: 'The mirror of the exchange’s markets: when all of it was last read.' }),
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
      .meta({ description: 'What somebody is looking at, oldest first.' }),
  })
  .meta({ id: 'ServiceStatus' });

export type ServiceStatus = z.infer<typeof statusSchema>;
