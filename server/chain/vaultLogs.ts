import {
  type Address,
  decodeErrorResult,
  erc20Abi,
  type Hex,
  isAddressEqual,
  type Log,
  parseEventLogs,
} from 'viem';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { tokenIdHex } from '#lib/outcomeToken.ts';
import type { Queryable } from '../platform/database/client.ts';
import { isOneOf } from '../platform/database/isOneOf.ts';
import { tokenTransfers, vaultEvents } from '../platform/database/schema/chain.ts';
import type { Chain } from './client.ts';
import { eventFilter } from './eventFilter.ts';
import type { VaultOrder } from './vaultOrder.ts';

export type NewVaultEvent = typeof vaultEvents.$inferInsert;
export type NewTokenTransfer = typeof tokenTransfers.$inferInsert;

const ORDER_EVENTS = ['OrderRequested', 'OrderFilled', 'OrderRefunded'] as const;
const REFUSALS = ['OrderRejected', 'FillFailed', 'RefundFailed'] as const;
const TOKEN_EVENTS = ['TransferSingle', 'TransferBatch'] as const;

const orderEvents = eventFilter(swapVaultAbi, ORDER_EVENTS);
const refusals = eventFilter(swapVaultAbi, REFUSALS);
const tokenEvents = eventFilter(outcomeTokenAbi, TOKEN_EVENTS);

/** The vault's logs about orders, ready to be stored. */
export function readVaultEvents(vault: Address, logs: Log[]): NewVaultEvent[] {
  return orderEvents.read(vault, logs).map((log): NewVaultEvent => {
    const common = {
      ...positionOf(log),
      chainOrderId: log.args.orderId,
      accountAddress: log.args.account,
      clientRef: log.args.clientRef,
    };
    if (log.eventName === 'OrderRequested') return { ...common, kind: 'requested' };
    if (log.eventName === 'OrderRefunded') {
      return { ...common, kind: 'refunded', returnedMicros: log.args.amount };
    }
    return {
      ...common,
      kind: 'filled',
      filledContractMicros: log.args.filledQuantity,
      quoteUsdcMicros: log.args.quoteAmount,
      returnedMicros: log.args.returnedAmount,
    };
  });
}

/** The requested orders, by the vault's id. */
export function readRequestedOrders(vault: Address, logs: Log[]): Map<Hex, VaultOrder> {
  const parsed = orderEvents.read(vault, logs, 'OrderRequested');
  return new Map(parsed.map((log) => [log.args.orderId, log.args.order]));
}

/** The batch members that the vault refused, with the name of each error. */
export function readRefusals(vault: Address, logs: Log[]): Map<string, string> {
  const parsed = refusals.read(vault, logs);
  return new Map(parsed.map((log) => [log.args.orderId, errorName(log.args.reason)]));
}

/** Movements of outcome tokens, single and batched, ready to be stored. */
export function readTokenTransfers(outcomeToken: Address, logs: Log[]): NewTokenTransfer[] {
  return tokenEvents.read(outcomeToken, logs).flatMap((log) => {
    const common = { ...positionOf(log), fromAddress: log.args.from, toAddress: log.args.to };
    if (log.eventName === 'TransferSingle') {
      return [
        {
          ...common,
          batchIndex: 0,
          tokenId: tokenIdHex(log.args.id),
          contractMicros: log.args.value,
        },
      ];
    }
    const values = log.args.values;
    return log.args.ids.map((id, batchIndex) => ({
      ...common,
      batchIndex,
      tokenId: tokenIdHex(id),
      contractMicros: values[batchIndex] ?? 0n,
    }));
  });
}

const ERRORS_ABI = [
  ...swapVaultAbi,
  ...settlementAbi,
  ...tradingAccountAbi,
  ...outcomeTokenAbi,
  ...testUsdcAbi,
  ...erc20Abi,
].filter((item) => item.type === 'error');

/** The name of a Solidity error; its selector if none of our contracts declares it. */
export function errorName(data: Hex): string {
  if (data === '0x') return 'no_reason';
  try {
    return decodeErrorResult({ abi: ERRORS_ABI, data }).errorName;
  } catch {
    return data.slice(0, 10);
  }
}

/** A log's position on the chain. @throws {TypeError} for a pending block */
export function positionOf(log: Log): {
  transactionHash: Hex;
  logIndex: number;
  blockNumber: bigint;
} {
  const { transactionHash, logIndex, blockNumber } = log;
  if (transactionHash === null || logIndex === null || blockNumber === null) {
    throw new TypeError('a log of a pending block cannot be stored');
  }
  return { transactionHash, logIndex, blockNumber };
}

/** The logs of some transactions that were read so far; a node may return some only later. */
export async function listStoredLogs(
  db: Queryable,
  transactionHashes: readonly string[],
): Promise<{ tokens: NewTokenTransfer[]; events: NewVaultEvent[] }> {
  if (transactionHashes.length === 0) return { tokens: [], events: [] };
  const [tokens, events] = await Promise.all([
    db
      .select()
      .from(tokenTransfers)
      .where(isOneOf(tokenTransfers.transactionHash, transactionHashes)),
    db.select().from(vaultEvents).where(isOneOf(vaultEvents.transactionHash, transactionHashes)),
  ]);
  return { tokens, events };
}

/** The receiver of a sale's USDC; `claimable` if every receiver refused it. */
export type Proceeds = Address | 'claimable';

/**
 * Reads from the transaction whom the vault paid for a sale. It pays right before it logs the fill,
 * so in a batch the last payment before that log belongs to it.
 * @returns undefined when the node does not have the transaction
 */
export async function findProceeds(
  chain: Chain,
  filled: { transactionHash: string; logIndex: number },
): Promise<Proceeds | undefined> {
  const hash = filled.transactionHash as Hex;
  const receipt = await chain.client.getTransactionReceipt({ hash }).catch(() => undefined);
  return receipt && readProceeds(chain.contracts, receipt.logs, filled.logIndex);
}

export function readProceeds(
  contracts: { swapVault: Address; usdc: Address },
  logs: Log[],
  beforeLogIndex: number,
): Proceeds | undefined {
  const { swapVault, usdc } = contracts;
  const before = logs.filter((log) => (log.logIndex ?? Number.POSITIVE_INFINITY) < beforeLogIndex);
  const of = (address: Address) => before.filter((log) => isAddressEqual(log.address, address));
  const paid = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: of(usdc) })
    .filter(({ args }) => isAddressEqual(args.from, swapVault))
    .map((log): [number, Proceeds] => [log.logIndex ?? 0, log.args.to]);
  const credited = parseEventLogs({
    abi: swapVaultAbi,
    eventName: 'Credited',
    logs: of(swapVault),
  });
  const all = [
    ...paid,
    ...credited.map((log): [number, Proceeds] => [log.logIndex ?? 0, 'claimable']),
  ];
  return all.sort(([a], [b]) => a - b).at(-1)?.[1];
}
