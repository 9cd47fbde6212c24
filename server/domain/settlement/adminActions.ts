import { and, desc, eq, sql } from 'drizzle-orm';
import { encodeFunctionData, type Hex } from 'viem';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { MICROS } from '#lib/money.ts';
import type { Chain } from '#server/chain/client.ts';
import { findLatestOperation } from '#server/chain/operations/latest.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import {
  marketSettlements,
  pendingProposals,
} from '#server/platform/database/schema/settlement.ts';
import { type AuditEntry, recordAudit } from '../admin/audit.ts';
import { NotAllowedError } from '../admin/notAllowed.ts';
import { listSettledWithoutPayout, readFinalResult } from '../markets/catalogue/finalResults.ts';
import { queueSettlementCall } from './settlementCall.ts';
import {
  findLatestSettlementEvent,
  findSettlement,
  listTradedTickers,
  type Settlement,
  storeSettlement,
} from './settlementStore.ts';

type Deps = { database: Database };
type Act = { ticker: string; by: string; reason: string };

/** Settlements, newest first, each with the proposal that waits for a second admin. */
export async function listSettlements(
  deps: Deps,
  limit: number,
): Promise<(Settlement & { pending: PendingProposal | null })[]> {
  const rows = await deps.database.orm
    .select()
    .from(marketSettlements)
    .leftJoin(pendingProposals, eq(pendingProposals.ticker, marketSettlements.ticker))
    .orderBy(desc(marketSettlements.settledAt))
    .limit(limit);
  return rows.map((row) => ({ ...row.market_settlements, pending: row.pending_proposals }));
}

/** `sent`: submitted to the chain. `pending`: waits for a second admin. */
type ProposalOutcome = 'sent' | 'pending';

/**
 * Has the resolver propose a market's payout: after a veto, or when none is proposed. A payout
 * other than the exchange's requires confirmation by a second admin.
 * @throws {NotAllowedError}
 */
export async function proposePayout(
  deps: Deps,
  act: Act & { payoutYesMicros?: bigint | undefined },
): Promise<ProposalOutcome> {
  const { ticker, by, reason } = act;
  return await deps.database.orm.transaction(async (tx) => {
    const settlement = await requireProposable(tx, ticker);
    const payoutYesMicros = act.payoutYesMicros ?? settlement?.payoutYesMicros;
    if (payoutYesMicros === undefined) {
      throw new NotAllowedError('The exchange names no payout. State the payout of YES.');
    }
    if (payoutYesMicros < 0n || payoutYesMicros > MICROS) {
      throw new NotAllowedError('The payout of YES must be 0 to 1 dollar.');
    }
    const final = await readFinalResult({ database: { orm: tx } }, ticker);
    const isExchanges = settlement !== undefined && final?.payoutYesMicros === payoutYesMicros;
    if (isExchanges) {
      await tx.delete(pendingProposals).where(eq(pendingProposals.ticker, ticker));
      await sendProposal(tx, settlement, payoutYesMicros);
    } else {
      await storePendingProposal(tx, { ticker, payoutYesMicros, proposedBy: by, reason });
    }
    const outcome = isExchanges ? 'sent' : 'pending';
    const after = { ...summaryOf(settlement, payoutYesMicros), outcome };
    await auditAct(tx, 'propose_settlement', act, { before: summaryOf(settlement), after });
    return outcome;
  });
}

/**
 * Confirms a payout that differs from the exchange's, by another admin than the proposer; from then
 * on the service treats it as the result. The caller repeats the payout, so that a replaced
 * proposal is never confirmed by mistake.
 * @throws {NotAllowedError}
 */
export async function approveProposal(
  deps: Deps,
  act: Act & { payoutYesMicros: bigint },
): Promise<void> {
  const { ticker, by, payoutYesMicros } = act;
  await deps.database.orm.transaction(async (tx) => {
    const settlement = await requireProposable(tx, ticker);
    const pending = await takePendingProposal(tx, { ticker, payoutYesMicros });
    if (!pending)
      throw new NotAllowedError('No proposal of this payout is waiting for confirmation.');
    if (isSamePerson(pending.proposedBy, by)) {
      throw new NotAllowedError('An admin other than the proposer must confirm it.');
    }
    if (settlement) await sendProposal(tx, settlement, payoutYesMicros);
    else await storeSettlement(tx, { ticker, payoutYesMicros, settledAt: new Date() });
    await auditAct(tx, 'confirm_settlement', act, {
      before: { ...summaryOf(settlement), proposedBy: pending.proposedBy },
      after: summaryOf(settlement, payoutYesMicros),
    });
  });
}

const isSamePerson = (one: string, other: string) =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

async function auditAct(
  tx: Queryable,
  action: string,
  { ticker, by, reason }: Act,
  states: Pick<AuditEntry, 'before' | 'after'>,
): Promise<void> {
  const entry = { actor: by, action, subject: ticker, reason, ...states };
  await recordAudit({ database: { orm: tx } }, entry);
}

/**
 * A settlement without a proposal on chain; undefined for a traded market that the exchange has
 * settled without a readable payout, whose settlement begins with the confirmed payout.
 * @throws {NotAllowedError}
 */
