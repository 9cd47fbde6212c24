import { LRUCache } from 'lru-cache';
import type { Address, Hex } from 'viem';
import type { Chain } from '../../chain/client.ts';
import { type Holding, readHoldings } from '../../chain/holdings.ts';
import { type Batched, batched } from '../../platform/database/batched.ts';
import type { Database } from '../../platform/database/client.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';
import { type AccountIdentity, findAccounts } from '../accounts/accounts.ts';
import { findMarkets } from '../markets/catalogue/catalogue.ts';
import { findOutcomesByTokenIds, type MarketOutcome } from '../markets/catalogue/outcomes.ts';
import type { MarketRecord } from '../markets/catalogue/types.ts';
import { listRedeemable } from '../settlement/settlementStore.ts';
import type { PositionCost } from './positionCost.ts';
import { readPositionCosts } from './positionFlows.ts';

type Deps = { database: Database; chain: Chain };

/**
 * The reads of portfolios. Concurrent portfolios share statements and one call to the chain; only
 * immutable values are cached.
 */
export type BatchedReads = {
  /** By checksummed address; undefined for an unknown one. */
  account: Batched<string, AccountIdentity>;
  holdings: Batched<Address, Holding[]>;
  costs: Batched<Address, Map<string, PositionCost>>;
  market: Batched<string, MarketRecord>;
  /** Whether the vault pays a market out; undefined if it does not. */
  paying: Batched<string, true>;
  /** The market and side of a token id (0x and 64 hex digits). */
  outcome(tokenId: Hex): Promise<MarketOutcome | undefined>;
};

const MOST_OUTCOMES = 50_000;

const readsOf = memoizeByObject((chain: Chain) =>
  memoizeByObject((database: Database) => createReads({ database, chain })),
);

export function batchedReads({ database, chain }: Deps): BatchedReads {
  return readsOf(chain)(database);
}

function createReads(deps: Deps): BatchedReads {
  const read = { db: deps.database.orm, chain: deps.chain };
  const outcomes = new LRUCache<Hex, MarketOutcome>({ max: MOST_OUTCOMES });
  const findOutcome = batched<Hex, MarketOutcome>(
    (ids) => findOutcomesByTokenIds(deps, ids) as Promise<Map<Hex, MarketOutcome>>,
  );
  return {
    account: batched((addresses) => findAccounts(deps, addresses)),
    holdings: batched(async (holders) =>
      Map.groupBy(await readHoldings(read, holders), (one) => one.holder),
    ),
    costs: batched((holders) => readPositionCosts(read, holders)),
    market: batched((tickers) => findMarkets(deps, tickers)),
    paying: batched(async (tickers) => {
      const settlements = await listRedeemable(read.db, tickers);
      return new Map(settlements.map((one) => [one.ticker, true]));
    }),
    async outcome(tokenId) {
      const outcome = outcomes.get(tokenId) ?? (await findOutcome(tokenId));
      if (outcome) outcomes.set(tokenId, outcome);
      return outcome;
    },
  };
}
