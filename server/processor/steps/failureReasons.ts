import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';

/** The transaction succeeded, but its logs do not show the operation's effect. */
export const NOT_IN_RECEIPT = 'not_in_receipt';

/**
 * Maps the contracts' errors to published codes. An operation's `failure` is the name of the
 * Solidity error, decoded from the receipt's logs or a replay of the call.
 */
const REQUEST_FAILURES: Record<string, TerminationReason> = {
  ERC20InsufficientBalance: 'insufficient_funds',
  InsufficientBalance: 'insufficient_funds',
  ERC1155InsufficientBalance: 'insufficient_funds',
  OnlyOperator: 'grant_required',
  GrantExpired: 'grant_expired',
  OrderNotSigned: 'order_not_signed',
  // Its account had it end before it opened.
  EndAlreadyRequested: 'cancelled',
  OverOrderCap: 'grant_exceeded',
  OverDayCap: 'grant_exceeded',
  OverWithdrawCap: 'grant_exceeded',
  DestinationNotAllowed: 'grant_exceeded',
  BadExpiry: 'expired',
  MarketSettled: 'market_closed',
  VaultPaused: 'contracts_paused',
  SignatureExpired: 'signature_expired',
  InvalidSignature: 'signature_refused',
  transaction_reverted: 'request_reverted',
};

export function requestFailureReason(failure: string | null): TerminationReason {
  return REQUEST_FAILURES[failure ?? ''] ?? 'request_rejected';
}

export function redemptionFailureReason(failure: string | null): TerminationReason {
  const reason = REQUEST_FAILURES[failure ?? ''];
  return reason === 'insufficient_funds' ? reason : 'redemption_refused';
}

const OF_WITHDRAWALS: ReadonlySet<TerminationReason | undefined> = new Set([
  'insufficient_funds',
  'grant_expired',
  'signature_expired',
  'signature_refused',
]);

export function withdrawalFailureReason(failure: string | null): TerminationReason {
  const reason = REQUEST_FAILURES[failure ?? ''];
  if (reason !== undefined && OF_WITHDRAWALS.has(reason)) return reason;
  if (reason === undefined || reason === 'request_reverted') return 'withdrawal_reverted';
  return 'withdrawal_not_allowed';
}
