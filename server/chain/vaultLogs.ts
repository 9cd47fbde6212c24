import { and, eq, sql } from 'drizzle-orm';
import {
  type Address,
  decodeErrorResult,
  erc20Abi,
  type Hex,
  isAddressEqual,
  type Log,
  parseAbi,
  parseEventLogs,
} from 'viem';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { passkeyWalletAbi } from '#contracts/abi/passkeyWallet.ts';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { maxMicros } from '#lib/money.ts';
import { tokenIdHex } from '#lib/outcomeToken.ts';
import type { Queryable } from '../platform/database/client.ts';
import { isOneOf } from '../platform/database/isOneOf.ts';
import { tokenTransfers, vaultEvents } from '../platform/database/schema/chain.ts';
import type { Chain } from './client.ts';
import { eventFilter } from './eventFilter.ts';
import type { VaultOrder } from './vaultOrder.ts';

export type NewVaultEvent = typeof vaultEvents.$inferInsert;
export type NewTokenTransfer = typeof tokenTransfers.$inferInsert;

const ORDER_EVENTS = [
  'OrderRequested',
  'OrderPartiallyFilled',
  'OrderFilled',
  'OrderRefunded',
  'OrderEndRequested',
] as const;
const REFUSALS = ['OrderRejected', 'FillFailed', 'RefundFailed'] as const;
const TOKEN_EVENTS = ['TransferSingle', 'TransferBatch'] as const;

const orderEvents = eventFilter(swapVaultAbi, ORDER_EVENTS);
const refusals = eventFilter(swapVaultAbi, REFUSALS);
const tokenEvents = eventFilter(outcomeTokenAbi, TOKEN_EVENTS);

/**
 * The vault's logs about orders, ready to be stored. A last fill's log has the totals of its order,
 * which are what it moved unless other fills came before it (`lessEarlierFills`).
 */
export function readVaultEvents(vault: Address, logs: Log[]): NewVaultEvent[] {
  return orderEvents.read(vault, logs).map((log): NewVaultEvent => {
    const common = {
      ...positionOf(log),
      chainOrderId: log.args.orderId,
      accountAddress: log.args.account,
      clientRef: log.args.clientRef,
    };
    const { eventName } = log;
    if (eventName === 'OrderRequested') return { ...common, kind: 'requested' };
    if (eventName === 'OrderRefunded') {
      return { ...common, kind: 'refunded', returnedMicros: log.args.amount };
    }
    if (eventName === 'OrderEndRequested') {
      return { ...common, kind: 'end_requested', endsAt: new Date(log.args.endsAt * 1_000) };
    }
    const { filledQuantity: filledContractMicros, quoteAmount: quoteUsdcMicros } = log.args;
    const moved = { ...common, filledContractMicros, quoteUsdcMicros };
    if (eventName === 'OrderPartiallyFilled') {
      const { filledTotal: filledTotalMicros, quoteTotal: quoteTotalMicros } = log.args;
      return { ...moved, kind: 'partially_filled', filledTotalMicros, quoteTotalMicros };
    }
    return {
      ...moved,
      kind: 'filled',
      filledTotalMicros: filledContractMicros,
      quoteTotalMicros: quoteUsdcMicros,
      returnedMicros: log.args.returnedAmount,
    };
  });
}

/** What each fill moved: a last one's totals, less those of the part before it. */
export function lessEarlierFills<Event extends NewVaultEvent>(
  event: Event,
  ofOrder: readonly NewVaultEvent[],
): Event {
  if (event.kind !== 'filled') return event;
  const parts = ofOrder.filter(
    ({ kind, chainOrderId }) => kind === 'partially_filled' && chainOrderId === event.chainOrderId,
  );
  const most = (totals: (bigint | null | undefined)[]) =>
    totals.reduce<bigint>((max, total) => maxMicros(max, total ?? 0n), 0n);
  const filled = most(parts.map((part) => part.filledTotalMicros));
  const quote = most(parts.map((part) => part.quoteTotalMicros));
  return {
    ...event,
    filledContractMicros: (event.filledTotalMicros ?? 0n) - filled,
    quoteUsdcMicros: (event.quoteTotalMicros ?? 0n) - quote,
  };
}

/** All fills in part that were read of these orders. */
export async function listPartialFills(
  db: Queryable,
  chainOrderIds: readonly string[],
): Promise<NewVaultEvent[]> {
  if (chainOrderIds.length === 0) return [];
  return await db
    .select()
    .from(vaultEvents)
    .where(
      and(
        eq(vaultEvents.kind, 'partially_filled'),
        isOneOf(vaultEvents.chainOrderId, chainOrderIds),
      ),
    );
}

/**
 * Sets what the last fills of these orders moved, once the logs of the parts before them are
 * stored; those may arrive in any order.
 */
export async function storeFillDifferences(
  db: Queryable,
  chainOrderIds: readonly string[],
): Promise<void> {
  if (chainOrderIds.length === 0) return;
  await db.execute(sql`
    update vault_events f set filled_contract_micros = f.filled_total_micros - p.filled,
      quote_usdc_micros = f.quote_total_micros - p.quote
    from (
      select chain_order_id, max(filled_total_micros) as filled, max(quote_total_micros) as quote
      from vault_events where kind = 'partially_filled'
        and chain_order_id = any(${sql.param([...chainOrderIds])}::text[])
      group by chain_order_id
    ) p
    where f.chain_order_id = p.chain_order_id and f.kind = 'filled'`);
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
  ...passkeyWalletAbi,
  ...testUsdcAbi,
  ...erc20Abi,
  ...parseAbi(['error Error(string reason)']),
].filter((item) => item.type === 'error');

/** Circle's USDC gives reasons as text; the local dollar's errors are those of ERC-6093. */
const NAMES_OF_REASONS: Record<string, string> = {
  'ERC20: transfer amount exceeds balance': 'ERC20InsufficientBalance',
  'ERC20: transfer amount exceeds allowance': 'ERC20InsufficientAllowance',
};

/** The name of a Solidity error; its selector if none of our contracts declares it. */
export function errorName(data: Hex): string {
  if (data === '0x') return 'no_reason';
  try {
    const { errorName: name, args } = decodeErrorResult({ abi: ERRORS_ABI, data });
    return (name === 'Error' && NAMES_OF_REASONS[String(args?.[0])]) || name;
  } catch {
    return data.slice(0, 10);
  }
}

/** What a contract returned as the reason, from the error of a simulated call. */
export function revertDataOf(error: unknown): Hex | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('data' in cause && typeof cause.data === 'string' && cause.data.startsWith('0x')) {
      return cause.data as Hex;
    }
  }
  return undefined;
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
