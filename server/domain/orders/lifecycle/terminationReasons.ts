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
  order_not_signed:
    'The session key of the trading permission has not signed the order. No funds moved.',
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
  crosses_open_order:
    'The order would have matched another order on Crossbook. Your funds were returned.',
  post_only_would_cross:
    'The post-only order would have matched on arrival. Your funds were returned.',
  not_filled_whole: 'The book did not offer the whole quantity. Your funds were returned.',
  price_not_allowed:
    'The price is no longer on the market’s grid of ticks. Your funds were returned.',
  expired_unfilled:
    'The order left the book at its end time without a fill. Your funds were returned.',
  market_ended: 'The market closed before the order was filled. Your funds were returned.',
  exchange_halted: 'The exchange halted the market and ended the order. Your funds were returned.',
  exchange_ended: 'The exchange ended the order before a fill. Your funds were returned.',
  trading_halted: 'Trading was paused while the order rested. Your funds were returned.',
  vault_paused: 'The contracts were paused while the order rested. Your funds were returned.',
  permission_revoked:
    'The trading permission was revoked while the order rested. Your funds were returned.',
  nothing_to_reduce:
    'The account holds fewer contracts than the reduce-only order would trade. Your funds were returned.',
  fee_raised:
    'The exchange raised its fee beyond what the order locked for it. Your funds were returned.',
  ended_on_chain: 'The owner ended the order on chain. Your funds were returned.',
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
