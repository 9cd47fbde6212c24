import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  json,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { at, int8, micros } from './columns.ts';

export type OrderKind = 'api' | 'calldata' | 'withdrawal';
export type OrderStatus = 'pending' | 'validated' | 'executing' | 'completed' | 'failed';
export type OrderType = 'market' | 'limit';
export type TimeInForce = 'GTC' | 'GTD' | 'IOC' | 'FOK';
export type OrderStage =
  | 'request'
  | 'trigger'
  | 'place'
  | 'rest'
  | 'deliver'
  | 'refund'
  | 'withdraw'
  | 'redeem'
  | 'unwind'
  | 'done';

/**
 * Orders of every kind: placed for the user, sent to the chain by the user, and withdrawals. The
 * row holds the order's whole state and is the queue.
 */
export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey(),
    /** Smart account whose funds move (checksummed address). */
    accountId: text('account_id').notNull(),
    /** The wallet that owns the account; it may see and cancel the order. */
    ownerAddress: text('owner_address').notNull(),
    /** The address the request named: the owner or the account itself. */
    userAddress: text('user_address').notNull(),
    apiKeyId: text('api_key_id').notNull(),
    clientId: text('client_id').notNull(),
    /** SHA-256 of the canonical request, to tell a replay from a conflict. */
    requestHash: text('request_hash').notNull(),
    kind: text('kind').$type<OrderKind>().notNull(),
    /** The published `action` object, byte for byte, in its own order of fields. */
    action: json('action').notNull(),

    status: text('status').$type<OrderStatus>().notNull(),
    /** The step that is due (docs/ARCHITECTURE.md). */
    stage: text('stage').$type<OrderStage>().notNull(),
    /** Why it failed; otherwise null. */
    terminationReason: text('termination_reason'),
    /** Why the funds are being returned, while they are. */
    endingReason: text('ending_reason'),
    cancelRequestedAt: at('cancel_requested_at'),

    /** Trades only: market, side and the fields of the on-chain order. */
    ticker: text('ticker'),
    side: text('side').$type<'yes' | 'no'>(),
    tradeAction: text('trade_action').$type<'buy' | 'sell'>(),
    contractMicros: micros('contract_micros'),
    quoteLimitUsdcMicros: micros('quote_limit_usdc_micros'),
    receiverAddress: text('receiver_address'),
    expiresAt: at('expires_at'),
    clientRef: text('client_ref'),
    chainOrderId: text('chain_order_id'),
    /** The session key's signature of the on-chain order; null where the permission names no key. */
    orderSignature: text('order_signature'),
    /** A sale of a settled market's tokens: paid by the vault, without the exchange. */
    isRedemption: boolean('is_redemption').notNull().default(false),

    /** Limit orders only. GTC and GTD rest at the exchange; IOC and FOK go as market orders do. */
    orderType: text('order_type').$type<OrderType>().notNull().default('market'),
    /** The price limit per contract before fees, as last accepted by the exchange. */
    limitPriceMicros: micros('limit_price_micros'),
    timeInForce: text('time_in_force').$type<TimeInForce>(),
    isPostOnly: boolean('is_post_only').notNull().default(false),
    isReduceOnly: boolean('is_reduce_only').notNull().default(false),
    /** When the exchange removes it, or it stops waiting; the vault's expiry is later. */
    restsUntil: at('rests_until'),
    restingSince: at('resting_since'),
    /** The size at the exchange, filled contracts included: at most `contract_micros`. */
    restingContractMicros: micros('resting_contract_micros'),
    /** Contracts ahead of it at its price, as of the last sweep. */
    queueContractMicros: micros('queue_contract_micros'),
    /** What the vault has logged as delivered, fee within it included. */
    deliveredContractMicros: micros('delivered_contract_micros'),
    deliveredQuoteUsdcMicros: micros('delivered_quote_usdc_micros'),
    deliveredFeeUsdcMicros: micros('delivered_fee_usdc_micros'),
    /** When fills that are not delivered yet are delivered at the latest. */
    deliversAt: at('delivers_at'),
    /** A change that its owner asked for, and when it was stored to be sent. */
    amendPriceMicros: micros('amend_price_micros'),
    amendContractMicros: micros('amend_contract_micros'),
    amendStoredAt: at('amend_stored_at'),
    /** The order that takes its place, for a change beyond what the vault has locked. */
    replacedBy: uuid('replaced_by'),
    /** When its price was last found not to cross an order of ours; kept apart from then on. */
    priceClaimedAt: at('price_claimed_at'),

    /** Stop orders only: the price that releases the order, and when and at which one it did. */
    triggerPriceMicros: micros('trigger_price_micros'),
    triggerDirection: text('trigger_direction').$type<'above' | 'below'>(),
    triggerSource: text('trigger_source').$type<'bid' | 'ask' | 'last'>(),
    triggeredAt: at('triggered_at'),
    triggerSeenMicros: micros('trigger_seen_micros'),

    /** Withdrawals only. */
    withdrawToken: text('withdraw_token'),
    withdrawTokenId: text('withdraw_token_id'),
    withdrawMicros: micros('withdraw_micros'),
    destinationAddress: text('destination_address'),
    /** The owner's signature of this withdrawal, valid until `expiresAt`; null without one. */
    withdrawSignature: text('withdraw_signature'),

    /** The result. Charged and paid amounts include the fee. */
    filledContractMicros: micros('filled_contract_micros'),
    quoteUsdcMicros: micros('quote_usdc_micros'),
    feeUsdcMicros: micros('fee_usdc_micros'),
    returnedUsdcMicros: micros('returned_usdc_micros'),
    returnedContractMicros: micros('returned_contract_micros'),
    transactionHash: text('transaction_hash'),

    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
    balanceValidatedAt: at('balance_validated_at'),
    txnFilledAt: at('txn_filled_at'),
    completedAt: at('completed_at'),
    isComplete: boolean('is_complete').notNull().default(false),
    /**
     * Ended for its owner, while the service sells back contracts that it still holds for the
     * order.
     */
    isUnwinding: boolean('is_unwinding').notNull().default(false),

    /** When it last waited for room at the vault, and when room was reserved. */
    roomRequestedAt: at('room_requested_at'),
    roomReservedAt: at('room_reserved_at'),

    /** The lease of the process that works on it, and when it is due next. Database time only. */
    leaseToken: uuid('lease_token'),
    leaseUntil: at('lease_until'),
    nextRunAt: at('next_run_at').notNull(),
    failures: integer('failures').notNull().default(0),

    /** The trace of the request that created it (W3C traceparent); null without one. */
    traceparent: text('traceparent'),

    /**
     * Requested without a token of its owner: until the vault logs its request it belongs to the
     * key and the client id alone (server/platform/database/schema/unclaimedOrder.ts).
     */
    withoutToken: boolean('without_token').notNull().default(false),
    /**
     * Requested with neither a token nor a secret key. The client ids of such orders are separate,
     * so that a visitor cannot take one from an owner who signs in on the same page.
     */
    anonymous: boolean('anonymous').notNull().default(false),
  },
  (table) => [
    uniqueIndex('orders_client_id_of_owner').on(
      table.apiKeyId,
      table.clientId,
      table.ownerAddress,
      table.anonymous,
    ),
    uniqueIndex('orders_chain_order_id').on(table.chainOrderId),
    index('orders_by_account').on(table.accountId, table.createdAt.desc(), table.id.desc()),
    index('orders_by_key').on(table.apiKeyId, table.createdAt.desc(), table.id.desc()),
    index('orders_by_owner').on(table.ownerAddress, table.createdAt.desc(), table.id.desc()),
    index('orders_by_market').on(table.ticker),
    // No column that changes with every step: each step would write all of these indexes.
    index('orders_received').on(table.receiverAddress).where(sql`trade_action = 'buy'`),
    index('orders_due').on(table.nextRunAt).where(sql`not is_complete`),
    index('orders_unwinding').on(table.nextRunAt).where(sql`is_unwinding`),
    index('orders_open_by_market').on(table.ticker).where(sql`not is_complete`),
    index('orders_resting')
      .on(table.ticker)
      .where(sql`price_claimed_at is not null and not is_complete`),
    index('orders_waiting').on(table.ticker).where(sql`stage = 'trigger'`),
    check(
      'orders_amounts_not_negative',
      sql`
      coalesce(contract_micros, 0) >= 0 and coalesce(quote_limit_usdc_micros, 0) >= 0 and
      coalesce(filled_contract_micros, 0) >= 0 and coalesce(quote_usdc_micros, 0) >= 0 and
      coalesce(fee_usdc_micros, 0) >= 0 and coalesce(returned_usdc_micros, 0) >= 0 and
      coalesce(returned_contract_micros, 0) >= 0`,
    ),
    check(
      'orders_end_has_reason',
      sql`
      is_complete = (status in ('completed', 'failed')) and
      (status = 'failed') = (termination_reason is not null)`,
    ),
  ],
);

