import { desc, eq } from 'drizzle-orm';
import { encodeFunctionData, type Hex } from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { MICROS } from '#lib/money.ts';
import { findLatestOperation } from '#server/chain/operations/latest.ts';
import type { Chain } from '../../chain/client.ts';
import { addOperations } from '../../chain/operations/store.ts';
import type { Database, Queryable } from '../../platform/database/client.ts';
import { marketSettlements } from '../../platform/database/schema/settlement.ts';
import { recordAudit } from '../admin/audit.ts';
import { NotAllowedError } from '../admin/notAllowed.ts';
import { listSettledWithoutPayout, readFinalResult } from '../markets/catalogue/finalResults.ts';
import {
  dropPendingProposal,
  listPendingProposals,
  type PendingProposal,
  storePendingProposal,
  takePendingProposal,
} from './pendingProposals.ts';
import type { SettlementArgs } from './settlementCall.ts';
import {
  findLatestSettlementEvent,
  findSettlement,
  type Settlement,
  storeSettlement,
} from './settlementStore.ts';
import { listTradedTickers } from './tradedMarkets.ts';

type Deps = { database: Database };
type Act = { ticker: string; by: string; reason: string };

/** The owner of settlement operations; not a user. */
const HOUSE = 'house';

/** Settlements, newest first, each with the proposal that waits for a second admin. */
export async function listSettlements(
  deps: Deps,
  limit: number,
): Promise<(Settlement & { pending: PendingProposal | null })[]> {
  const { orm } = deps.database;
  const [settlements, pending] = await Promise.all([
    orm.select().from(marketSettlements).orderBy(desc(marketSettlements.settledAt)).limit(limit),
    listPendingProposals(orm),
  ]);
  return settlements.map((one) => ({ ...one, pending: pending.get(one.ticker) ?? null }));
}

/** `sent`: submitted to the chain. `pending`: waits for a second admin. */
export type ProposalOutcome = 'sent' | 'pending';

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
      await dropPendingProposal(tx, ticker);
      await handOverProposal(tx, settlement, payoutYesMicros);
    } else {
      await storePendingProposal(tx, { ticker, payoutYesMicros, proposedBy: by, reason });
    }
    const outcome = isExchanges ? 'sent' : 'pending';
    await recordAudit(
      { database: { orm: tx } },
      {
        actor: by,
        action: 'propose_settlement',
        subject: ticker,
        reason,
        before: summaryOf(settlement),
        after: { ...summaryOf(settlement, payoutYesMicros), outcome },
      },
    );
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
  { ticker, by, reason, payoutYesMicros }: Act & { payoutYesMicros: bigint },
): Promise<void> {
  await deps.database.orm.transaction(async (tx) => {
    const settlement = await requireProposable(tx, ticker);
    const pending = await takePendingProposal(tx, { ticker, payoutYesMicros });
    if (!pending)
      throw new NotAllowedError('No proposal of this payout is waiting for confirmation.');
    if (isSamePerson(pending.proposedBy, by)) {
      throw new NotAllowedError('An admin other than the proposer must confirm it.');
    }
    if (settlement) await handOverProposal(tx, settlement, payoutYesMicros);
    else await storeSettlement(tx, { ticker, payoutYesMicros, settledAt: new Date() });
    await recordAudit(
      { database: { orm: tx } },
      {
        actor: by,
        action: 'confirm_settlement',
        subject: ticker,
        reason,
        before: { ...summaryOf(settlement), proposedBy: pending.proposedBy },
        after: summaryOf(settlement, payoutYesMicros),
      },
    );
  });
}

const isSamePerson = (one: string, other: string) =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

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

async function handOverProposal(
  tx: Queryable,
  settlement: Settlement,
  payoutYesMicros: bigint,
): Promise<void> {
  await tx
    .update(marketSettlements)
    .set({ payoutYesMicros })
    .where(eq(marketSettlements.ticker, settlement.ticker));
  await handOff(tx, { ...settlement, payoutYesMicros }, 'propose');
}

/** Makes a proposal final after its delay. @throws {NotAllowedError} */
export async function finalizePayout(deps: Deps, act: Act): Promise<void> {
  const { ticker, by, reason } = act;
  await deps.database.orm.transaction(async (tx) => {
    const settlement = await requireSettlement(tx, ticker);
    const event = await findLatestSettlementEvent(tx, settlement.marketKey);
    if (event?.kind !== 'proposed') throw new NotAllowedError('There is no pending proposal.');
    const from = Number(event.finalizableAt ?? 0n) * 1000;
    if (from > Date.now()) {
      throw new NotAllowedError(`It can be finalized from ${new Date(from).toISOString()}.`);
    }
    if (event.payoutYesMicros !== settlement.payoutYesMicros) {
      throw new NotAllowedError('The proposal differs from the exchange’s result.');
    }
    await handOff(tx, settlement, 'finalize');
    await recordAudit(
      { database: { orm: tx } },
      {
        actor: by,
        action: 'finalize_settlement',
        subject: ticker,
        reason,
        before: summaryOf(settlement),
      },
    );
  });
}

export type ContractCall = { to: Hex; data: Hex };

/**
 * The call that vetoes a proposal. Only PAUSER and ADMIN may send it, whose keys the service does
 * not have; the request is audited. @throws {NotAllowedError}
 */
export async function prepareVeto(
  deps: Deps & { chain: Chain },
  { ticker, by, reason }: Act,
): Promise<ContractCall> {
  return await deps.database.orm.transaction(async (tx) => {
    const settlement = await requireSettlement(tx, ticker);
    const event = await findLatestSettlementEvent(tx, settlement.marketKey);
    if (event?.kind !== 'proposed') throw new NotAllowedError('There is no pending proposal.');
    await recordAudit(
      { database: { orm: tx } },
      {
        actor: by,
        action: 'prepare_veto',
        subject: ticker,
        reason,
        before: summaryOf(settlement),
      },
    );
    const args = [settlement.marketKey as Hex] as const;
    return {
      to: deps.chain.contracts.swapVault,
      data: encodeFunctionData({ abi: swapVaultAbi, functionName: 'vetoSettlement', args }),
    };
  });
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

async function handOff(
  tx: Queryable,
  settlement: Settlement,
  kind: 'propose' | 'finalize',
): Promise<void> {
  const latest = await findLatestOperation(tx, settlement.id, kind);
  if (latest?.state === 'ready' || latest?.state === 'sent') {
    throw new NotAllowedError('This is already being sent to the chain.');
  }
  const args: SettlementArgs = {
    ticker: settlement.ticker,
    marketKey: settlement.marketKey,
    payoutYesMicros: settlement.payoutYesMicros.toString(),
    payoutNoMicros: (MICROS - settlement.payoutYesMicros).toString(),
  };
  await addOperations(tx, { id: settlement.id, accountId: HOUSE }, [
    { kind, attempt: (latest?.attempt ?? 0) + 1, args },
  ]);
}

function summaryOf(settlement: Settlement | undefined, payoutYesMicros?: bigint) {
  const shown = payoutYesMicros ?? settlement?.payoutYesMicros;
  return { state: settlement?.state ?? null, payoutYesMicros: shown?.toString() ?? null };
}
