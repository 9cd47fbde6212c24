/**
 * What a comparison of books, exchange and chain can find. Kinds are stable: baselines, alerts and
 * the audit trail name them.
 */
export const DIFFERENCE_KINDS = {
  ledger_unbalanced: 'A ledger posting does not sum to zero.',
  vault_cash: 'The vault’s USDC differs from its orders, credits and earnings.',
  vault_earned: 'What the vault has earned differs from the books.',
  token_supply: 'Outcome tokens in existence differ from the books.',
  token_backing: 'More outcome tokens exist than contracts bought for them.',
  exchange_position: 'The position at the exchange differs from the fills in the books.',
  exchange_order: 'The exchange filled an order that is not filled in the books.',
  exchange_cash: 'The cash at the exchange differs from the books.',
  account_usdc: 'The USDC of an account differs from the books.',
  account_tokens: 'The outcome tokens of a holder differ from the books.',
  order_amounts: 'Chain, order and books have different amounts for one order.',
  order_fills: 'The fills of an order differ from its request or booking.',
  order_room: 'Vault capacity is reserved without need, or missing for an open order.',
  order_stuck: 'An order is open long after its expiry.',
  settlement_state: 'A market’s settlement state at the vault differs from the books.',
} as const;

export type DifferenceKind = keyof typeof DIFFERENCE_KINDS;

export type Difference = {
  kind: DifferenceKind;
  /** What differs: an account, a ticker, an asset, an intent. With `kind`, its identity. */
  subject: string;
  /** As the books have it, and as it was found; micros of USDC or contracts. */
  expectedMicros: bigint;
  actualMicros: bigint;
  /** Markets that take no new orders while this stands. */
  tickers: string[];
  /** Intents it concerns, as far as they can be told. */
  orderIds: string[];
  explanation: string;
};

/** A difference as it is stored: amounts as decimal strings of micros. */
export type StoredDifference = Omit<Difference, 'expectedMicros' | 'actualMicros'> & {
  expectedMicros: string;
  actualMicros: string;
};

export function toStored(difference: Difference): StoredDifference {
  return {
    ...difference,
    expectedMicros: difference.expectedMicros.toString(),
    actualMicros: difference.actualMicros.toString(),
  };
}

export function fromStored(stored: StoredDifference): Difference {
  return {
    ...stored,
    expectedMicros: BigInt(stored.expectedMicros),
    actualMicros: BigInt(stored.actualMicros),
  };
}

export function keyOf(difference: Pick<Difference, 'kind' | 'subject'>): string {
  return `${difference.kind}|${difference.subject}`;
}

/** By how much reality exceeds the books. */
export function excessMicros(difference: Difference): bigint {
  return difference.actualMicros - difference.expectedMicros;
}

/**
 * Which findings count: those that the look before has seen too, and just as large. Work in flight
 * moves on between two looks; money that is missing does not come back.
 */
export function persisting(
  now: readonly Difference[],
  before: readonly Difference[],
): Difference[] {
  const known = new Map(before.map((difference) => [keyOf(difference), excessMicros(difference)]));
  return now.filter((difference) => known.get(keyOf(difference)) === excessMicros(difference));
}
