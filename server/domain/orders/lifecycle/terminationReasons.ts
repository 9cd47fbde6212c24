/**
 * Why an order ended unfilled or partially filled. Published as `terminationReason`; codes are
 * added, never renamed. The text is shown to users.
 */
export const TERMINATION_REASONS = {
  cancelled: 'Cancelled before any fill. Locked funds were returned.',
  not_submitted: 'The order expired before its transaction was sent.',
  expired: 'The order expired before it could be placed. Your funds were returned.',
  insufficient_funds: 'Insufficient balance. No funds moved.',
  grant_required: 'The account has no trading permission. No funds moved.',
  grant_expired: 'The trading permission has expired. No funds moved.',
  grant_exceeded: 'The order exceeds the limits of the trading permission. No funds moved.',
  request_rejected: 'The contracts refused to lock the funds. No funds moved.',
  request_reverted: 'The transaction to lock the funds failed. No funds moved.',
  contracts_paused: 'The contracts are paused. No funds moved.',
  market_closed: 'The market closed before the order was placed. Your funds were returned.',
  market_not_found: 'The exchange no longer lists this market. Your funds were returned.',
  market_paused: 'The market stayed paused until the order expired. Your funds were returned.',
  market_suspended:
    'The market was suspended before the order was placed. Your funds were returned.',
  trading_paused: 'Trading was paused before the order was placed. Your funds were returned.',
  limit_reached:
    'A trading limit was lowered before the order was placed. Your funds were returned.',
  no_delivery_room:
    'The contracts reached their hourly cap or were paused. Nothing was traded; your funds were returned.',
  payout_unfunded:
    'The vault had too little USDC to pay for the sale. Nothing was traded; your contracts were returned.',
  price_moved: 'No match at your price limit. Your funds were returned.',
  exchange_refused: 'The exchange rejected the order. Your funds were returned.',
  exchange_unfunded: 'Our exchange account had insufficient cash. Your funds were returned.',
  exchange_unavailable: 'The exchange did not accept the order in time. Your funds were returned.',
  service_interrupted:
    'The service was restored from a backup before this order started. No funds moved.',
  refunded_by_hand: 'The order could not be placed and was refunded by support.',
  settled_too_late:
    'The order was filled too late to deliver. All funds were returned and you were not charged.',
  refunded_on_chain: 'The order expired and was refunded on chain.',
  settlement_pending:
    'The market’s result was not final on chain in time. No funds moved. Redeem again later.',
  redemption_refused: 'The contracts refused the redemption. No funds moved.',
  withdrawal_not_allowed:
    'The trading permission does not cover this withdrawal; the owner must sign it. No funds moved.',
  signature_expired:
    'The signed deadline passed before the withdrawal was on chain. No funds moved.',
  signature_refused:
    'The account rejected the owner’s signature of this withdrawal. No funds moved.',
  withdrawal_reverted: 'The transfer failed on chain. No funds moved.',
} as const;

export type TerminationReason = keyof typeof TERMINATION_REASONS;
