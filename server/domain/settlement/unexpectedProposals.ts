import { sql } from 'drizzle-orm';
import { marketKeyOf } from '#lib/outcomeToken.ts';
import type { Database, Queryable } from '../../platform/database/client.ts';
import { marketSettlements, settlementEvents } from '../../platform/database/schema/settlement.ts';
import type { Log } from '../../platform/log.ts';
import { listAlerts, raiseAlert, resolveAlert } from '../admin/alerts.ts';
import { liftSuspensions, listSuspensions, suspendMarket } from '../admin/suspensions.ts';
import { listTradedTickers } from './settlementStore.ts';

type Deps = { database: Database; log: Log };

const KIND = 'settlement_unasked';
/** The actor of these suspensions. */
const BY_SETTLEMENT = 'settlement';
const CHECK_EVERY_MS = 2_000;

/** The vault's latest log about a market that the exchange has not settled. */
type ForeignProposal = {
  marketKey: string;
  payoutYesMicros: bigint | null;
  payoutNoMicros: bigint | null;
  transactionHash: string;
};

/**
 * Watches for unrequested settlements: proposals on chain for a market that the exchange has not
 * settled. Our processes never create one, but a stolen operator key could, so an admin must veto
 * it; until then the market accepts no new orders.
 */
export function createProposalWatch(deps: Deps): () => Promise<void> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - checkedAt < CHECK_EVERY_MS) return;
    checkedAt = performance.now();
    await alertUnexpectedProposals(deps);
  };
}

/** Raises an alert for each, and resolves those whose proposal has disappeared or proved right. */
async function alertUnexpectedProposals(deps: Deps): Promise<void> {
  const { orm } = deps.database;
  const proposals = await listForeignProposals(orm);
  const current = await listAlerts(deps, { kind: KIND });
  if (proposals.length === 0 && current.length === 0) return;
  const tickers = new Map(
    (await listTradedTickers(orm)).map((ticker) => [marketKeyOf(ticker) as string, ticker]),
  );
  const targets = new Set<string>();
  for (const { marketKey, payoutYesMicros, payoutNoMicros, transactionHash } of proposals) {
    const ticker = tickers.get(marketKey);
    const subject = ticker ?? marketKey;
    targets.add(subject);
    const internalDetail = `pays ${payoutYesMicros}/${payoutNoMicros} by ${transactionHash}`;
    await raiseAlert(deps, { kind: KIND, subject, internalDetail });
    if (ticker !== undefined) {
      const reason = 'Its settlement is under review.';
      await suspendMarket(deps, { ticker, reason, by: BY_SETTLEMENT });
    }
  }
  for (const { subject } of current) {
    if (targets.has(subject)) continue;
    await resolveAlert(deps, { kind: KIND, subject });
    const ours = (await listSuspensions(deps, subject)).filter(
      (one) => one.suspendedBy === BY_SETTLEMENT,
    );
    await liftSuspensions(deps, { ids: ours.map((one) => one.id), by: BY_SETTLEMENT });
  }
}

async function listForeignProposals(db: Queryable): Promise<ForeignProposal[]> {
  const latest = db
    .selectDistinctOn([settlementEvents.marketKey])
    .from(settlementEvents)
    .where(
      sql`not exists (select 1 from ${marketSettlements}
          where ${marketSettlements.marketKey} = ${settlementEvents.marketKey})`,
    )
    .orderBy(
      settlementEvents.marketKey,
      sql`${settlementEvents.blockNumber} desc`,
      sql`${settlementEvents.logIndex} desc`,
    );
  return (await latest).filter((event) => event.kind !== 'vetoed');
}
