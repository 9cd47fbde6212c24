import type { Address } from 'viem';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { LedgerLine } from '../ledger/ledger.ts';

/**
 * Inputs of the comparisons. All ledger data is of one database snapshot, all chain data of one
 * block: the last one posted to the ledger.
 */

/** Sum of a ledger account in one asset. */
export type LedgerSum = { account: string; asset: string; amountMicros: bigint };

export type Books = {
  /** The block up to which transfers are recorded. */
  blockNumber: bigint;
  blockHash: string;
  sums: LedgerSum[];
  /**
   * What open orders have yet to post for events up to that block, less what orders have already
   * posted for later ones: added to the sums, it gives the ledger as of the block.
   */
  pending: LedgerLine[];
  unbalancedPostings: {
    id: string;
    posting: string;
    asset: string;
    offMicros: bigint;
    ticker: string | null;
  }[];
  /** Transfers into the vault without a known reason, by transaction. */
  unassigned: { transactionHash: string; asset: string; amountMicros: bigint }[];
  followed: Address[];
  /** Contracts by fills, per market and side, and whether the exchange has paid for the market. */
  holdings: Holding[];
  /** Exchange attempts, sent or about to be, whose fills are not recorded yet. */
  inFlight: InFlight[];
  /** Cash that may be on its way from one shard of the exchange to another, in no balance. */
  inTransitUsdcMicros: bigint;
  orderProblems: OrderProblem[];
  /** Settlements whose state differs from the vault's log. */
  settlementProblems: { ticker: string; state: string; logged: string | null }[];
  /** Accepted differences: `kind|subject` to micros. */
  baselines: ReadonlyMap<string, bigint>;
};

export type Holding = {
  ticker: string;
  side: OutcomeSide;
  contractMicros: bigint;
  isSettled: boolean;
  /** Whether the mirror lists the market as open for trading. */
  isTrading: boolean;
};

export type InFlight = {
  orderId: string;
  ticker: string;
  side: OutcomeSide;
  tradeAction: 'buy' | 'sell';
  contractMicros: bigint;
};

/** An order whose own records disagree, found by a query. */
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
  /** Positive is Yes, negative is No. */
  netOf: ReadonlyMap<string, bigint>;
};
