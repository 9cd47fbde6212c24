import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  json,
  pgTable,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const micros = (name: string) => bigint(name, { mode: 'bigint' });

export type OrderKind = 'api' | 'calldata' | 'withdrawal';
export type OrderStatus = 'pending' | 'validated' | 'executing' | 'completed' | 'failed';
export type OrderStage =
  | 'request'
  | 'place'
  | 'deliver'
  | 'refund'
  | 'withdraw'
  | 'redeem'
  | 'unwind'
  | 'done';

/**
 * Intents of every kind: orders placed for the user, orders the user sends to the chain, and
 * withdrawals. The row is the truth about an intent's life; jobs only say that it wants attention.
 */
export const orders = pgTable(
  'orders',
  {
    id: uuid('id').primaryKey(),
    /** Smart account whose funds move (checksummed address). */
    accountId: text('account_id').notNull(),
    /** Who may see and cancel it: the wallet that owns the account. */
    ownerAddress: text('owner_address').notNull(),
    /** The address the request named: the owner or the account itself. */
    userAddress: text('user_address').notNull(),
    apiKeyId: text('api_key_id').notNull(),
    clientId: text('client_id').notNull(),
    /** SHA-256 of the canonical request, to tell a replay from a conflict. */
    requestHash: text('request_hash').notNull(),
    kind: text('kind').$type<OrderKind>().notNull(),
    /** The published `action` object, exactly as it is answered, in its own order of fields. */
    action: json('action').notNull(),

    status: text('status').$type<OrderStatus>().notNull(),
    /** The step that is due; see the order's life in docs/ARCHITECTURE.md. */
    stage: text('stage').$type<OrderStage>().notNull(),
    /** Why it ended in failure; null until it did. */
    terminationReason: text('termination_reason'),
    /** Why the funds are on their way back, while they are. */
    endingReason: text('ending_reason'),
    cancelRequestedAt: at('cancel_requested_at'),

    /** Orders only: what is traded and the fields of the on-chain order. */
    ticker: text('ticker'),
    side: text('side').$type<'yes' | 'no'>(),
    tradeAction: text('trade_action').$type<'buy' | 'sell'>(),
    contractMicros: micros('contract_micros'),
    quoteLimitUsdcMicros: micros('quote_limit_usdc_micros'),
    receiverAddress: text('receiver_address'),
    expiresAt: at('expires_at'),
    clientRef: text('client_ref'),
    chainOrderId: text('chain_order_id'),
    /** A sale of a settled market's tokens: paid by the vault, without the exchange. */
    isRedemption: boolean('is_redemption').notNull().default(false),

    /** Withdrawals only. */
    withdrawToken: text('withdraw_token'),
    withdrawTokenId: text('withdraw_token_id'),
    withdrawMicros: micros('withdraw_micros'),
    destinationAddress: text('destination_address'),
    /** The owner's signature of this very withdrawal, good until `expiresAt`; null without one. */
    withdrawSignature: text('withdraw_signature'),

    /** What came of it. Charged or paid out includes the fee. */
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
    /** Over for its owner, while the house still sells back what it holds of it by mistake. */
    isUnwinding: boolean('is_unwinding').notNull().default(false),

    /** When it last waited for room at the vault, and when room was reserved for it. */
    roomRequestedAt: at('room_requested_at'),
    roomReservedAt: at('room_reserved_at'),

    /** Who works on it now, and when it next wants work. Database time only. */
    leaseToken: uuid('lease_token'),
    leaseUntil: at('lease_until'),
    nextRunAt: at('next_run_at').notNull(),
    failures: integer('failures').notNull().default(0),

    /** The trace of the request it was made by (W3C traceparent); null when it was not traced. */
    traceparent: text('traceparent'),

    /**
     * Asked for without a token of its owner: until the vault has logged its request it belongs to
     * the key and the client id alone; see server/platform/database/schema/unclaimedOrder.ts.
     */
    withoutToken: boolean('without_token').notNull().default(false),
    /**
     * Asked for with neither a token nor a secret key: the client ids of such orders are apart, so
     * that a visitor of a page cannot take one from an owner who signs in there.
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
    // By no column that changes with every step: then a step would write to all of these indexes.
    index('orders_received')
      .on(table.receiverAddress)
      .where(sql`trade_action = 'buy' and is_complete`),
    index('orders_due').on(table.nextRunAt).where(sql`not is_complete`),
    index('orders_unwinding').on(table.nextRunAt).where(sql`is_unwinding`),
    index('orders_open_by_market').on(table.ticker).where(sql`not is_complete`),
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

/** What happened to an intent, in order; the API, the pages and the stream show this. */
export const orderEvents = pgTable(
  'order_events',
  {
    sequence: bigint('sequence', { mode: 'bigint' }).generatedAlwaysAsIdentity().primaryKey(),
    accountId: text('account_id').notNull(),
    orderId: uuid('order_id').notNull(),
    type: text('type').notNull(),
    status: text('status').notNull(),
    detail: text('detail'),
    transactionHash: text('transaction_hash'),
    at: at('at').notNull(),
  },
  (table) => [index('order_events_by_order').on(table.orderId, table.sequence)],
);

/** Every time the exchange is asked to trade: stored before it is asked. */
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
     * `order`: for its owner. `found`: the exchange filled it after the order had ended, for the
     * house. `unwind`: trades that back.
     */
    purpose: text('purpose').$type<'order' | 'found' | 'unwind'>().notNull().default('order'),
    limitPriceMicros: micros('limit_price_micros').notNull(),
    contractMicros: micros('contract_micros').notNull(),
    /** `refused`: refused for now; nothing came of it, and its client order id may be used again. */
    state: text('state').$type<'stored' | 'unknown' | 'refused' | 'done' | 'no_fill'>().notNull(),
    code: text('code'),
    exchangeOrderId: text('exchange_order_id'),
    filledContractMicros: micros('filled_contract_micros'),
    /** The time that it is signed with, stored before it is sent. */
    storedAt: at('stored_at').notNull(),
    respondedAt: at('responded_at'),
  },
  (table) => [
    unique('exchange_attempts_by_order').on(table.orderId, table.attempt),
    // For the latest ones only, and written with every order: a summary of pages is enough.
    index('exchange_attempts_by_time').using('brin', table.storedAt),
  ],
);

/** Fills as the exchange reports them, with the fee it really charged. */
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
