import { type Address, decodeErrorResult, erc20Abi, type Hex, type Log } from 'viem';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { tokenIdHex } from '#lib/outcomeToken.ts';
import type { tokenTransfers, vaultEvents } from '../platform/database/schema/chain.ts';
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

/** What the vault logged about orders, ready to be stored. */
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

/** The whole orders that were requested, by the vault's id. */
export function readRequestedOrders(vault: Address, logs: Log[]): Map<Hex, VaultOrder> {
  const parsed = orderEvents.read(vault, logs, 'OrderRequested');
  return new Map(parsed.map((log) => [log.args.orderId, log.args.order]));
}

/** Members of a batch that the vault refused, with the name of the error. */
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
  ...tradingAccountAbi,
  ...outcomeTokenAbi,
  ...testUsdcAbi,
  ...erc20Abi,
].filter((item) => item.type === 'error');

/** The name of a Solidity error; its selector when no contract of ours declares it. */
export function errorName(data: Hex): string {
  if (data === '0x') return 'no_reason';
  try {
    return decodeErrorResult({ abi: ERRORS_ABI, data }).errorName;
  } catch {
    return data.slice(0, 10);
  }
}

/** Where on the chain a log stands. @throws {TypeError} for a block that is not mined yet */
export function positionOf(log: Log): {
  transactionHash: Hex;
  logIndex: number;
  blockNumber: bigint;
} {
  if (log.transactionHash === null || log.logIndex === null || log.blockNumber === null) {
    throw new TypeError('a log of a pending block cannot be stored');
  }
  return {
    transactionHash: log.transactionHash,
    logIndex: log.logIndex,
    blockNumber: log.blockNumber,
  };
}
