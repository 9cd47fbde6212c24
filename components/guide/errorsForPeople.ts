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
  | 'price_alert_not_found'
  | 'delivery_not_found'
  | 'passkey_not_found'
  | 'session_key_not_found'
  | 'passkey_taken'
  | 'relay_not_found'
  | 'method_not_allowed'
  | 'upgrade_required'
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
  | 'insufficient_allowance'
  | 'request_timeout';

/** In the order in which users look for them. */
export const ERROR_TOPICS = {
  money: 'Money and permission',
  market: 'Market and order',
  access: 'Wallet and region',
  withdrawal: 'Withdrawal',
  service: 'Service',
} as const;

type ForPeople = { topic: keyof typeof ERROR_TOPICS; text: string };

/** What a user of the pages does about each code that they can meet. */
export const ERRORS_FOR_PEOPLE: Record<Exclude<ErrorCode, ForPrograms>, ForPeople> = {
  insufficient_funds: {
    topic: 'money',
    text: 'Your account holds less than the order may cost. Deposit USDC, or order less.',
  },
  merge_not_possible: {
    topic: 'market',
    text: 'The vault merges no pairs of this market now: it is paused, the market is settling, or its hourly cap is used up. Try fewer, or later; your contracts keep their value.',
  },
  grant_required: {
    topic: 'money',
    text: 'Crossbook has no valid permission from you. Sign one on the ticket or the account page.',
  },
  grant_exceeded: {
    topic: 'money',
    text: 'The order is above your permission’s limits; a sale counts $1.00 a contract. Order less, or sign higher limits.',
  },
  order_signature_required: {
    topic: 'money',
    text: 'The key of your permission must sign this order. If it is another device’s, add this one on the ticket.',
  },
  order_signature_invalid: {
    topic: 'money',
    text: 'This device’s key did not sign the order in time, or is not one of your permission. Try again, or add this device on the ticket.',
  },
  session_key_removed: {
    topic: 'money',
    text: 'This device was removed from your permission. Add it again on the ticket to trade here.',
  },
  grant_invalid: {
    topic: 'money',
    text: 'The signed permission does not match. Reload the page and sign again.',
  },
  market_not_open: {
    topic: 'market',
    text: 'The market has not opened, has closed or has resolved.',
  },
  market_suspended: {
    topic: 'market',
    text: 'New orders on this market are suspended. Open ones are completed or returned.',
  },
  trading_paused: {
    topic: 'market',
    text: 'Trading is paused everywhere. You can redeem and withdraw meanwhile.',
  },
  trading_limit_reached: {
    topic: 'money',
    text: 'A buying limit of your account or the market is reached. Selling still works.',
  },
  order_too_large: {
    topic: 'money',
    text: 'The contracts cap deliveries per hour. Place a smaller order.',
  },
  limit_not_allowed: {
    topic: 'market',
    text: 'At this price limit nothing is left after fees. Choose another limit.',
  },
  quantity_not_allowed: {
    topic: 'market',
    text: 'Contracts trade in steps of 0.01; an order that rests needs at least one.',
  },
  price_not_allowed: {
    topic: 'market',
    text: 'A limit price lies between $0 and $1, on one of the market’s ticks.',
  },
  crosses_open_order: {
    topic: 'market',
    text: 'Another Crossbook order rests at a price that would match yours. Choose another price.',
  },
  reduce_only_not_held: {
    topic: 'market',
    text: 'A reduce-only order trades at most what you hold.',
  },
  order_not_amendable: {
    topic: 'market',
    text: 'Only an order that rests can be amended, one change at a time.',
  },
  amend_exceeds_lock: {
    topic: 'market',
    text: 'The change needs more than the vault has locked. Cancel the order and place a new one.',
  },
  fee_unknown: {
    topic: 'market',
    text: 'The exchange uses a fee rule for this market that Crossbook does not support.',
  },
  region_not_served: {
    topic: 'access',
    text: 'You cannot buy from your region. You can sell, redeem and withdraw.',
  },
  account_blocked: {
    topic: 'access',
    text: 'An address of the request is on a sanctions or block list.',
  },
  terms_not_accepted: {
    topic: 'access',
    text: 'Accept the current terms on the Terms page, then order again.',
  },
  wrong_owner: {
    topic: 'access',
    text: 'You are signed in with another wallet than the account’s owner. Switch the wallet.',
  },
  token_missing: { topic: 'access', text: 'Sign in with your wallet first.' },
  token_invalid: {
    topic: 'access',
    text: 'Your session has expired. Sign in again; nothing is lost.',
  },
  sign_in_failed: {
    topic: 'access',
    text: 'The sign-in message was changed, used before or older than ten minutes. Try again.',
  },
  order_not_cancellable: {
    topic: 'market',
    text: 'Its funds are already moving, or it has ended. What is not filled returns.',
  },
  action_not_possible: {
    topic: 'market',
    text: 'This is not possible right now; the message says why. Nothing was changed.',
  },
  settlement_pending: {
    topic: 'market',
    text: 'The market has resolved and its payout opens shortly.',
  },
  address_not_allowed: {
    topic: 'withdrawal',
    text: 'The address belongs to Crossbook. Enter your own.',
  },
  withdrawal_signature_invalid: {
    topic: 'withdrawal',
    text: 'The signature does not match the withdrawal. Review it and sign again.',
  },
  deadline_not_allowed: {
    topic: 'withdrawal',
    text: 'The time to sign has run out. Review the withdrawal and sign again.',
  },
  name_not_found: {
    topic: 'withdrawal',
    text: 'The name has no address. Check its spelling, or use the address.',
  },
  names_not_served: {
    topic: 'withdrawal',
    text: 'This site does not look up names. Use the address.',
  },
  names_unavailable: {
    topic: 'withdrawal',
    text: 'The name service does not respond. Try again, or use the address.',
  },
  push_not_served: { topic: 'service', text: 'This site does not send notifications.' },
  limit_reached: {
    topic: 'service',
    text: 'You have as many of these as allowed. Delete one first.',
  },
  not_found: { topic: 'service', text: 'The page or record does not exist.' },
  market_not_found: { topic: 'market', text: 'The exchange has no market with this name.' },
  order_not_found: {
    topic: 'market',
    text: 'No order of your wallet has this number. Is the right wallet connected?',
  },
  relay_refused: {
    topic: 'money',
    text: 'Crossbook did not send what you signed; the message says why. Nothing moved. Sign again, or send it from your wallet.',
  },
  relay_limit_reached: {
    topic: 'money',
    text: 'Crossbook has paid your network fees for today. Your wallet can still send the transaction.',
  },
  account_not_found: { topic: 'access', text: 'There is no account for this address.' },
  rate_limited: { topic: 'service', text: 'Too many requests. Wait a minute.' },
  exchange_unavailable: {
    topic: 'service',
    text: 'The exchange does not respond. Nothing was ordered; try again shortly.',
  },
  chain_unavailable: { topic: 'service', text: 'The chain does not respond. Try again shortly.' },
  service_unavailable: {
    topic: 'service',
    text: 'Crossbook is temporarily unavailable. Try again shortly; an order is never placed twice.',
  },
  internal_error: {
    topic: 'service',
    text: 'Something failed on our side. Try again, or contact us with the request number.',
  },
};
