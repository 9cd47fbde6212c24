import { and, desc, eq, gt } from 'drizzle-orm';
import { type Address, getAbiItem, getAddress, type Hex, type Log, toEventSelector } from 'viem';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { namesSessionKey } from '#lib/account/sessionKey.ts';
import { eventFilter } from '../../chain/eventFilter.ts';
import { positionOf } from '../../chain/vaultLogs.ts';
import type { Queryable } from '../../platform/database/client.ts';
import { insertRows } from '../../platform/database/insertRows.ts';
import { sessionKeyEvents } from '../../platform/database/schema/sessionKeys.ts';

export type SessionKeyEvent = typeof sessionKeyEvents.$inferSelect;

const NAMES = ['GrantSet', 'SessionKeyAdded', 'SessionKeyRemoved'] as const;
const keyLogs = eventFilter(tradingAccountAbi, NAMES);

/** The first topics of the logs that change which keys sign for an account. */
export const SESSION_KEY_TOPICS: Hex[] = NAMES.map((name) =>
  toEventSelector(getAbiItem({ abi: tradingAccountAbi, name })),
);

/** What these accounts' logs say about session keys. A grant without one says nothing. */
export function readSessionKeyEvents(
  accounts: readonly Address[],
  logs: readonly Log[],
): SessionKeyEvent[] {
  return keyLogs.read(accounts, logs).flatMap((log): SessionKeyEvent[] => {
    const { key } = log.args;
    // Nodes return addresses in lower case.
    const common = { ...positionOf(log), accountAddress: getAddress(log.address), key };
    if (log.eventName === 'SessionKeyRemoved') {
      return [{ ...common, kind: 'removed', grantNonce: log.args.grantNonce, keyKind: null }];
    }
    const { keyKind } = log.args;
    if (log.eventName === 'SessionKeyAdded') {
      return [{ ...common, kind: 'added', grantNonce: log.args.grantNonce, keyKind }];
    }
    if (!namesSessionKey({ keyKind })) return [];
    return [{ ...common, kind: 'granted', grantNonce: log.args.nonce, keyKind }];
  });
}

/** Idempotent: a log that is read again changes nothing. */
export async function storeSessionKeyEvents(
  tx: Queryable,
  events: readonly SessionKeyEvent[],
): Promise<void> {
  await insertRows(tx, sessionKeyEvents, events);
}

/** Deletes what was read from blocks after this one. */
export async function deleteSessionKeyEvents(tx: Queryable, after: bigint): Promise<void> {
  await tx.delete(sessionKeyEvents).where(gt(sessionKeyEvents.blockNumber, after));
}

/** An owner signs for each event; the node takes the keys of these in one request. */
const MOST_EVENTS = 100;

/** The newest events of one grant, oldest first. */
export async function listSessionKeyEvents(
  db: Queryable,
  account: Address,
  grantNonce: bigint,
): Promise<SessionKeyEvent[]> {
  const { accountAddress, blockNumber, logIndex } = sessionKeyEvents;
  const newest = await db
    .select()
    .from(sessionKeyEvents)
    .where(and(eq(accountAddress, account), eq(sessionKeyEvents.grantNonce, grantNonce)))
    .orderBy(desc(blockNumber), desc(logIndex))
    .limit(MOST_EVENTS);
  return newest.reverse();
}
