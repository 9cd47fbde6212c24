import { and, eq } from 'drizzle-orm';
import type { Address, Hex } from 'viem';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import { readBalances, readTokenBalance } from '#server/chain/accountReads.ts';
import { readAccountSnapshot } from '#server/chain/accountSnapshot.ts';
import { isOrderDone } from '#server/chain/operations/effects.ts';
import { findProceeds } from '#server/chain/vaultLogs.ts';
import { readVaultRoom } from '#server/chain/vaultRoom.ts';
import { getRecordedGrant, markGrantRelayed } from '#server/domain/accounts/grants.ts';
import { isHaltedByAdmin } from '#server/domain/admin/suspensions.ts';
import { readShardCash } from '#server/domain/collateral/shardCash.ts';
import { isBeyondLimits } from '#server/domain/limits/enforce.ts';
import { getRecentTradingMarket } from '#server/domain/markets/quotes/tradingMarket.ts';
import {
  lookUpAttempt,
  OWN_ORDER_AT_PRICE,
  readPermit,
} from '#server/domain/orders/lifecycle/attempts.ts';
import { findDelivery, isGrantUnderWay } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { asTradeOrder, rests, type TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import { findOwnLevels } from '#server/domain/orders/lifecycle/ownLevels.ts';
import { reserveRoom } from '#server/domain/orders/lifecycle/room/reserveRoom.ts';
import { readUnwindRecord } from '#server/domain/orders/lifecycle/unwinding.ts';
import {
  listOpenRedemptions,
  listRedemptionTransactions,
} from '#server/domain/orders/redeem/redemptionOrders.ts';
import { findSettlement, listRedemptions } from '#server/domain/settlement/settlementStore.ts';
import { findWithdrawalEvent } from '#server/domain/transfers/store.ts';
import type {
  ExchangeFill,
  PlaceOrderOutcome,
  PlaceOrderRequest,
  TradeAction,
} from '#server/exchange/port.ts';
import { orderEvents } from '#server/platform/database/schema/orders.ts';
import { ServiceError } from '#server/platform/errors.ts';
import type {
  FactName,
  FilledAttempt,
  Need,
  NeededFacts,
  StoredAttempt,
  UserTransaction,
} from '../steps/facts.ts';
import type { FactReaders } from './readers.ts';
import { RESTING_READERS } from './readRestingFact.ts';
import type { StepDeps } from './stepDeps.ts';

const READERS: FactReaders<FactName> = {
  async isKnownToVault({ chain }, order) {
    return await isOrderDone(chain, asTradeOrder(order).chainOrderId as Hex, 'request');
  },
  userTransaction: readUserTransaction,
  async account({ chain }, order) {
    const outcome = order.kind === 'withdrawal' ? undefined : asTradeOrder(order);
    return await readAccountSnapshot(chain, order.accountId as Address, outcome);
  },
  async recordedGrant(deps, { accountId }) {
    return (await getRecordedGrant(deps, accountId)) ?? null;
  },
  async isGrantUnderWay({ database }, { accountId }) {
    return await isGrantUnderWay(database, accountId);
  },
  async isGrantMarked(deps, { accountId }, { nonce }) {
    await markGrantRelayed(deps, accountId, nonce);
    return true;
  },
  async halt(deps, order) {
    return (await isHaltedByAdmin(deps, asTradeOrder(order).ticker)) ?? null;
  },
  async isBeyondLimits({ database }, order) {
    return await isBeyondLimits(database, order);
  },
  market: readMarket,
  async room(deps, order, { placingMs }) {
    return await reserveRoom(deps, asTradeOrder(order), placingMs);
  },
  async shardCash({ database, exchange, config }, order, { shard }) {
    const { tradeAction, quoteLimitUsdcMicros, contractMicros } = asTradeOrder(order);
    // A sale takes cash where it opens the other side: at most a dollar per contract.
    const needMicros = tradeAction === 'buy' ? quoteLimitUsdcMicros : contractMicros;
    const { shardTargets } = config;
    return await readShardCash({ database, exchange, shardTargets }, { shard, needMicros });
  },
  async sent(deps, order, { attempt, tradeAction }) {
    const outcome = await sendAttempt(deps, asTradeOrder(order), tradeAction, attempt);
    return { attempt, outcome };
  },
  async lookedUp({ exchange }, order, { attempt }) {
    return await lookUpAttempt(exchange, asTradeOrder(order), attempt);
  },
  async fills(deps, order, { attempt }) {
    return await readFills(deps, asTradeOrder(order), attempt);
  },
  async newFills(deps, order, { attempt }) {
    return await readNewFills(deps, asTradeOrder(order), attempt);
  },
  async deliveredTo({ chain, database }, order, { filled }) {
    const { tradeAction, ticker, side } = asTradeOrder(order);
    const receiver =
      tradeAction === 'sell'
        ? await findProceeds(chain, filled)
        : await findDelivery(database, filled, outcomeTokenId(ticker, side));
    return receiver ?? null;
  },
  async vaultRoom({ chain }) {
    return await readVaultRoom(chain);
  },
  heldMicros: readHeld,
  async withdrawnIn({ database }, { id }) {
    return (await findWithdrawalEvent(database.orm, id))?.transactionHash ?? null;
  },
  async settlement({ database }, order) {
    return (await findSettlement(database.orm, asTradeOrder(order).ticker)) ?? null;
  },
  redemptions: readRedemptions,
  async unwinding({ database }, { id }) {
    return await readUnwindRecord(database.orm, id);
  },
  async listedMarket({ exchange }, order) {
    return (await exchange.getMarket(asTradeOrder(order).ticker)) ?? null;
  },
  async orderBook({ exchange }, order) {
    return await exchange.getOrderBook(asTradeOrder(order).ticker);
  },
  ...RESTING_READERS,
};

/** Provides a fact that a step needs: reads it, or performs the action that produces it. */
export async function readFact<Fact extends FactName>(
  deps: StepDeps,
  order: OrderRow,
  need: Need<Fact>,
): Promise<NeededFacts[Fact]> {
  return await READERS[need.fact](deps, order, need);
}

async function readUserTransaction(
  { chain, database }: StepDeps,
  order: OrderRow,
): Promise<UserTransaction | null> {
  const [locked] = await database.orm
    .select({ hash: orderEvents.transactionHash })
    .from(orderEvents)
    .where(and(eq(orderEvents.orderId, order.id), eq(orderEvents.type, 'validated')));
  if (!locked?.hash) return null;
  const params: [Hex] = [locked.hash as Hex];
  const [receipt, head] = await Promise.all([
    chain.client.request({ method: 'eth_getTransactionReceipt', params }),
    chain.client.getBlockNumber({ cacheTime: 0 }),
  ]);
  return receipt && userTransactionOf(receipt, head);
}

/** The transaction's own block is its first confirmation. */
export function userTransactionOf(
  receipt: { status: string; blockNumber: Hex },
  head: bigint,
): UserTransaction {
  return {
    hasFailed: receipt.status === '0x0',
    confirmations: head + 1n - BigInt(receipt.blockNumber),
  };
}

async function readMarket(deps: StepDeps, order: OrderRow): Promise<NeededFacts['market']> {
  const { ticker } = asTradeOrder(order);
  try {
    const [trading, own] = await Promise.all([
      getRecentTradingMarket(deps, ticker),
      rests(order) ? {} : findOwnLevels(deps.database, ticker),
    ]);
    return { ...trading, own };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code !== 'market_not_found' && error.code !== 'fee_unknown') throw error;
    return { problem: error.code };
  }
}

