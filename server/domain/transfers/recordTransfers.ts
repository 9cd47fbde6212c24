import { type Address, type Hex, isAddressEqual } from 'viem';
import { recordBlocks } from '#server/chain/blockTimes.ts';
import type { Chain } from '#server/chain/client.ts';
import {
  listStoredLogs,
  type NewTokenTransfer,
  type NewVaultEvent,
  readTokenTransfers,
  readVaultEvents,
} from '#server/chain/vaultLogs.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { type LedgerAsset, type LedgerLine, tokenAsset } from '../ledger/ledger.ts';
import { findOutcomeByTokenId } from '../markets/catalogue/outcomes.ts';
import type { TradeOrder } from '../orders/lifecycle/chainOrder.ts';
import type { OrderRow } from '../orders/lifecycle/lease.ts';
import {
  deliveryPosting,
  lockPosting,
  refundPosting,
  withdrawalPosting,
} from '../orders/lifecycle/ledgerPostings.ts';
import { orderIdOfWithdrawalRef } from '../orders/lifecycle/withdrawalRef.ts';
import { findOwnOrders, findOwnWithdrawals } from '../orders/read/ownEvents.ts';
import { type BlockLogs, type LoggedEntry, readFacts } from './readBlocks.ts';
import {
  type ChainPosting,
  insertChainPostings,
  listTransfersOf,
  storeTransfers,
  storeWithdrawals,
} from './store.ts';
import {
  type Movement,
  type Places,
  unexplainedLines,
  type VaultEntry,
} from './unexplainedLines.ts';

type Deps = { database: Database; chain: Chain };

/** Everything in one transaction that matters to the ledger. */
type Happening = {
  blockNumber: bigint;
  movements: Movement[];
  ownLines: LedgerLine[];
  facts: VaultEntry[];
};

/**
 * Posts a range of blocks in the caller's transaction: transfers, and what our own postings do not
 * cover.
 */
export async function recordTransferBlocks(
  deps: Deps,
  tx: Queryable,
  logs: BlockLogs,
  where: { treasury: Address; followedSince: ReadonlyMap<string, bigint> },
): Promise<void> {
  const { swapVault } = deps.chain.contracts;
  await storeTransfers(tx, logs.usdcTransfers);
  const { usdcTransfers, tokens, events } = await withWhatWasReadBefore(deps, tx, logs);
  const assetOf = await readAssets(deps, tokens);
  const happenings = new Map<string, Happening>();
  const at = (position: { transactionHash: string; blockNumber: bigint }): Happening => {
    const known = happenings.get(position.transactionHash);
    if (known) return known;
    const { blockNumber } = position;
    const fresh = { blockNumber, movements: [], ownLines: [], facts: [] };
    happenings.set(position.transactionHash, fresh);
    return fresh;
  };
  for (const one of usdcTransfers) {
    at(one).movements.push(movementOf('usdc', one, one.usdcMicros));
  }
  for (const one of tokens) {
    at(one).movements.push(movementOf(assetOf(one.tokenId), one, one.contractMicros));
  }
  for (const fact of readFacts(swapVault, logs.contractLogs)) {
    happenings.get(fact.transactionHash)?.facts.push(factOf(fact, assetOf));
  }
  await addOrderLines(tx, events, at);
  await addWithdrawalLines(tx, logs.withdrawals, at);
  const postings = [...happenings].map(([reference, happening]): ChainPosting => {
    const { blockNumber, movements, ownLines, facts } = happening;
    const places: Places = {
      vault: swapVault,
      treasury: where.treasury,
      // The opening balance covers what an account held when it was first seen.
      follows: (account) => (where.followedSince.get(account) ?? blockNumber) < blockNumber,
    };
    const lines = unexplainedLines(movements, ownLines, facts, places);
    return { name: 'transfer', reference, blockNumber, lines };
  });
  await insertChainPostings(tx, postings);
  // Last, because other writers of these blocks, such as a signer, wait for this commit.
  await recordBlocks(tx, logs.usdcBlocks);
}

/**
 * All known logs of these transactions. A node's response can have gaps, so earlier reads count
 * too: otherwise a movement missing this time would be reversed.
 */
