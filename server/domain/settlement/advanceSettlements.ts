import { sql } from 'drizzle-orm';
import type { Hex } from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { MICROS } from '#lib/money.ts';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import { findLatestOperation } from '#server/chain/operations/latest.ts';
import type { Chain } from '../../chain/client.ts';
import type { Database, Queryable } from '../../platform/database/client.ts';
import type { Log } from '../../platform/log.ts';
import { raiseAlert, resolveAlert } from '../admin/alerts.ts';
import { insertPosting, type LedgerLine, move, tokenAsset } from '../ledger/ledger.ts';
import { readFinalResults } from '../markets/catalogue/finalResults.ts';
import { nextSettlementStep, type SettlementCallKind, type SettlementStep } from './nextStep.ts';
import { HOUSE, queueSettlementCall, readChainMarket } from './settlementCall.ts';
import {
  advanceSettlement,
  countUndelivered,
  findLatestSettlementEvent,
  listTradedTickers,
  listUnfinishedSettlements,
  listUnnoticed,
  readExchangeHoldings,
  type Settlement,
  storeSettlement,
} from './settlementStore.ts';
import { alertUnreadableResults } from './unreadableResults.ts';

export type SettlementDeps = { database: Database; chain: Chain; log: Log };

const RETRY_MS = 5_000;
/** Providing the missing funds or room under the hourly cap may take admins a while. */
const MAX_RETRY_MS = 60_000;
/** USDC's errors when the treasury's allowance or balance does not cover the collateral. */
const OUT_OF_FUNDS = new Set(['ERC20InsufficientAllowance', 'ERC20InsufficientBalance']);
const NOW = sql<Date>`now()`;

/**
 * Advances every market that the exchange has settled by one step towards paying its holders. Safe
 * to run in several processes. Returns whether an operation was queued for the signers.
 */
export async function advanceSettlements(deps: SettlementDeps): Promise<boolean> {
  await noticeFinalResults(deps);
  let hasQueued = false;
  for (const settlement of await listUnfinishedSettlements(deps.database.orm)) {
    const facts = await readFacts(deps, settlement);
    hasQueued = (await applyStep(deps, facts, nextSettlementStep(facts))) || hasQueued;
  }
  return hasQueued;
}

/** Only the exchange's final result counts, which it never revokes. */
async function noticeFinalResults(deps: SettlementDeps): Promise<void> {
  const db = deps.database.orm;
  const candidates = await listUnnoticed(db, await listTradedTickers(db));
  for (const final of (await readFinalResults(deps, candidates)).values()) {
    await storeSettlement(db, final);
    const { ticker, payoutYesMicros } = final;
    deps.log.info({ ticker, payoutYesMicros }, 'market settled');
  }
  await alertUnreadableResults(deps, candidates);
}

async function readFacts(deps: SettlementDeps, settlement: Settlement) {
  const db = deps.database.orm;
  // Before the supply, so that a delivery in between is in one of them.
  const undelivered = await countUndelivered(db, settlement.ticker);
  const [event, market, register, propose, finalize, yes, no] = await Promise.all([
    findLatestSettlementEvent(db, settlement.marketKey),
    readChainMarket(deps.chain, settlement.marketKey as Hex),
    findLatestOperation(db, settlement.id, 'register'),
    findLatestOperation(db, settlement.id, 'propose'),
    findLatestOperation(db, settlement.id, 'finalize'),
    readSupply(deps.chain, settlement.ticker, 'yes'),
    readSupply(deps.chain, settlement.ticker, 'no'),
  ]);
  return {
    settlement,
    event,
    isRegistered: market.state !== 'unregistered',
    operations: { register, propose, finalize },
    undelivered,
    supplyContractMicros: yes + no,
    now: new Date(),
  };
}

async function readSupply(chain: Chain, ticker: string, side: 'yes' | 'no'): Promise<bigint> {
  return await chain.client.readContract({
    address: chain.contracts.swapVault,
    abi: swapVaultAbi,
    functionName: 'supplyOf',
    args: [outcomeTokenId(ticker, side)],
  });
}

type Facts = Awaited<ReturnType<typeof readFacts>>;

