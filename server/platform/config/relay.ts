import { z } from 'zod';
import { parseMicros } from '#lib/money.ts';

const dollars = z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a number of dollars');

/** Network fees that the service pays for messages that owners have signed. */
export const relayEnvironment = {
  /** The most that all accounts together cost in an hour. Without it nothing is relayed. */
  RELAY_USD_PER_HOUR: dollars.optional(),
  /** The most that one account costs in a day, and how many messages it sends. */
  RELAY_USD_PER_ACCOUNT: dollars.default('0.50'),
  RELAY_MESSAGES_PER_ACCOUNT: z.coerce.number().int().min(1).max(10_000).default(20),
  /** The price of ether at which fees count: an upper estimate. */
  RELAY_ETHER_USD: dollars.default('5000'),
};

type Environment = z.infer<z.ZodObject<typeof relayEnvironment>>;

/** Undefined where the service relays nothing. */
export function readRelay(env: Environment) {
  if (env.RELAY_USD_PER_HOUR === undefined) return undefined;
  return {
    messagesPerAccountDay: env.RELAY_MESSAGES_PER_ACCOUNT,
    usdMicrosPerAccountDay: parseMicros(env.RELAY_USD_PER_ACCOUNT),
    usdMicrosPerHour: parseMicros(env.RELAY_USD_PER_HOUR),
    etherUsdMicros: parseMicros(env.RELAY_ETHER_USD),
  };
}
