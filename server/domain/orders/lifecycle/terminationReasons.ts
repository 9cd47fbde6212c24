/**
 * Why an intent ended without (or with only part of) what was asked. Published as
 * `terminationReason`; codes are added, never renamed. The text is what a person reads.
 */
export const TERMINATION_REASONS = {
  cancelled: 'Cancelled before anything was traded. What had been locked was returned.',
  not_submitted: 'The transaction was not sent to the chain before the order expired.',
  expired: 'The order ran out of time before it could be placed. The funds were returned.',
  insufficient_funds: 'The account holds less than the order needs. Nothing was moved.',
  grant_required: 'The account has not permitted the service to trade. Nothing was moved.',
  grant_expired: 'The permission to trade has expired. Nothing was moved.',
  grant_exceeded: 'The order is beyond the limits of the permission to trade. Nothing was moved.',
  request_rejected: 'The contracts refused to lock the funds. Nothing was moved.',
  request_reverted: 'The transaction that locks the funds failed. Nothing was moved.',
  contracts_paused: 'The contracts take no orders at the moment. Nothing was moved.',
  market_closed: 'The market closed before the order was placed. The funds were returned.',
  market_not_found: 'The exchange no longer knows this market. The funds were returned.',
  market_paused: 'The market stayed paused until the order expired. The funds were returned.',
  market_suspended:
    'The market was suspended before the order was placed. The funds were returned.',
  trading_paused: 'Trading was paused before the order was placed. The funds were returned.',
  limit_reached:
    'A limit on trading was lowered before the order was placed. The funds were returned.',
  no_delivery_room:
    'The contracts could not take the order in time: their hourly cap was used up, or they were paused. Nothing was traded; the funds were returned.',
  payout_unfunded:
    'Too little USDC was set aside to pay for the sale. Nothing was traded; the contracts were returned.',
  price_moved: 'Nothing was offered within the price bound any more. The funds were returned.',
  exchange_refused: 'The exchange refused the order. The funds were returned.',
  exchange_unfunded:
    'Our account at the exchange had too little cash for the order. The funds were returned.',
  exchange_unavailable: 'The exchange could not take the order in time. The funds were returned.',
  service_interrupted:
    'The service was restored from a backup before this was begun. Nothing was moved.',
  refunded_by_hand: 'The order could not be placed and was refunded by an operator.',
  settled_too_late:
    'The order was filled too late to be delivered. All funds were returned and nothing was charged.',
  refunded_on_chain: 'The order expired and was refunded on chain.',
  settlement_pending:
    'The settlement of the market was not final on chain in time. Nothing was moved; redeem again later.',
  redemption_refused: 'The contracts refused the redemption. Nothing was moved.',
  withdrawal_not_allowed:
    'The permission does not cover this withdrawal; the owner must sign it. Nothing was moved.',
  signature_expired:
    'The deadline that the owner signed passed before the withdrawal was on chain. Nothing was moved.',
  signature_refused:
    'The account did not accept the owner’s signature of this withdrawal. Nothing was moved.',
  withdrawal_reverted: 'The transfer failed on chain. Nothing was moved.',
} as const;

export type TerminationReason = keyof typeof TERMINATION_REASONS;
