import type { BroadcastResult } from './sendTransaction.ts';

/**
 * The life of a transaction, from signature to receipt. One key has one transaction in flight; its
 * bytes are stored before they are sent, so every arrow can be walked twice.
 *
 * ```
 * signed ──broadcast──► in the pool ──mined──► in a block ──confirmations──► confirmed
 *    ▲                      │                      │
 *    │                      │ underpriced          │ a fork drops the block
 *    │                      ▼                      ▼
 *    ├── replaced: same call, same nonce, higher fees
 *    └── predecessor missing: a confirmed transaction before it vanished and is sent again
 *
 * nonce taken by a foreign transaction ──► superseded: the chain shows what was done, the rest of
 * its operations go into a new transaction
 * ```
 *
 * Stored states: `signed`, `confirmed`, `superseded`, and `lost` for one that a fork dropped after
 * its confirmation, which is tracked again.
 */
export type UnminedFacts = {
  nonce: bigint;
  /** The key's next nonce in the newest block. */
  nextNonce: bigint;
  /** How long confirmed blocks have shown the nonce as used; undefined if they do not. */
  nonceTakenForMs: number | undefined;
  broadcastResult: BroadcastResult;
  /** Since the first and the newest version were signed. */
  firstAgeMs: number;
  newestAgeMs: number;
  /** False for a transaction that a fork dropped after its confirmation. */
  isFirstConfirmation: boolean;
};

export type DelayCause = 'nonce_taken' | 'predecessor_missing' | 'underpriced' | 'stuck';

/** A version that has waited this long may offer too little. */
const REPLACE_AFTER_MS = 4_000;
/** Nodes lag: a used nonce counts once it was seen this long without a receipt of ours. */
const NONCE_PROOF_MS = 4_000;
const STUCK_AFTER_MS = 60_000;

/** Why a transaction may not be mined yet, in the order in which to act on the causes. */
export function causesOfDelay(facts: UnminedFacts): DelayCause[] {
  const { nonceTakenForMs, newestAgeMs, firstAgeMs } = facts;
  if (nonceTakenForMs !== undefined && nonceTakenForMs >= NONCE_PROOF_MS) return ['nonce_taken'];
  const causes: DelayCause[] = [];
  if (facts.nextNonce < facts.nonce) causes.push('predecessor_missing');
  if (facts.broadcastResult === 'underpriced' || newestAgeMs > REPLACE_AFTER_MS) {
    causes.push('underpriced');
  }
  if (firstAgeMs > STUCK_AFTER_MS && facts.isFirstConfirmation) causes.push('stuck');
  return causes;
}