/** An order's history, which the API, the pages and the stream show. */
export const orderEvents = pgTable(
  'order_events',
  {
    sequence: int8('sequence').generatedAlwaysAsIdentity().primaryKey(),
    accountId: text('account_id').notNull(),
    orderId: uuid('order_id').notNull(),
    type: text('type').notNull(),
    status: text('status').notNull(),
    detail: text('detail'),
    transactionHash: text('transaction_hash'),
    /** Of one delivery of an order that is delivered in parts. */
    contractMicros: micros('contract_micros'),
    quoteUsdcMicros: micros('quote_usdc_micros'),
    feeUsdcMicros: micros('fee_usdc_micros'),
    at: at('at').notNull(),
  },
  (table) => [index('order_events_by_order').on(table.orderId, table.sequence)],
);

/**
 * Changes of an order beyond what the vault has locked for it: it ends, and another takes its
 * place.
 */
export const orderReplacements = pgTable(
  'order_replacements',
  {
    /** The order that ends. */
    orderId: uuid('order_id').primaryKey(),
    limitPriceMicros: micros('limit_price_micros').notNull(),
    /** The whole size, contracts that the first order has filled included. */
    contractMicros: micros('contract_micros').notNull(),
    /** What a session key has signed: the order of this client id, prepared at this moment. */
    clientId: text('client_id'),
    preparedAt: at('prepared_at'),
    orderSignature: text('order_signature'),
    requestedAt: at('requested_at').notNull(),
    /** The lease of the processor that places it. Database time only. */
    leaseUntil: at('lease_until'),
    /** `replaced`, or why nothing took its place; null while that is open. */
    outcome: text('outcome'),
  },
  (table) => [index('order_replacements_open').on(table.requestedAt).where(sql`outcome is null`)],
);

