/**
 * Kinds of differences between ledger, exchange and chain. Kinds are stable: baselines, alerts and
 * the audit trail refer to them.
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

type DifferenceKind = keyof typeof DIFFERENCE_KINDS;

export type Difference = {
  kind: DifferenceKind;
  /** An account, a ticker, an asset or an order. With `kind`, it identifies the difference. */
  subject: string;
  /** The ledger's amount and the one found; micros of USDC or contracts. */
  expectedMicros: bigint;
  actualMicros: bigint;
  /** Markets that accept no new orders while the difference exists. */
  tickers: string[];
  orderIds: string[];
  explanation: string;
};

type NewDifference = Omit<Difference, 'tickers' | 'orderIds'> &
  Partial<Pick<Difference, 'tickers' | 'orderIds'>>;

/** A difference of no market and no order, unless they are given. */
export function differenceOf(found: NewDifference): Difference {
  return { tickers: [], orderIds: [], ...found };
}

export function differing(compared: readonly NewDifference[]): Difference[] {
  return compared
    .filter((one) => one.expectedMicros !== one.actualMicros)
    .map((one) => differenceOf(one));
}

/** A difference in its stored form: amounts as decimal strings of micros. */
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

/** One line for logs, alerts and reports; amounts in micros. */
export function describe(difference: Difference): string {
  const { kind, subject, expectedMicros, actualMicros, explanation, orderIds } = difference;
  const orders = orderIds.length > 0 ? ` (orders ${orderIds.join(', ')})` : '';
  return (
    `${kind} ${subject}: expected ${expectedMicros}, found ${actualMicros}, ` +
    `${excessMicros(difference)} off; ${explanation}${orders}`
  );
}

export function keyOf(difference: { kind: string; subject: string }): string {
  return `${difference.kind}|${difference.subject}`;
}

/** The amount found less the ledger's. */
export function excessMicros(difference: Difference): bigint {
  return difference.actualMicros - difference.expectedMicros;
}

/**
 * The findings that count: those that the previous reading also found, with the same amount. Work
 * in flight changes between two readings; missing money does not return.
 */
export function persisting(
  now: readonly Difference[],
  before: readonly Difference[],
): Difference[] {
  const known = new Map(before.map((difference) => [keyOf(difference), excessMicros(difference)]));
  return now.filter((difference) => known.get(keyOf(difference)) === excessMicros(difference));
}
