import { z } from 'zod';

/** What the environment says about the exchange's clock, and about what the house sells back. */

/** What the exchange may take to carry out an order after it has accepted its signature. */
const LEAST_AFTER_TOLERANCE_SECONDS = 5;

export const exchangeEnvironment = {
  /** How far from its own clock the exchange lets the time of a signature be. */
  EXCHANGE_SIGNATURE_TOLERANCE_SECONDS: z.coerce.number().int().min(2).max(300).default(30),
  /** How much newer than a stored attempt a reading must be that proves its absence. */
  EXCHANGE_ABSENCE_SECONDS: z.coerce.number().int().min(5).max(600).default(45),
  /** The most that one contract which the house holds by mistake may lose when it is sold back. */
  UNWIND_MAX_LOSS_CENTS: z.coerce.number().int().min(0).max(99).default(10),
};

type ExchangeVariables = {
  [Name in keyof typeof exchangeEnvironment]?: z.infer<(typeof exchangeEnvironment)[Name]>;
};

/** How long an order message can reach the exchange, and when it is proven that it did not. */
export type ExchangeTiming = {
  /** The exchange takes a signature until it is this old. */
  toleranceMs: number;
  /** Absence is proven by a reading this much newer than the signature. */
  absenceMs: number;
};

/** An absence that is proven while the message can still be taken is none. */
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