/** Attempts to trade at the exchange, each stored before its message is sent. */
export const exchangeAttempts = pgTable(
  'exchange_attempts',
  {
    /** The client order id sent to the exchange; used once. */
    clientOrderId: text('client_order_id').primaryKey(),
    accountId: text('account_id').notNull(),
    orderId: uuid('order_id').notNull(),
    attempt: integer('attempt').notNull(),
    /** The part of the exchange that it is sent to, where its cash must be. */
    shard: integer('shard').notNull().default(0),
    /**
     * `order`: for its owner. `found`: the exchange filled it after the order had ended, so for the
     * house. `unwind`: trades that back.
     */
    purpose: text('purpose').$type<'order' | 'found' | 'unwind'>().notNull().default('order'),
    limitPriceMicros: micros('limit_price_micros').notNull(),
    contractMicros: micros('contract_micros').notNull(),
    /**
     * `refused`: refused for now, without effect; the client order id may be used again.
     * `resting`: accepted, and not known to have ended.
     */
    state: text('state')
      .$type<'stored' | 'unknown' | 'refused' | 'resting' | 'done' | 'no_fill'>()
      .notNull(),
    code: text('code'),
    exchangeOrderId: text('exchange_order_id'),
    filledContractMicros: micros('filled_contract_micros'),
    /** The time of its signature, stored before it is sent. */
    storedAt: at('stored_at').notNull(),
    respondedAt: at('responded_at'),
  },
  (table) => [
    unique('exchange_attempts_by_order').on(table.orderId, table.attempt),
    // For the latest ones only, and written with every order: a summary of pages is enough.
    index('exchange_attempts_by_time').using('brin', table.storedAt),
  ],
);

/** Fills as the exchange reports them, with the charged fee. */
export const exchangeFills = pgTable(
  'exchange_fills',
  {
    fillId: text('fill_id').primaryKey(),
    accountId: text('account_id').notNull(),
    orderId: uuid('order_id').notNull(),
    clientOrderId: text('client_order_id').notNull(),
    ticker: text('ticker').notNull(),
    side: text('side').$type<'yes' | 'no'>().notNull(),
    tradeAction: text('trade_action').$type<'buy' | 'sell'>().notNull(),
    contractMicros: micros('contract_micros').notNull(),
    priceMicros: micros('price_micros').notNull(),
    feeMicros: micros('fee_micros').notNull(),
    filledAt: at('filled_at').notNull(),
  },
  (table) => [
    index('exchange_fills_by_order').on(table.orderId),
    index('exchange_fills_by_outcome').on(table.ticker, table.side),
  ],
);
