import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { at, int8, micros } from './columns.ts';

/**
 * Traded markets with a final result at the exchange, and the progress of their payout by the
 * vault.
 */
export const marketSettlements = pgTable(
  'market_settlements',
  {
    ticker: text('ticker').primaryKey(),
    /** The settlement's id among chain operations and in the ledger. */
    id: uuid('id').notNull().unique('market_settlements_id'),
    marketKey: text('market_key').notNull().unique('market_settlements_key'),
    /** The exchange's final result. NO pays the rest of the dollar. */
    payoutYesMicros: micros('payout_yes_micros').notNull(),
    /**
     * `due`: to be proposed once every fill is delivered. `proposed`: the delay is running.
     * `held`: it was vetoed, or another result was proposed; it waits for a person. `final`:
     * redemption is open. `not_needed`: no token of it exists.
     */
    state: text('state').$type<'due' | 'proposed' | 'held' | 'final' | 'not_needed'>().notNull(),
    finalizableAt: at('finalizable_at'),
    collateralUsdcMicros: micros('collateral_usdc_micros'),
    transactionHash: text('transaction_hash'),
    settledAt: at('settled_at').notNull(),
    createdAt: at('created_at').notNull(),
    finalAt: at('final_at'),
    /** When the automatic redemptions were created. */
    autoRedeemedAt: at('auto_redeemed_at'),
  },
  (table) => [index('market_settlements_by_state').on(table.state)],
);

/**
 * Payouts that an admin proposed and that differ from the exchange's result: each waits for a
 * second admin before it goes on chain.
 */
export const pendingProposals = pgTable('pending_proposals', {
  ticker: text('ticker').primaryKey(),
  payoutYesMicros: micros('payout_yes_micros').notNull(),
  proposedBy: text('proposed_by').notNull(),
  reason: text('reason').notNull(),
  proposedAt: at('proposed_at').notNull().defaultNow(),
});

/** The vault's logs about settlements, from any sender. */
export const settlementEvents = pgTable(
  'settlement_events',
  {
    transactionHash: text('transaction_hash').notNull(),
    logIndex: integer('log_index').notNull(),
    blockNumber: int8('block_number').notNull(),
    kind: text('kind').$type<'proposed' | 'vetoed' | 'finalized'>().notNull(),
    marketKey: text('market_key').notNull(),
    payoutYesMicros: micros('payout_yes_micros'),
    payoutNoMicros: micros('payout_no_micros'),
    /** `proposed` only: unix seconds. */
    finalizableAt: int8('finalizable_at'),
    /** `finalized` only: USDC set aside for every token of the market. */
    collateralUsdcMicros: micros('collateral_usdc_micros'),
  },
  (table) => [
    primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    index('settlement_events_by_market').on(table.marketKey, table.blockNumber, table.logIndex),
    index('settlement_events_block').on(table.blockNumber),
  ],
);

/** Pairs of Yes and No that their holders gave back for a dollar each, before the settlement. */
export const pairMerges = pgTable(
  'pair_merges',
  {
    transactionHash: text('transaction_hash').notNull(),
    logIndex: integer('log_index').notNull(),
    blockNumber: int8('block_number').notNull(),
    holder: text('holder').notNull(),
    marketKey: text('market_key').notNull(),
    /** Of each side; as many dollars were paid. */
    contractMicros: micros('contract_micros').notNull(),
    /** The treasury paid, else the vault's earnings did. */
    byTreasury: boolean('by_treasury').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    index('pair_merges_by_holder').on(table.holder),
    index('pair_merges_block').on(table.blockNumber),
  ],
);

/** Tokens of settled markets that were burnt for their payout, by any sender. */
export const redemptions = pgTable(
  'redemptions',
  {
    transactionHash: text('transaction_hash').notNull(),
    logIndex: integer('log_index').notNull(),
    blockNumber: int8('block_number').notNull(),
    holder: text('holder').notNull(),
    marketKey: text('market_key').notNull(),
    /** 0 is YES, 1 is NO. */
    outcome: integer('outcome').notNull(),
    contractMicros: micros('contract_micros').notNull(),
    payoutUsdcMicros: micros('payout_usdc_micros').notNull(),
    /** When the log was first read. */
    seenAt: at('seen_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.transactionHash, table.logIndex] }),
    index('redemptions_by_holder').on(table.holder, table.marketKey, table.outcome),
    index('redemptions_block').on(table.blockNumber),
  ],
);
