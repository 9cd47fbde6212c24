/**
 * The kinds of alerts with their public text. Kinds are added, never renamed. Amounts, accounts and
 * causes belong in an alert's `internalDetail`.
 */
export const ALERT_KINDS = {
  exchange_unfunded: 'Insufficient cash in our exchange account; orders wait or are refunded.',
  exchange_transfer_delayed: 'A transfer between parts of our exchange account is delayed.',
  exchange_allocation: 'The exchange moves cash between parts of our account, as we do.',
  exchange_account: 'The exchange rejects our account; orders are refunded.',
  exchange_region_expiring: 'The location attestation of our exchange account expires soon.',
  exchange_region_expired:
    'The exchange refuses our orders in a category until our location is attested again.',
  key_service_failing: 'The key service is not signing; transactions are delayed.',
  operator_unfunded: 'A transaction key is low on gas.',
  key_refused: 'A transaction key has lost its contract role.',
  key_used_elsewhere: 'A transaction key has sent unknown transactions.',
  p256_check_missing:
    'The chain does not check signatures of devices and passkeys itself; orders that a device signs are refused.',
  transaction_stuck: 'A transaction has been pending for too long.',
  settlement_unfunded: 'A market’s settlement is not funded yet; redemptions are delayed.',
  settlement_held: 'A market’s settlement was vetoed or disputed and is under review.',
  settlement_unasked: 'A settlement was proposed for a market that the exchange has not resolved.',
  settlement_unreadable:
    'The exchange settled a market without a readable payout; it pays out after a review.',
  settlement_delayed: 'A market’s settlement is delayed.',
  delivery_failing: 'Delivery of a filled order failed and is being retried.',
  order_unwinding:
    'An order was filled after it ended; the position is being closed. No account is affected.',
  order_stuck: 'An order is delayed.',
  step_failing: 'A step of an order keeps failing and is being retried.',
  reconciliation_failing: 'Reconciliation with exchange and chain could not run.',
  reconciliation_difference: 'Reconciliation found a difference between books, exchange and chain.',
  database_unprotected: 'A loss of the database server could lose the latest orders.',
  database_restored: 'The database was restored from a backup; later orders are being recovered.',
} as const;

export type AlertKind = keyof typeof ALERT_KINDS;
