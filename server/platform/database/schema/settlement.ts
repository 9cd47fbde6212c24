import {
  bigint,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const micros = (name: string) => bigint(name, { mode: 'bigint' });

/**
 * Markets that the exchange has settled for good and that the service has traded: how far the
 * vault has come with paying for them.
 */
export const marketSettlements = pgTable(
  'market_settlements',
  {
    ticker: text('ticker').primaryKey(),
    /** Names the settlement in the chain's outbox and in the ledger. */
    id: uuid('id').notNull().unique('market_settlements_id'),
    marketKey: text('market_key').notNull().unique('market_settlements_key'),
    /** The exchange's final result. NO pays the rest of the dollar. */
    payoutYesMicros: micros('payout_yes_micros').notNull(),
    /**
     * `due`: to be proposed once every fill is delivered. `proposed`: the delay is running.
     * `held`: somebody vetoed it, or proposed something else; it waits for a person. `final`:
     * redemption is open. `not_needed`: no token of it exists.
     */
    state: text('state').$type<'due' | 'proposed' | 'held' | 'final' | 'not_needed'>().notNull(),
    finalizableAt: at('finalizable_at'),
    collateralUsdcMicros: micros('collateral_usdc_micros'),
    transactionHash: text('transaction_hash'),
    settledAt: at('settled_at').notNull(),
    createdAt: at('created_at').notNull(),
    finalAt: at('final_at'),
    /** When holders who asked for it had their redemptions made out. */
    autoRedeemedAt: at('auto_redeemed_at'),
  },
  (table) => [index('market_settlements_by_state').on(table.state)],
);

/**
 * Payouts that an admin proposed by hand and that differ from the exchange's result: each waits for
 * a second admin before it is handed to the chain.
 */
export const pendingProposals = pgTable('pending_proposals', {
  ticker: text('ticker').primaryKey(),
  payoutYesMicros: micros('payout_yes_micros').notNull(),
  proposedBy: text('proposed_by').notNull(),
  reason: text('reason').notNull(),
  proposedAt: at('proposed_at').notNull().defaultNow(),
});

/** What the vault logged about the settlement of markets, whoever sent the transaction. */
export const settlementEvents = pgTable(
  'settlement_events',
  {
    transactionHash: text('transaction_hash').notNull(),
    logIndex: integer('log_index').notNull(),
    blockNumber: bigint('block_number', { mode: 'bigint' }).notNull(),
    kind: text('kind').$type<'proposed' | 'vetoed' | 'finalized'>().notNull(),
    marketKey: text('market_key').notNull(),
    payoutYesMicros: micros('payout_yes_micros'),
    payoutNoMicros: micros('payout_no_micros'),
    /** `proposed` only: unix seconds. */
    finalizableAt: bigint('finalizable_at', { mode: 'bigint' }),
    /** `finalized` only: USDC set aside for every token of the market. */
    collateralUsdcMicros: micros('collateral_usdc_micros'),
  },
  (table) => [
    primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    index('settlement_events_by_market').on(table.marketKey, table.blockNumber, table.logIndex),
    index('settlement_events_block').on(table.blockNumber),
  ],
);

/** Tokens of settled markets that were burnt for their payout, whoever sent the transaction. */
export const redemptions = pgTable(
  'redemptions',
  {
    transactionHash: text('transaction_hash').notNull(),
    logIndex: integer('log_index').notNull(),
    blockNumber: bigint('block_number', { mode: 'bigint' }).notNull(),
    holder: text('holder').notNull(),
    marketKey: text('market_key').notNull(),
    /** 0 is YES, 1 is NO. */
    outcome: integer('outcome').notNull(),
    contractMicros: micros('contract_micros').notNull(),
    payoutUsdcMicros: micros('payout_usdc_micros').notNull(),
    /** When it was first read from the chain. */
    seenAt: at('seen_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    index('redemptions_by_holder').on(table.holder, table.marketKey, table.outcome),
    index('redemptions_block').on(table.blockNumber),
  ],
);