async function requireProposable(tx: Queryable, ticker: string): Promise<Settlement | undefined> {
  if (!(await findSettlement(tx, ticker)) && (await isWithoutPayout(tx, ticker))) return undefined;
  const settlement = await requireSettlement(tx, ticker);
  const event = await findLatestSettlementEvent(tx, settlement.marketKey);
  if (event?.kind === 'proposed') {
    throw new NotAllowedError(
      'A proposal is pending. It must be vetoed before another can be made.',
    );
  }
  return settlement;
}

async function isWithoutPayout(tx: Queryable, ticker: string): Promise<boolean> {
  const isTraded = (await listTradedTickers(tx)).includes(ticker);
  const found = await listSettledWithoutPayout({ database: { orm: tx } }, [ticker]);
  return isTraded && found.length > 0;
}

async function sendProposal(
  tx: Queryable,
  settlement: Settlement,
  payoutYesMicros: bigint,
): Promise<void> {
  await tx
    .update(marketSettlements)
    .set({ payoutYesMicros })
    .where(eq(marketSettlements.ticker, settlement.ticker));
  await send(tx, { ...settlement, payoutYesMicros }, 'propose');
}

/** Makes a proposal final after its delay. @throws {NotAllowedError} */
export async function finalizePayout(deps: Deps, act: Act): Promise<void> {
  await deps.database.orm.transaction(async (tx) => {
    const { settlement, event } = await requireProposed(tx, act.ticker);
    const from = Number(event.finalizableAt ?? 0n) * 1000;
    if (from > Date.now()) {
      throw new NotAllowedError(`It can be finalized from ${new Date(from).toISOString()}.`);
    }
    if (event.payoutYesMicros !== settlement.payoutYesMicros) {
      throw new NotAllowedError('The proposal differs from the exchange’s result.');
    }
    await send(tx, settlement, 'finalize');
    await auditAct(tx, 'finalize_settlement', act, { before: summaryOf(settlement) });
  });
}

type ContractCall = { to: Hex; data: Hex };

/**
 * The call that vetoes a proposal. Only PAUSER and ADMIN may send it, whose keys the service does
 * not have; the request is audited. @throws {NotAllowedError}
 */
export async function prepareVeto(deps: Deps & { chain: Chain }, act: Act): Promise<ContractCall> {
  return await deps.database.orm.transaction(async (tx) => {
    const { settlement } = await requireProposed(tx, act.ticker);
    await auditAct(tx, 'prepare_veto', act, { before: summaryOf(settlement) });
    const args = [settlement.marketKey as Hex] as const;
    return {
      to: deps.chain.contracts.settlement,
      data: encodeFunctionData({ abi: settlementAbi, functionName: 'vetoSettlement', args }),
    };
  });
}

/** A settlement with a proposal on chain. @throws {NotAllowedError} */
async function requireProposed(tx: Queryable, ticker: string) {
  const settlement = await requireSettlement(tx, ticker);
  const event = await findLatestSettlementEvent(tx, settlement.marketKey);
  if (event?.kind !== 'proposed') throw new NotAllowedError('There is no pending proposal.');
  return { settlement, event };
}

async function requireSettlement(tx: Queryable, ticker: string): Promise<Settlement> {
  const settlement = await findSettlement(tx, ticker);
  if (!settlement) {
    throw new NotAllowedError(
      `${ticker} is not resolved at the exchange, or was never traded here.`,
    );
  }
  if (settlement.state === 'final' || settlement.state === 'not_needed') {
    throw new NotAllowedError(
      `The settlement of ${ticker} has already ended: ${settlement.state}.`,
    );
  }
  return settlement;
}

async function send(
  tx: Queryable,
  settlement: Settlement,
  kind: 'propose' | 'finalize',
): Promise<void> {
  const latest = await findLatestOperation(tx, settlement.id, kind);
  if (latest?.state === 'ready' || latest?.state === 'sent') {
    throw new NotAllowedError('This is already being sent to the chain.');
  }
  await queueSettlementCall(tx, settlement, { kind, attempt: (latest?.attempt ?? 0) + 1 });
}

function summaryOf(settlement: Settlement | undefined, payoutYesMicros?: bigint) {
  const shown = payoutYesMicros ?? settlement?.payoutYesMicros;
  return { state: settlement?.state ?? null, payoutYesMicros: shown?.toString() ?? null };
}

/** A payout that waits for a second admin. */
export type PendingProposal = typeof pendingProposals.$inferSelect;

/** A later proposal replaces the pending one. */
async function storePendingProposal(
  tx: Queryable,
  { ticker, ...proposal }: Omit<PendingProposal, 'proposedAt'>,
): Promise<void> {
  const set = { ...proposal, proposedAt: sql`now()` };
  await tx
    .insert(pendingProposals)
    .values({ ticker, ...set })
    .onConflictDoUpdate({ target: pendingProposals.ticker, set });
}

/** Removes the proposal with exactly this payout, so that only one confirmation can use it. */
async function takePendingProposal(
  tx: Queryable,
  { ticker, payoutYesMicros }: Pick<PendingProposal, 'ticker' | 'payoutYesMicros'>,
): Promise<PendingProposal | undefined> {
  const [taken] = await tx
    .delete(pendingProposals)
    .where(
      and(
        eq(pendingProposals.ticker, ticker),
        eq(pendingProposals.payoutYesMicros, payoutYesMicros),
      ),
    )
    .returning();
  return taken;
}
