import { BaseError, type Hex, HttpRequestError, TimeoutError } from 'viem';
import { maxMicros as max, minMicros as min } from '#lib/money.ts';
import type { Chain } from '#server/chain/client.ts';

/**
 * A node's response to a transaction. Only a receipt proves that it was mined; this decides what to
 * do until then.
 */
export type BroadcastResult =
  /** It is in the node's pool. */
  | 'taken'
  /** Its fees are too low to be mined, or to replace the pooled version. */
  | 'underpriced'
  /** The key cannot pay for it. */
  | 'unfunded'
  /** A transaction with this nonce, perhaps this one, has been mined. */
  | 'nonce_used'
  | 'refused'
  /** The outcome is unknown. */
  | 'no_response';

/** Nodes share no error codes; these are the messages of geth, op-geth, reth and anvil. */
const WORDS: [RegExp, BroadcastResult][] = [
  [/already known|already imported|known transaction|already in (the )?(mem)?pool/i, 'taken'],
  [/insufficient funds/i, 'unfunded'],
  [/nonce (is )?too low|nonce.*(already|has been) used/i, 'nonce_used'],
  [
    /underpriced|fee ?cap|less than block base fee|fee too low|lower than the block/i,
    'underpriced',
  ],
];

/** Sends signed bytes to the node. Repeating this is harmless. */
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

function readRefusal(error: unknown): BroadcastResult {
  if (!(error instanceof BaseError)) return 'no_response';
  const isUnanswered = (cause: unknown) =>
    cause instanceof HttpRequestError || cause instanceof TimeoutError;
  if (error.walk(isUnanswered)) return 'no_response';
  const text = `${error.message}\n${error.details}`;
  return WORDS.find(([words]) => words.test(text))?.[1] ?? 'refused';
}

/** Wei per gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

type FeeMarket = { nextBaseFeePerGas: bigint; priorityFeePerGas: bigint };

/** Nodes accept another version of a transaction only when both fees rise by this much. */
const RAISE_PER_THOUSAND = 1_125n;

export async function readFeeMarket(chain: Chain): Promise<FeeMarket> {
  const [history, priorityFeePerGas] = await Promise.all([
    chain.client.getFeeHistory({ blockCount: 1, rewardPercentiles: [] }),
    chain.client.estimateMaxPriorityFeePerGas(),
  ]);
  return { nextBaseFeePerGas: history.baseFeePerGas.at(-1) ?? 0n, priorityFeePerGas };
}

/**
 * The fees of a new transaction: enough for the base fee to double. Undefined when even the next
 * block costs more than `capPerGas`.
 */
export function feesToOffer(market: FeeMarket, capPerGas: bigint): Fees | undefined {
  const { nextBaseFeePerGas, priorityFeePerGas } = market;
  if (nextBaseFeePerGas + priorityFeePerGas > capPerGas) return undefined;
  const wanted = nextBaseFeePerGas * 2n + priorityFeePerGas;
  return { maxFeePerGas: min(wanted, capPerGas), maxPriorityFeePerGas: priorityFeePerGas };
}

export type Raise = { kind: 'enough' } | { kind: 'capped' } | { kind: 'raise'; fees: Fees };

/** Whether a transaction offers too little for the next block, and the fees to offer instead. */
export function raiseFees(current: Fees, market: FeeMarket, capPerGas: bigint): Raise {
  const { nextBaseFeePerGas, priorityFeePerGas } = market;
  const { maxFeePerGas, maxPriorityFeePerGas } = current;
  const paysBase = maxFeePerGas >= nextBaseFeePerGas + maxPriorityFeePerGas;
  if (paysBase && maxPriorityFeePerGas >= priorityFeePerGas) return { kind: 'enough' };
  const least = raised(maxFeePerGas);
  const priority = max(raised(maxPriorityFeePerGas), priorityFeePerGas);
  if (least > capPerGas || nextBaseFeePerGas + priority > capPerGas) return { kind: 'capped' };
  const wanted = max(least, nextBaseFeePerGas * 2n + priority);
  const fees = { maxFeePerGas: min(wanted, capPerGas), maxPriorityFeePerGas: priority };
  return { kind: 'raise', fees };
}

function raised(wei: bigint): bigint {
  return (wei * RAISE_PER_THOUSAND + 999n) / 1_000n;
}