/** The account's balance of USDC or of the tokens that a withdrawal or a redemption takes. */
async function readHeld({ chain }: StepDeps, order: OrderRow): Promise<bigint> {
  const account = order.accountId as Address;
  if (order.kind !== 'withdrawal') {
    return (await readBalances(chain, account, asTradeOrder(order))).contractMicros;
  }
  return order.withdrawTokenId === null
    ? (await readBalances(chain, account)).usdcMicros
    : await readTokenBalance(chain, account, BigInt(order.withdrawTokenId));
}

async function readRedemptions(
  { database: { orm } }: StepDeps,
  row: OrderRow,
): Promise<NeededFacts['redemptions']> {
  const order: TradeOrder = asTradeOrder(row);
  const { accountId, ticker, side, withoutToken } = order;
  const [done, credited, open] = await Promise.all([
    listRedemptions(orm, { holder: accountId, ticker, side }),
    listRedemptionTransactions(orm, order),
    withoutToken ? listOpenRedemptions(orm, accountId, [ticker]) : undefined,
  ]);
  return { done, credited, isOrderedByOwner: open?.has(`${ticker}|${side}`) ?? false };
}

/** Sends an attempt to the exchange if it may still be sent once nothing is left to wait for. */
async function sendAttempt(
  deps: StepDeps,
  order: TradeOrder,
  action: TradeAction,
  attempt: StoredAttempt,
): Promise<PlaceOrderOutcome> {
  const { ticker, side } = order;
  const { clientOrderId, shard = 0, contractMicros, limitPriceMicros, storedAt } = attempt;
  const terms = { ticker, shard, action, side, contractMicros, limitPriceMicros };
  // What is traded back takes from the book, however its order was placed.
  const kind = action === order.tradeAction ? placementOf(order) : {};
  let isInOwnWay = false;
  deps.checkpoint('exchange.before_place');
  const outcome = await deps.exchange.placeOrder({
    ...terms,
    ...kind,
    clientOrderId,
    storedAt,
    async mayBeSent() {
      const permit = await readPermit(deps, order, attempt);
      isInOwnWay = permit === 'crosses';
      deps.checkpoint('exchange.send_permitted');
      return permit === 'send';
    },
  });
  deps.checkpoint('exchange.after_place');
  // It has not left, and only this run may send it.
  return isInOwnWay
    ? { kind: 'no_fill', reason: 'would_self_trade', code: OWN_ORDER_AT_PRICE }
    : outcome;
}

