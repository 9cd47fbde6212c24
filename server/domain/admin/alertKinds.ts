/**
 * What can need attention, with what everybody may read about it. Kinds are added, never renamed.
 * Details that name amounts, accounts or causes belong in an alert's `internalDetail`.
 */
export const ALERT_KINDS = {
  exchange_unfunded: 'The account at the exchange has too little cash; orders are refunded.',
  exchange_account: 'The exchange refuses our account; orders are refunded.',
  key_service_failing: 'The service that holds our keys does not sign; transactions wait.',
  operator_unfunded: 'A key that sends transactions is short of gas.',
  key_refused: 'A key that sends transactions has lost its role at the contracts.',
  key_used_elsewhere: 'A key that sends transactions has sent some that are not ours.',
  transaction_stuck: 'A transaction has not been mined for too long.',
  settlement_unfunded: 'The settlement of a market is not funded yet; redemptions wait.',
  settlement_held:
    'The settlement of a market was vetoed, or proposed otherwise; it is being decided.',
  settlement_unasked: 'A settlement was proposed for a market that the exchange has not settled.',
  settlement_delayed: 'The settlement of a market takes longer than it should.',
  delivery_failing: 'The delivery of a filled order has failed and is being retried.',
  order_unwinding:
    'An order was filled after it had ended; the house trades it back. No account is affected.',
  order_stuck: 'An order takes longer than it should.',
  step_failing: 'A step of an order keeps failing and is retried.',
  reconciliation_failing: 'The books could not be compared with exchange and chain.',
  reconciliation_difference: 'Books, exchange and chain disagree.',
  database_restored: 'The database was restored; orders since the backup are being recovered.',
} as const;

export type AlertKind = keyof typeof ALERT_KINDS;
