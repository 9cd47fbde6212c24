import { randomUUID } from 'node:crypto';
import { ERROR_CODES, type ErrorCode } from '#lib/api/errorCodes.ts';
import type { AmendOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import type {
  AnyOrderRequest,
  OrderRecordWithEvents,
  OrderToSign,
} from '#lib/api/schemas/order.ts';
import { isServiceError, ServiceError } from '#server/platform/errors.ts';
import { getRecentTradingMarket } from '../markets/quotes/tradingMarket.ts';
import { amendOrder, notAmendable, readAmendment } from '../orders/create/amendOrder.ts';
import { readTickPrice } from '../orders/create/limitTerms.ts';
import { type Replacement, storeReplacement } from '../orders/create/replacementStore.ts';
import { readQuantity } from '../orders/create/validateTrade.ts';
import { asTradeOrder, type TradeOrder } from '../orders/lifecycle/orderRow.ts';
import { moveTrigger } from '../orders/lifecycle/triggerStore.ts';
import { getOrder, requireVisible, type Viewer } from '../orders/read/readOrders.ts';
import type { PreviewFacts } from '../preview/previewFacts.ts';
import { assess } from '../preview/previewOrder.ts';
import {
  type PreviewCaller,
  type PreviewDeps,
  readPreviewFacts,
} from '../preview/readPreviewFacts.ts';
import { replacementBody } from './replacementBody.ts';
import { replacementToSign, requireReplacementSignature } from './replacementOrder.ts';

type Change = {
  viewer: Viewer;
  caller: PreviewCaller;
  id: string;
  body: AmendOrderRequest;
  /** What compliance refuses an order for. */
  guardProblems: (body: AnyOrderRequest) => Promise<ServiceError[]>;
};

/**
 * Changes price or size of an order that rests, or what a stop order waits for. Within what the
 * vault has locked, the exchange amends the order. Beyond that, and for the terms of a stop order,
 * it ends, and once its funds are back another order takes its place, which a session key must have
 * signed where the permission names one.
 * @throws {ServiceError} order_not_found, what `amendOrder` and `requireReplacementSignature` throw,
 *   and for a replacement every reason why the service would not place it
 */
export async function changeOrder(
  deps: PreviewDeps,
  change: Change,
): Promise<OrderRecordWithEvents> {
  const order = await readChangeable(deps, change);
  if (order.stage === 'trigger') await changeStop(deps, change, order);
  else await changeResting(deps, change, order);
  return await getOrder(deps, change);
}

/**
 * What a session key must sign for `changeOrder`. Stores nothing.
 * @throws {ServiceError} order_not_found, order_not_amendable and what `resolveTrade` throws
 */
export async function prepareChange(
  deps: PreviewDeps,
  change: Pick<Change, 'viewer' | 'id' | 'body'>,
): Promise<OrderToSign> {
  const order = await readChangeable(deps, change);
  const isWithin =
    order.stage === 'trigger' ? isOnlyMoved(change.body) : await isWithinLock(deps, change, order);
  const next = isWithin ? undefined : await readReplacement(deps, change, order);
  return await replacementToSign(deps, order, next?.request);
}

async function readChangeable(
  deps: PreviewDeps,
  { viewer, id }: Pick<Change, 'viewer' | 'id'>,
): Promise<TradeOrder> {
  const row = await requireVisible(deps, viewer, id);
  if (row.stage !== 'rest' && row.stage !== 'trigger') throw notAmendable();
  return asTradeOrder(row);
}

async function isWithinLock(
  deps: PreviewDeps,
  { body }: Pick<Change, 'body'>,
  order: TradeOrder,
): Promise<boolean> {
  if (body.triggerPrice !== undefined) throw notAmendable();
  try {
    await readAmendment(deps, order, body);
    return true;
  } catch (error) {
    if (isReplaced(order, error)) return false;
    throw error;
  }
}

/** Whether another order takes its place, because the lock does not cover the change. */
function isReplaced({ kind }: TradeOrder, error: unknown): boolean {
  return isServiceError(error) && error.code === 'amend_exceeds_lock' && kind === 'api';
}

async function changeResting(deps: PreviewDeps, change: Change, order: TradeOrder): Promise<void> {
  if (change.body.triggerPrice !== undefined) throw notAmendable();
  try {
    await amendOrder(deps, order, change.body);
  } catch (error) {
    if (!isReplaced(order, error)) throw error;
    await replace(deps, change, order);
  }
}

const isOnlyMoved = ({ limitPrice, baseQuantity }: AmendOrderRequest) =>
  limitPrice === undefined && baseQuantity === undefined;

async function changeStop(deps: PreviewDeps, change: Change, order: TradeOrder): Promise<void> {
  if (!isOnlyMoved(change.body)) return await replace(deps, change, order);
  const { market } = await getRecentTradingMarket(deps, order.ticker);
  const { triggerPrice = '' } = change.body;
  const priceMicros = readTickPrice(market, order.side, triggerPrice, '/triggerPrice');
  if (!(await moveTrigger(deps.database, order.id, priceMicros))) throw notAmendable();
}

/** The wish of a change that no amendment covers, and the request of the order that fulfils it. */
async function readReplacement(
  deps: PreviewDeps,
  { body: { limitPrice, baseQuantity, triggerPrice } }: Pick<Change, 'body'>,
  order: TradeOrder,
) {
  if (order.kind !== 'api' || order.orderType !== 'limit') throw notAmendable();
  const { market } = await getRecentTradingMarket(deps, order.ticker);
  const price = (text: string, pointer: string) => readTickPrice(market, order.side, text, pointer);
  const wish: Replacement = {
    limitPriceMicros:
      limitPrice === undefined ? (order.limitPriceMicros ?? 0n) : price(limitPrice, '/limitPrice'),
    contractMicros:
      baseQuantity === undefined
        ? (order.restingContractMicros ?? order.contractMicros)
        : readQuantity(baseQuantity, '/baseQuantity'),
  };
  const trigger = triggerPrice !== undefined && {
    triggerPriceMicros: price(triggerPrice, '/triggerPrice'),
  };
  const request = replacementBody({ ...order, ...trigger }, wish);
  if (!request) throw notAmendable();
  return { request, wish: { ...trigger, ...wish } };
}

async function replace(deps: PreviewDeps, change: Change, order: TradeOrder): Promise<void> {
  const { request, wish } = await readReplacement(deps, change, order);
  const guardProblems = () => change.guardProblems(request);
  const asked = { source: 'api', body: request, guardProblems } as const;
  const facts = await readPreviewFacts(deps, change.caller, asked);
  requireNoBlocker(withFundsOf(order, facts));
  const signed = await requireReplacementSignature(deps, order, request, change.body);
  const stored = { id: order.id, replacedBy: signed?.id ?? randomUUID(), signed, ...wish };
  if (!(await storeReplacement(deps.database, stored))) throw notAmendable();
}

/** The order returns what it has not filled before the other one is placed. */
function withFundsOf(order: TradeOrder, facts: PreviewFacts): PreviewFacts {
  const { tradeAction, contractMicros, quoteLimitUsdcMicros } = order;
  const left = contractMicros - (order.filledContractMicros ?? 0n);
  const account = { ...facts.account };
  if (tradeAction === 'sell') account.contractMicros += left;
  else account.usdcMicros += (quoteLimitUsdcMicros * left) / contractMicros;
  return { ...facts, account };
}

/** @throws {ServiceError} the first reason why the order would not be placed */
function requireNoBlocker(facts: PreviewFacts): void {
  const [blocker] = assess(facts).blockers;
  if (!blocker) return;
  const { code, errors, retryAfterSeconds } = blocker;
  const detail = `${blocker.detail} The order rests as it was.`;
  throw new ServiceError(isErrorCode(code) ? code : 'order_not_amendable', detail, {
    errors: errors.map((one) => ({ ...one, pointer: one.pointer.replace(/^\/order\//, '/') })),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function isErrorCode(code: string): code is ErrorCode {
  return code in ERROR_CODES;
}