/** How an order waits at the exchange; a market order does not. */
function placementOf(
  order: TradeOrder,
): Pick<PlaceOrderRequest, 'timeInForce' | 'restsUntil' | 'isPostOnly'> {
  if (order.timeInForce === 'FOK') return { timeInForce: 'fill_or_kill' };
  if (!rests(order)) return {};
  const { restsUntil, isPostOnly } = order;
  return { timeInForce: 'resting', isPostOnly, ...(restsUntil && { restsUntil }) };
}

/** The fills from the exchange's feed, otherwise those that it lists. */
async function readNewFills(
  deps: StepDeps,
  order: TradeOrder,
  attempt: FilledAttempt,
): Promise<ExchangeFill[] | null> {
  const buffered = await deps.exchange.bufferedFills({
    exchangeOrderId: attempt.exchangeOrderId ?? '',
    side: order.side,
    filledContractMicros: attempt.filledContractMicros ?? 0n,
  });
  if (!buffered) return await readFills(deps, order, attempt);
  deps.checkpoint('exchange.fills_read');
  return buffered;
}

/** The fills once the exchange lists all that the order reported; null until then. */
async function readFills(
  deps: StepDeps,
  { ticker, side, createdAt }: TradeOrder,
  attempt: FilledAttempt,
): Promise<ExchangeFill[] | null> {
  const exchangeOrderId = attempt.exchangeOrderId ?? '';
  const fills = await deps.exchange.listFills({ ticker, exchangeOrderId, side, sentAt: createdAt });
  const shownMicros = fills.reduce((sum, fill) => sum + fill.contractMicros, 0n);
  if (shownMicros < (attempt.filledContractMicros ?? 0n)) return null;
  deps.checkpoint('exchange.fills_read');
  return fills;
}
