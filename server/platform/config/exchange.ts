import { z } from 'zod';

/** The exchange's clock, and contracts that the service sells back. */

/** How long the exchange may process an order after it has accepted its signature. */
const LEAST_AFTER_TOLERANCE_SECONDS = 5;

/** The share of our cash that a shard should have, and the least. */
export type ShardTarget = { shard: number; sharePercent: number; minimumMicros: bigint };

const TARGET = /^(\d{1,3}):(\d{1,3}):(\d{1,9})$/;

const shardTargetsField = z.string().transform((text, context): ShardTarget[] => {
  const parts = text.split(',').map((part) => part.trim());
  const targets = parts.flatMap((part): ShardTarget[] => {
    const [, shard, percent, dollars] = TARGET.exec(part) ?? [];
    if (shard === undefined || percent === undefined || dollars === undefined) return [];
    const minimumMicros = BigInt(dollars) * 1_000_000n;
    return [{ shard: Number(shard), sharePercent: Number(percent), minimumMicros }];
  });
  const problem = problemOf(parts, targets);
  if (problem === undefined) return targets;
  context.addIssue(problem);
  return z.NEVER;
});

function problemOf(parts: string[], targets: ShardTarget[]): string | undefined {
  if (targets.length < parts.length) {
    return 'must be shard:percent:minimum dollars, separated by commas, like 0:60:1000,2:40:500';
  }
  if (new Set(targets.map(({ shard }) => shard)).size < targets.length) {
    return 'names a shard twice; name each once';
  }
  const percent = targets.reduce((sum, { sharePercent }) => sum + sharePercent, 0);
  return percent === 100 ? undefined : `the shares add up to ${percent} percent; make them 100`;
}

export const exchangeEnvironment = {
  /** How far the time of a signature may differ from the exchange's clock. */
  EXCHANGE_SIGNATURE_TOLERANCE_SECONDS: z.coerce.number().int().min(2).max(300).default(30),
  /** A reading this much newer than a stored attempt proves that the exchange does not have it. */
  EXCHANGE_ABSENCE_SECONDS: z.coerce.number().int().min(5).max(600).default(45),
  /** The most that one contract, held for an ended order, may lose when it is sold back. */
  UNWIND_MAX_LOSS_CENTS: z.coerce.number().int().min(0).max(99).default(10),
  /**
   * The cash that each shard of the exchange should have, `shard:percent:minimum dollars`, separated
   * by commas. Without any, the service transfers none.
   */
  EXCHANGE_SHARDS: shardTargetsField.default([]),
};

type ExchangeVariables = Partial<z.infer<z.ZodObject<typeof exchangeEnvironment>>>;

/** How long an order message can reach the exchange, and when its absence is proven. */
export type ExchangeTiming = {
  /** The exchange accepts signatures up to this age. */
  toleranceMs: number;
  /** Absence is proven by a reading this much newer than the signature. */
  absenceMs: number;
};

/** While the exchange can still accept the message, its absence proves nothing. */
export function* exchangeTimingProblems(env: ExchangeVariables): Generator<string> {
  const { EXCHANGE_SIGNATURE_TOLERANCE_SECONDS: tolerance, EXCHANGE_ABSENCE_SECONDS: absence } =
    env;
  if (tolerance === undefined || absence === undefined) return;
  const least = tolerance + LEAST_AFTER_TOLERANCE_SECONDS;
  if (absence >= least) return;
  yield `EXCHANGE_ABSENCE_SECONDS: with ${absence} an order could be refunded and filled afterwards, because the exchange accepts its signature for ${tolerance} seconds (EXCHANGE_SIGNATURE_TOLERANCE_SECONDS); set at least ${least}`;
}

export function readExchangeTiming(env: Required<ExchangeVariables>): ExchangeTiming {
  return {
    toleranceMs: env.EXCHANGE_SIGNATURE_TOLERANCE_SECONDS * 1_000,
    absenceMs: env.EXCHANGE_ABSENCE_SECONDS * 1_000,
  };
}

export function readUnwinding(env: Required<ExchangeVariables>) {
  return { maxLossMicros: BigInt(env.UNWIND_MAX_LOSS_CENTS) * 10_000n };
}
