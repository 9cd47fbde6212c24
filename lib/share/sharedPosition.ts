import { divide, formatMicros, MICROS, tryParseMicros } from '#lib/money.ts';

/**
 * What a trader shows of a position or a trade. It is all that the link carries: no account, no
 * order, nothing that leads to either.
 */
export type SharedPosition = {
  side: 'yes' | 'no';
  kind: 'held' | 'sold';
  /** Dollars per contract paid, or received for a sale; the profit follows from it. */
  priceMicros?: bigint | undefined;
  contractMicros?: bigint | undefined;
};

const MOST_CONTRACTS_MICROS = 1_000_000_000n * MICROS;
/** The price is rounded, so that it does not identify the order. */
const PRICE_STEP_MICROS = 1_000n;

export function sharedPositionPath(ticker: string, shared: SharedPosition): string {
  return `/share/${encodeURIComponent(ticker)}?${sharedPositionQuery(shared)}`;
}

export function sharedPicturePath(ticker: string, shared: SharedPosition): string {
  return `/share/${encodeURIComponent(ticker)}/picture?${sharedPositionQuery(shared)}`;
}

function sharedPositionQuery(shared: SharedPosition): string {
  const { side, kind, priceMicros, contractMicros } = shared;
  return new URLSearchParams({
    side,
    ...(kind === 'sold' && { kind }),
    ...(priceMicros !== undefined && { price: formatMicros(roundPrice(priceMicros)) }),
    ...(contractMicros !== undefined && { contracts: formatMicros(contractMicros) }),
  }).toString();
}

/** Reads a link; figures that no trade can have are left out. */
export function parseSharedPosition(read: (name: string) => string | undefined): SharedPosition {
  return {
    side: read('side') === 'no' ? 'no' : 'yes',
    kind: read('kind') === 'sold' ? 'sold' : 'held',
    priceMicros: within(read('price'), MICROS),
    contractMicros: within(read('contracts'), MOST_CONTRACTS_MICROS),
  };
}

function within(text: string | undefined, mostMicros: bigint): bigint | undefined {
  const micros = tryParseMicros(text ?? '');
  return micros !== undefined && micros > 0n && micros <= mostMicros ? micros : undefined;
}

function roundPrice(micros: bigint): bigint {
  const rounded = divide(micros, PRICE_STEP_MICROS, 'nearest') * PRICE_STEP_MICROS;
  return rounded === 0n ? micros : rounded;
}
