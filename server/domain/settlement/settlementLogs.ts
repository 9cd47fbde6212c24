import { gt, type SQL, sql } from 'drizzle-orm';
import type { Address, Hex, Log } from 'viem';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { eventFilter } from '../../chain/eventFilter.ts';
import { errorName, positionOf } from '../../chain/vaultLogs.ts';
import type { Queryable } from '../../platform/database/client.ts';
import { isOneOf } from '../../platform/database/isOneOf.ts';
import {
  pairMerges,
  redemptions,
  settlementEvents,
} from '../../platform/database/schema/settlement.ts';

type NewSettlementEvent = typeof settlementEvents.$inferInsert;
type NewRedemption = Omit<typeof redemptions.$inferInsert, 'seenAt'> & {
  seenAt: SQL<Date>;
};

/** Identifies one redemption in a batch. A batch may contain the same one twice. */
type RedemptionKey = {
  holder: Address;
  marketKey: Hex;
  outcome: number;
  contractMicros: bigint;
};

const SETTLEMENT_EVENTS = [
  'SettlementProposed',
  'SettlementVetoed',
  'SettlementFinalized',
] as const;

const settlementLogs = eventFilter(settlementAbi, SETTLEMENT_EVENTS);
const redemptionLogs = eventFilter(settlementAbi, ['Redeemed', 'RedeemFailed']);
const mergeLogs = eventFilter(settlementAbi, ['PairsMerged']);

function readSettlementEvents(settlement: Address, logs: Log[]): NewSettlementEvent[] {
  const parsed = settlementLogs.read(settlement, logs);
  return parsed.map((log): NewSettlementEvent => {
    const common = { ...positionOf(log), marketKey: log.args.marketKey };
    if (log.eventName === 'SettlementVetoed') return { ...common, kind: 'vetoed' };
    const payouts = { payoutYesMicros: log.args.payoutYes, payoutNoMicros: log.args.payoutNo };
    return log.eventName === 'SettlementProposed'
      ? { ...common, ...payouts, kind: 'proposed', finalizableAt: log.args.finalizableAt }
      : { ...common, ...payouts, kind: 'finalized', collateralUsdcMicros: log.args.collateral };
  });
}

export function readRedemptions(settlement: Address, logs: Log[]): NewRedemption[] {
  const parsed = redemptionLogs.read(settlement, logs, 'Redeemed');
  return parsed.map((log) => ({
    ...positionOf(log),
    holder: log.args.holder,
    marketKey: log.args.marketKey,
    outcome: log.args.outcome,
    contractMicros: log.args.amount,
    payoutUsdcMicros: log.args.payout,
    seenAt: seenAtOf(log),
  }));
}

/** Merges of pairs, from any sender. */
export function readMerges(settlement: Address, logs: Log[]): (typeof pairMerges.$inferInsert)[] {
  return mergeLogs.read(settlement, logs).map((log) => ({
    ...positionOf(log),
    holder: log.args.holder,
    marketKey: log.args.marketKey,
    contractMicros: log.args.amount,
    byTreasury: log.args.byTreasury,
  }));
}

/**
 * A log that is read again, for instance after a fork, keeps its time. Blocks are dated by the
 * whole second, so one in the same second as an order counts as later.
 */
function seenAtOf({ blockTimestamp }: Log): SQL<Date> {
  if (typeof blockTimestamp !== 'bigint') return sql<Date>`now()`;
  return sql<Date>`least(now(), to_timestamp(${blockTimestamp.toString()}::bigint + 1))`;
}

/** Stores a block's or receipt's logs about settlements. Idempotent. */
export async function storeSettlementLogs(
  tx: Queryable,
  settlement: Address,
  logs: Log[],
): Promise<void> {
  const events = readSettlementEvents(settlement, logs);
  if (events.length > 0) await tx.insert(settlementEvents).values(events).onConflictDoNothing();
  const redeemed = readRedemptions(settlement, logs);
  if (redeemed.length > 0) await tx.insert(redemptions).values(redeemed).onConflictDoNothing();
  const merged = readMerges(settlement, logs);
  if (merged.length > 0) await tx.insert(pairMerges).values(merged).onConflictDoNothing();
}

export type DeletedSettlementLogs = { marketKeys: string[]; redeemers: string[] };

export async function deleteSettlementLogs(
  tx: Queryable,
  afterBlock: bigint,
): Promise<DeletedSettlementLogs> {
  return await forget(
    tx,
    gt(settlementEvents.blockNumber, afterBlock),
    gt(redemptions.blockNumber, afterBlock),
    gt(pairMerges.blockNumber, afterBlock),
  );
}

/** Deletes what was read from the receipts of removed transactions. */
export async function deleteSettlementsOf(
  tx: Queryable,
  hashes: readonly string[],
): Promise<DeletedSettlementLogs> {
  return await forget(
    tx,
    isOneOf(settlementEvents.transactionHash, hashes),
    isOneOf(redemptions.transactionHash, hashes),
    isOneOf(pairMerges.transactionHash, hashes),
  );
}

async function forget(
  tx: Queryable,
  ofSettlements: SQL,
  ofRedemptions: SQL,
  ofMerges: SQL,
): Promise<DeletedSettlementLogs> {
  // No state rests on them; the postings of their transfers go with the transfers.
  await tx.delete(pairMerges).where(ofMerges);
  const events = await tx
    .delete(settlementEvents)
    .where(ofSettlements)
    .returning({ marketKey: settlementEvents.marketKey });
  const redeemed = await tx
    .delete(redemptions)
    .where(ofRedemptions)
    .returning({ holder: redemptions.holder });
  return {
    marketKeys: events.map((event) => event.marketKey),
    redeemers: redeemed.map((redemption) => redemption.holder),
  };
}

/**
 * For each redemption of a batch, in order: undefined when it happened, else the name of the error.
 * One log proves one redemption only.
 */
export function redemptionFailures(
  settlement: Address,
  logs: Log[],
  asked: readonly RedemptionKey[],
): (string | undefined)[] {
  const done = readRedemptions(settlement, logs);
  const failed = redemptionLogs.read(settlement, logs, 'RedeemFailed');
  return asked.map((key) => {
    const at = done.findIndex((one) => isOf(key, one) && one.contractMicros === key.contractMicros);
    if (at >= 0) {
      done.splice(at, 1);
      return undefined;
    }
    const refusal = failed.findIndex((log) => isOf(key, log.args));
    const [log] = refusal >= 0 ? failed.splice(refusal, 1) : [];
    return log ? errorName(log.args.reason) : 'not_in_receipt';
  });
}

function isOf(
  key: RedemptionKey,
  log: { holder: string; marketKey: string; outcome: number },
): boolean {
  return (
    log.holder.toLowerCase() === key.holder.toLowerCase() &&
    log.marketKey === key.marketKey &&
    log.outcome === key.outcome
  );
}
