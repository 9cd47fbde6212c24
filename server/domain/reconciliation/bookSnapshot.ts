import type { Address } from 'viem';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { LedgerLine } from '../ledger/ledger.ts';

/**
 * What the comparisons compare. Everything of the books is of one moment (one database snapshot),
 * everything of the chain of one block, which is the block the books have been kept up to.
 */

/** Sum of a ledger account in one asset. */
export type LedgerSum = { account: string; asset: string; amountMicros: bigint };

export type Books = {
  /** The block up to which transfers are booked. */
  blockNumber: bigint;
  blockHash: string;
  sums: LedgerSum[];
  /**
   * What open orders will still book about events up to that block, less what orders have already
   * booked about later ones: added to the sums it gives the books as of the block.
   */
  pending: LedgerLine[];
  unbalancedPostings: {
    id: string;
    posting: string;
    asset: string;
    offMicros: bigint;
    ticker: string | null;
  }[];
  /** What came into the vault without a reason, by transaction. */
  unassigned: { transactionHash: string; asset: string; amountMicros: bigint }[];
  followed: Address[];
  /** Contracts by fills, per market and side; and whether the exchange has paid for the market. */
  holdings: Holding[];
  /** What the exchange was asked for, or is about to be, whose fills are not booked yet. */
  inFlight: InFlight[];
  orderProblems: OrderProblem[];
  /** Settlements that claim another state than the vault has logged. */
  settlementProblems: { ticker: string; state: string; logged: string | null }[];
  /** Accepted beforehand: `kind|subject` to micros. */
  baselines: ReadonlyMap<string, bigint>;
};

export type Holding = {
  ticker: string;
  side: OutcomeSide;
  contractMicros: bigint;
  isSettled: boolean;
  /** Whether the mirror says that the market is still traded. */
  isTrading: boolean;
};

export type InFlight = {
  orderId: string;
  ticker: string;
  side: OutcomeSide;
  tradeAction: 'buy' | 'sell';
  contractMicros: bigint;
};

/** Found by the database itself: one order whose records disagree with each other. */
export type OrderProblem = {
  kind: 'order_amounts' | 'order_fills' | 'order_room' | 'order_stuck';
  orderId: string;
  ticker: string | null;
  expectedMicros: bigint;
  actualMicros: bigint;
  explanation: string;
};

export type ChainSnapshot = {
  vaultUsdcMicros: bigint;
  accruedUsdcMicros: bigint;
  usdcOf: ReadonlyMap<string, bigint>;
  /** By `account|asset`. */
  tokensOf: ReadonlyMap<string, bigint>;
  /** By asset. */
  supplyOf: ReadonlyMap<string, bigint>;
};

export type ExchangeSnapshot = {
  cashUsdcMicros: bigint;
  /** Positive is YES, negative is NO. */
  netOf: ReadonlyMap<string, bigint>;
};
