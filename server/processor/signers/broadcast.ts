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
  | 'no_answer';

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
): Promise<{ answer: BroadcastResult; error?: unknown }> {
  try {
    await chain.client.sendRawTransaction({ serializedTransaction: raw });
    return { answer: 'taken' };
  } catch (error) {
    return { answer: readRefusal(error), error };
  }
}

export function readRefusal(error: unknown): BroadcastResult {
  if (!(error instanceof BaseError)) return 'no_answer';
  const unheard = error.walk(
    (cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError,
  );
  if (unheard) return 'no_answer';
  const text = `${error.message}\n${error.details}`;
  return WORDS.find(([words]) => words.test(text))?.[1] ?? 'refused';
}