/** Returns whether an operation was queued for the signers. */
async function applyStep(
  deps: SettlementDeps,
  facts: Facts,
  step: SettlementStep,
): Promise<boolean> {
  const { settlement } = facts;
  const { ticker } = settlement;
  const bookExchange = (tx: Queryable) => bookExchangeSettlement(tx, settlement);
  switch (step.kind) {
    case 'wait':
      return false;
    case 'close': {
      const set = { state: 'not_needed' as const, finalAt: NOW };
      const close = async (tx: Queryable) => {
        // A fork has removed deliveries since the decision: their tokens will exist again.
        if ((await countUndelivered(tx, ticker)) > 0) throw new BasisChangedError();
        await bookExchange(tx);
      };
      if (await advance(deps, facts, set, close)) await resolveAlerts(deps, ticker);
      return false;
    }
    case 'register':
    case 'propose':
    case 'finalize':
      if (step.previousFailure !== null) await reportFailure(deps, ticker, step);
      await queueSettlementCall(deps.database.orm, settlement, {
        kind: step.kind,
        attempt: step.attempt,
        notBeforeMs: retryDelayMs(step.attempt),
      });
      return true;
    case 'proposed': {
      const set = { state: 'proposed' as const, finalizableAt: step.finalizableAt };
      if (await advance(deps, facts, set, bookExchange)) await resolveAlerts(deps, ticker);
      return false;
    }
    case 'hold': {
      if (settlement.state === 'held') return false;
      const internalDetail = step.reason;
      await raiseAlert(deps, { kind: 'settlement_held', subject: ticker, internalDetail });
      await advanceSettlement(deps.database.orm, settlement, { state: 'held' });
      return false;
    }
    case 'final':
      if (await finish(deps, facts, step.event)) {
        await resolveAlerts(deps, ticker);
        const collateral = step.event.collateralUsdcMicros;
        deps.log.info({ ticker, collateral }, 'redemption opened');
      }
      return false;
  }
}

async function reportFailure(
  deps: SettlementDeps,
  ticker: string,
  { kind, previousFailure }: Extract<SettlementStep, { kind: SettlementCallKind }>,
): Promise<void> {
  const failure = previousFailure ?? '';
  await raiseAlert(deps, {
    kind: OUT_OF_FUNDS.has(failure) ? 'settlement_unfunded' : 'settlement_delayed',
    subject: ticker,
    internalDetail: `${kind}: ${failure}`,
  });
}

function retryDelayMs(attempt: number): number {
  return attempt > 1 ? Math.min(RETRY_MS * 2 ** (attempt - 2), MAX_RETRY_MS) : 0;
}

/** Returns whether it finished: another process may have done so, or a fork removed the log. */
async function finish(
  deps: SettlementDeps,
  facts: Facts,
  event: Extract<SettlementStep, { kind: 'final' }>['event'],
): Promise<boolean> {
  const { settlement } = facts;
  const collateral = event.collateralUsdcMicros ?? 0n;
  const set = {
    state: 'final' as const,
    collateralUsdcMicros: collateral,
    transactionHash: event.transactionHash,
    finalAt: NOW,
  };
  return await advance(deps, facts, set, async (tx) => {
    await bookExchangeSettlement(tx, settlement);
    const lines = move('usdc', 'house', 'collateral', collateral);
    await insertPosting(tx, { id: settlement.id, accountId: HOUSE }, { name: 'collateral', lines });
  });
}

async function resolveAlerts(deps: SettlementDeps, subject: string): Promise<void> {
  for (const kind of ['settlement_unfunded', 'settlement_delayed', 'settlement_held'] as const) {
    await resolveAlert(deps, { kind, subject });
  }
}

/** Rolls the transaction back because what was decided by has changed. */
class BasisChangedError extends Error {}

/**
 * Advances a settlement if neither it nor the vault's log has changed since the decision.
 * @param write what is stored with it; it throws `BasisChangedError` where more has changed
 * @returns whether it advanced
 */
async function advance(
  deps: SettlementDeps,
  { settlement, event }: Facts,
  set: Parameters<typeof advanceSettlement>[2],
  write: (tx: Queryable) => Promise<void>,
): Promise<boolean> {
  try {
    return await deps.database.orm.transaction(async (tx) => {
      if (!(await advanceSettlement(tx, settlement, set))) return false;
      // The row is locked: a fork's change is either already committed or waits to revert this one.
      const now = await findLatestSettlementEvent(tx, settlement.marketKey);
      if (now?.transactionHash !== event?.transactionHash) throw new BasisChangedError();
      await write(tx);
      return true;
    });
  } catch (error) {
    if (error instanceof BasisChangedError) return false;
    throw error;
  }
}

/** The exchange has paid for our position: the contracts become cash. */
async function bookExchangeSettlement(tx: Queryable, settlement: Settlement): Promise<void> {
  const { ticker, payoutYesMicros } = settlement;
  const held = await readExchangeHoldings(tx, ticker);
  const worth =
    held.yesContractMicros * payoutYesMicros + held.noContractMicros * (MICROS - payoutYesMicros);
  const lines: LedgerLine[] = [
    ...move(tokenAsset(ticker, 'yes'), 'treasury', 'exchange', held.yesContractMicros),
    ...move(tokenAsset(ticker, 'no'), 'treasury', 'exchange', held.noContractMicros),
    ...move('usdc', 'exchange', 'treasury', worth / MICROS),
  ];
  const subject = { id: settlement.id, accountId: HOUSE };
  await insertPosting(tx, subject, { name: 'exchange_settlement', lines });
}
