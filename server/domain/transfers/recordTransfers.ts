import { type Address, type Hex, isAddressEqual } from 'viem';
import { recordBlocks } from '#server/chain/blockTimes.ts';
import type { Chain } from '#server/chain/client.ts';
import {
  lessEarlierFills,
  listPartialFills,
  listStoredLogs,
  type NewTokenTransfer,
  type NewVaultEvent,
  readTokenTransfers,
  readVaultEvents,
} from '#server/chain/vaultLogs.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { storeSessionKeyEvents } from '../accounts/sessionKeyEvents.ts';
import { type LedgerAsset, type LedgerLine, tokenAsset } from '../ledger/ledger.ts';
import { findOutcomeByTokenId } from '../markets/catalogue/outcomes.ts';
import { linesOfEvent, withdrawalPosting } from '../orders/lifecycle/ledgerPostings.ts';
import { orderIdOfWithdrawalRef } from '../orders/lifecycle/orderRow.ts';
import { findOwnOrders, findOwnWithdrawals } from '../orders/read/ownEvents.ts';
import { type BlockLogs, type LoggedEntry, readContractEntries } from './readBlocks.ts';
import {
  type ChainPosting,
  insertChainPostings,
  listTransfersOf,
  storeTransfers,
  storeWithdrawals,
} from './store.ts';
import {
  type ContractEntry,
  type Movement,
  type Places,
  unexplainedLines,
} from './unexplainedLines.ts';

type Deps = { database: Database; chain: Chain };

type Position = { transactionHash: string; blockNumber: bigint };

/** Everything in one transaction that matters to the ledger. */
type LedgerInput = {
  blockNumber: bigint;
  movements: Movement[];
  ownLines: LedgerLine[];
  entries: ContractEntry[];
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
  const { swapVault, settlement } = deps.chain.contracts;
  await storeTransfers(tx, logs.usdcTransfers);
  await storeSessionKeyEvents(tx, logs.sessionKeyEvents);
  const { usdcTransfers, tokens, events } = await withStoredLogs(deps, tx, logs);
  const assetOf = await readAssets(deps, tokens);
  const inputs = new Map<string, LedgerInput>();
  const at = ({ transactionHash, blockNumber }: Position): LedgerInput => {
    const known = inputs.get(transactionHash);
    if (known) return known;
    const fresh = { blockNumber, movements: [], ownLines: [], entries: [] };
    inputs.set(transactionHash, fresh);
    return fresh;
  };
  for (const one of usdcTransfers) {
    at(one).movements.push(movementOf('usdc', one, one.usdcMicros));
  }
  for (const one of tokens) {
    at(one).movements.push(movementOf(assetOf(one.tokenId), one, one.contractMicros));
  }
  await addOrderLines(tx, events, at);
  await addWithdrawalLines(tx, logs.withdrawals, at);
  // Last: a refund that its account refuses moves nothing but has a credit.
  for (const entry of readContractEntries(deps.chain.contracts, logs.contractLogs)) {
    inputs.get(entry.transactionHash)?.entries.push(withAsset(entry, assetOf));
  }
  const postings = [...inputs].map(([reference, input]): ChainPosting => {
    const { blockNumber, movements, ownLines, entries } = input;
    const places: Places = {
      vault: swapVault,
      settlement,
      treasury: where.treasury,
      // The opening balance covers what an account held when it was first seen.
      follows: (account) => (where.followedSince.get(account) ?? blockNumber) < blockNumber,
    };
    const lines = unexplainedLines(movements, ownLines, entries, places);
    return { name: 'transfer', reference, blockNumber, lines };
  });
  await insertChainPostings(tx, postings);
  // Last, because other writers of these blocks, such as a signer, wait for this commit.
  await recordBlocks(tx, logs.blocks);
}

/**
 * All known logs of these transactions. A node's response can have gaps, so earlier reads count
 * too: otherwise a movement missing this time would be reversed.
 */
async function withStoredLogs(deps: Deps, tx: Queryable, logs: BlockLogs) {
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
  const [from, to] = [transfer.fromAddress as Address, transfer.toAddress as Address];
  return { asset, from, to, amountMicros };
}

function withAsset(entry: LoggedEntry, assetOf: (tokenId: string) => LedgerAsset): ContractEntry {
  if (entry.kind === 'redeemed') return entry;
  if (entry.kind === 'merged') {
    const { tokenIds, contractMicros, byTreasury } = entry;
    return { kind: 'merged', assets: tokenIds.map(assetOf), contractMicros, byTreasury };
  }
  const { kind, amountMicros, tokenId } = entry;
  return { kind, amountMicros, asset: tokenId === undefined ? 'usdc' : assetOf(tokenId) };
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
  at: (event: NewVaultEvent) => LedgerInput,
): Promise<void> {
  const chainOrderIds = events.map((event) => event.chainOrderId);
  const own = await findOwnOrders(tx, chainOrderIds);
  const parts = [...(await listPartialFills(tx, chainOrderIds)), ...events];
  for (const event of events) {
    const order = own.get(event.chainOrderId);
    if (order) at(event).ownLines.push(...linesOfEvent(order, lessEarlierFills(event, parts)));
    else at(event).entries.push({ kind: 'foreign_order' });
  }
}

async function addWithdrawalLines(
  tx: Queryable,
  withdrawals: BlockLogs['withdrawals'],
  at: (position: Position) => LedgerInput,
): Promise<void> {
  const ids = withdrawals.flatMap(({ reference }) => orderIdOfWithdrawalRef(reference) ?? []);
  const own = await findOwnWithdrawals(tx, ids);
  const ours = withdrawals.flatMap((withdrawal) => {
    const order = own.get(orderIdOfWithdrawalRef(withdrawal.reference) ?? '');
    const isOwn = order && isAddressEqual(order.accountId as Address, withdrawal.account);
    return isOwn ? [{ order, withdrawal }] : [];
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