async function withWhatWasReadBefore(deps: Deps, tx: Queryable, logs: BlockLogs) {
  const { swapVault, outcomeToken } = deps.chain.contracts;
  const tokens = readTokenTransfers(outcomeToken, logs.contractLogs);
  const events = readVaultEvents(swapVault, logs.contractLogs);
  const seen = [...logs.usdcTransfers, ...tokens, ...events, ...logs.withdrawals];
  const hashes = [...new Set(seen.map((one) => one.transactionHash))];
  const stored = await listStoredLogs(tx, hashes);
  return {
    usdcTransfers: await listTransfersOf(tx, hashes),
    tokens: union(tokens, stored.tokens, (one) => `${one.logIndex}|${one.batchIndex}`),
    events: union(events, stored.events, (one) => `${one.logIndex}`),
  };
}

function union<Item extends { transactionHash: string }>(
  read: readonly Item[],
  stored: readonly Item[],
  placeOf: (item: Item) => string,
): Item[] {
  const items = [...stored, ...read];
  return [...new Map(items.map((one) => [`${one.transactionHash}|${placeOf(one)}`, one])).values()];
}

function movementOf(
  asset: LedgerAsset,
  transfer: { fromAddress: string; toAddress: string },
  amountMicros: bigint,
): Movement {
  return {
    asset,
    from: transfer.fromAddress as Address,
    to: transfer.toAddress as Address,
    amountMicros,
  };
}

function factOf(fact: LoggedEntry, assetOf: (tokenId: string) => LedgerAsset): VaultEntry {
  if (fact.kind === 'redeemed') return fact;
  return {
    kind: fact.kind,
    amountMicros: fact.amountMicros,
    asset: fact.tokenId === undefined ? 'usdc' : assetOf(fact.tokenId),
  };
}

async function readAssets(
  deps: Deps,
  tokens: NewTokenTransfer[],
): Promise<(tokenId: string) => LedgerAsset> {
  const assets = new Map<string, LedgerAsset>();
  for (const tokenId of new Set(tokens.map((token) => token.tokenId))) {
    const outcome = await findOutcomeByTokenId(deps, BigInt(tokenId));
    if (outcome) assets.set(tokenId, tokenAsset(outcome.ticker, outcome.side));
  }
  return (tokenId) => assets.get(tokenId) ?? `token:${tokenId as Hex}`;
}

async function addOrderLines(
  tx: Queryable,
  events: NewVaultEvent[],
  at: (event: NewVaultEvent) => Happening,
): Promise<void> {
  const own = await findOwnOrders(
    tx,
    events.map((event) => event.chainOrderId),
  );
  for (const event of events) {
    const order = own.get(event.chainOrderId);
    if (order) at(event).ownLines.push(...linesOf(order, event));
    else at(event).facts.push({ kind: 'foreign_order' });
  }
}

function linesOf(order: TradeOrder, event: NewVaultEvent): LedgerLine[] {
  switch (event.kind) {
    case 'requested':
      return lockPosting(order).lines;
    case 'filled':
      return deliveryPosting(order, {
        filledContractMicros: event.filledContractMicros ?? 0n,
        quoteUsdcMicros: event.quoteUsdcMicros ?? 0n,
      }).lines;
    case 'refunded':
      return refundPosting(order, event.returnedMicros ?? 0n).lines;
  }
}

async function addWithdrawalLines(
  tx: Queryable,
  withdrawals: BlockLogs['withdrawals'],
  at: (position: { transactionHash: string; blockNumber: bigint }) => Happening,
): Promise<void> {
  const own = await findOwnWithdrawals(
    tx,
    withdrawals.flatMap(({ reference }) => orderIdOfWithdrawalRef(reference) ?? []),
  );
  const ours = withdrawals.flatMap((withdrawal) => {
    const order = own.get(orderIdOfWithdrawalRef(withdrawal.reference) ?? '');
    return order && isOf(order, withdrawal.account) ? [{ order, withdrawal }] : [];
  });
  for (const { order, withdrawal } of ours) {
    at(withdrawal).ownLines.push(...withdrawalPosting(order).lines);
  }
  await storeWithdrawals(
    tx,
    ours.map(({ order, withdrawal: { transactionHash, blockNumber } }) => ({
      orderId: order.id,
      accountAddress: order.accountId,
      transactionHash,
      blockNumber,
    })),
  );
}

function isOf(order: OrderRow, account: Address): boolean {
  return isAddressEqual(order.accountId as Address, account);
}
