import { BaseError, type Hex, HttpRequestError, TimeoutError } from 'viem';
import type { Chain } from '#server/chain/client.ts';

/**
 * What a node made of a transaction. Only a receipt says that it was mined; this says what to do
 * until there is one.
 */
export type BroadcastResult =
  /** It waits with the node, now or already before. */
  | 'taken'
  /** It offers too little to be mined, or to replace what waits with the node. */
  | 'underpriced'
  /** The key cannot pay for it. */
  | 'unfunded'
  /** A transaction with this nonce, perhaps this one, has been mined. */
  | 'nonce_used'
  | 'refused'
  /** Nothing is known. */
  | 'no_response';

/** Nodes agree on no codes; these are the words of those in use (geth, op-geth, reth, anvil). */
const WORDS: [RegExp, BroadcastResult][] = [
  [/already known|already imported|known transaction|already in (the )?(mem)?pool/i, 'taken'],
  [/insufficient funds/i, 'unfunded'],
  [/nonce (is )?too low|nonce.*(already|has been) used/i, 'nonce_used'],
  [
    /underpriced|fee ?cap|less than block base fee|fee too low|lower than the block/i,
    'underpriced',
  ],
];

/** Sends signed bytes to the node. Sending the same bytes again does no harm. */
export async function broadcast(
  chain: Chain,
  raw: Hex,
): Promise<{ response: BroadcastResult; error?: unknown }> {
  try {
    await chain.client.sendRawTransaction({ serializedTransaction: raw });
    return { response: 'taken' };
  } catch (error) {
    return { response: readRefusal(error), error };
  }
}

export function readRefusal(error: unknown): BroadcastResult {
  if (!(error instanceof BaseError)) return 'no_response';
  const unheard = error.walk(
    (cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError,
  );
  if (unheard) return 'no_response';
  const text = `${error.message}\n${error.details}`;
  return WORDS.find(([words]) => words.test(text))?.[1] ?? 'refused';
}

/** Wei per gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

/** What blocks cost now. */
export type FeeMarket = { nextBaseFeePerGas: bigint; priorityFeePerGas: bigint };

/** Nodes take another version of a transaction only for so much more, in both of its fees. */
const RAISE_PER_THOUSAND = 1_125n;

/** Asks what the next block costs, and what is paid on top of it. */
export async function readFeeMarket(chain: Chain): Promise<FeeMarket> {
  const [history, priorityFeePerGas] = await Promise.all([
    chain.client.getFeeHistory({ blockCount: 1, rewardPercentiles: [] }),
    chain.client.estimateMaxPriorityFeePerGas(),
  ]);
  return { nextBaseFeePerGas: history.baseFeePerGas.at(-1) ?? 0n, priorityFeePerGas };
}

/**
 * What to offer for a new transaction: enough for the base fee to double. Undefined when even the
 * next block costs more than `capPerGas`.
 */
export function feesToOffer(market: FeeMarket, capPerGas: bigint): Fees | undefined {
  const { nextBaseFeePerGas, priorityFeePerGas } = market;
  if (nextBaseFeePerGas + priorityFeePerGas > capPerGas) return undefined;
  const wanted = nextBaseFeePerGas * 2n + priorityFeePerGas;
  return {
    maxFeePerGas: wanted < capPerGas ? wanted : capPerGas,
    maxPriorityFeePerGas: priorityFeePerGas,
  };
}

export type Raise = { kind: 'enough' } | { kind: 'capped' } | { kind: 'raise'; fees: Fees };

/** Whether a transaction offers too little for the next block, and what to offer instead. */
export function raiseFees(current: Fees, market: FeeMarket, capPerGas: bigint): Raise {
  const { nextBaseFeePerGas, priorityFeePerGas } = market;
  const { maxFeePerGas, maxPriorityFeePerGas } = current;
  const paysBase = maxFeePerGas >= nextBaseFeePerGas + maxPriorityFeePerGas;
  if (paysBase && maxPriorityFeePerGas >= priorityFeePerGas) return { kind: 'enough' };
  const least = { max: raised(maxFeePerGas), priority: raised(maxPriorityFeePerGas) };
  const priority = larger(least.priority, priorityFeePerGas);
  if (least.max > capPerGas || nextBaseFeePerGas + priority > capPerGas) return { kind: 'capped' };
  const wanted = larger(least.max, nextBaseFeePerGas * 2n + priority);
  return {
    kind: 'raise',
    fees: {
      maxFeePerGas: wanted < capPerGas ? wanted : capPerGas,
      maxPriorityFeePerGas: priority,
    },
  };
}

function raised(wei: bigint): bigint {
  return (wei * RAISE_PER_THOUSAND + 999n) / 1_000n;
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
