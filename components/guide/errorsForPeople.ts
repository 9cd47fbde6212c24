import type { ErrorCode } from '#lib/api/errorCodes.ts';

/** Codes that only a program with its own requests can meet. */
type ForPrograms =
  | 'malformed_json'
  | 'malformed_http'
  | 'api_key_missing'
  | 'api_key_invalid'
  | 'operator_token_invalid'
  | 'forbidden'
  | 'origin_not_allowed'
  | 'ip_not_allowed'
  | 'key_not_found'
  | 'key_not_active'
  | 'webhook_not_found'
  | 'webhook_disabled'
  | 'subscription_not_found'
  | 'delivery_not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'headers_too_large'
  | 'target_not_allowed'
  | 'unsupported_token'
  | 'unsupported_chain'
  | 'receiver_not_allowed'
  | 'token_not_found'
  | 'invalid_request'
  | 'client_id_conflict'
  | 'request_timeout';

/** What a user of the pages does about each code that they can meet. */
export const ERRORS_FOR_PEOPLE: Record<Exclude<ErrorCode, ForPrograms>, string> = {
  insufficient_funds:
    'Your account holds less than the order may cost. Deposit USDC, or order less.',
  grant_required:
    'Crossbook has no valid permission from you. Sign one on the ticket or the account page.',
  grant_exceeded: 'The order is above your permission’s limits. Order less, or sign higher limits.',
  grant_invalid: 'The signed permission does not match. Reload the page and sign again.',
  market_not_open: 'The market has not opened, has closed or has resolved.',
  market_suspended: 'New orders on this market are suspended. Open ones are completed or returned.',
  trading_paused: 'Trading is paused everywhere. You can redeem and withdraw meanwhile.',
  trading_limit_reached:
    'A buying limit of your account or the market is reached. Selling still works.',
  order_too_large: 'The contracts cap deliveries per hour. Place a smaller order.',
  limit_not_allowed: 'At this price limit nothing is left after fees. Choose another limit.',
  quantity_not_allowed: 'Contracts trade in steps of 0.01.',
  fee_unknown: 'The exchange uses a fee rule for this market that Crossbook does not support.',
  region_not_served: 'You cannot buy from your region. You can sell, redeem and withdraw.',
  account_blocked: 'An address of the order is on a sanctions or block list.',
  terms_not_accepted: 'Accept the current terms on the Terms page, then order again.',
  wrong_owner: 'You are signed in with another wallet than the account’s owner. Switch the wallet.',
  token_missing: 'Sign in with your wallet first.',
  token_invalid: 'Your session has expired. Sign in again; nothing is lost.',
  sign_in_failed:
    'The sign-in message was changed, used before or older than ten minutes. Try again.',
  order_not_cancellable:
    'The order is already being filled or has ended. What is not filled returns.',
  action_not_possible: 'This is not possible right now; the message says why. Nothing was changed.',
  settlement_pending: 'The market has resolved and its payout opens shortly.',
  address_not_allowed: 'The address belongs to Crossbook. Enter your own.',
  withdrawal_signature_invalid:
    'The signature does not match the withdrawal. Review it and sign again.',
  deadline_not_allowed: 'The withdrawal was signed too late. Review it and sign again.',
  name_not_found: 'The name has no address. Check its spelling, or use the address.',
  names_not_served: 'This site does not look up names. Use the address.',
  names_unavailable: 'The name service does not respond. Try again, or use the address.',
  push_not_served: 'This site does not send notifications.',
  limit_reached: 'You have as many of these as allowed. Delete one first.',
  not_found: 'The page or record does not exist.',
  market_not_found: 'The exchange has no market with this name.',
  order_not_found: 'No order of your wallet has this number. Is the right wallet connected?',
  account_not_found: 'There is no account for this address.',
  rate_limited: 'Too many requests. Wait a minute.',
  exchange_unavailable: 'The exchange does not respond. Nothing was ordered; try again shortly.',
  chain_unavailable: 'The chain does not respond. Try again shortly.',
  service_unavailable:
    'Crossbook is temporarily unavailable. Try again shortly; an order is never placed twice.',
  internal_error: 'Something failed on our side. Try again, or contact us with the request number.',
};
