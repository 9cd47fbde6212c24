import { randomUUID } from 'node:crypto';
import { NO_SESSION_KEY, namesSessionKey } from '#lib/account/sessionKey.ts';
import { ERROR_CODES, type ErrorCode } from '#lib/api/errorCodes.ts';
import type { AmendOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import type { AnyOrderRequest, OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { isServiceError, ServiceError } from '#server/platform/errors.ts';
import { currentGrant } from '../accounts/grants.ts';
import { getRecentTradingMarket } from '../markets/quotes/tradingMarket.ts';
import { amendOrder, notAmendable } from '../orders/create/amendOrder.ts';
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
 * it ends, and once its funds are back another order takes its place.
 * @throws {ServiceError} order_not_found, what `amendOrder` throws, and for a replacement every reason why the
 *   service would not place it
 */
export async function changeOrder(
  deps: PreviewDeps,
  change: Change,
): Promise<OrderRecordWithEvents> {
  const row = await requireVisible(deps, change.viewer, change.id);
  if (row.stage !== 'rest' && row.stage !== 'trigger') throw notAmendable();
  const order = asTradeOrder(row);
  if (order.stage === 'trigger') await changeStop(deps, change, order);
  else await changeResting(deps, change, order);
  return await getOrder(deps, change);
}

async function changeResting(deps: PreviewDeps, change: Change, order: TradeOrder): Promise<void> {
  if (change.body.triggerPrice !== undefined) throw notAmendable();
  try {
    await amendOrder(deps, order, change.body);
  } catch (error) {
    const isBeyond = isServiceError(error) && error.code === 'amend_exceeds_lock';
    if (!isBeyond || order.kind !== 'api') throw error;
    await replace(deps, change, order);
  }
}

async function changeStop(deps: PreviewDeps, change: Change, order: TradeOrder): Promise<void> {
  const { triggerPrice, limitPrice, baseQuantity } = change.body;
  const isOnlyMoved = limitPrice === undefined && baseQuantity === undefined;
  if (!isOnlyMoved) {
    if (order.kind !== 'api' || order.orderType !== 'limit') throw notAmendable();
    return await replace(deps, change, order);
  }
  const { market } = await getRecentTradingMarket(deps, order.ticker);
  const priceMicros = readTickPrice(market, order.side, triggerPrice ?? '', '/triggerPrice');
  if (!(await moveTrigger(deps.database, order.id, priceMicros))) throw notAmendable();
}

async function replace(deps: PreviewDeps, change: Change, order: TradeOrder): Promise<void> {
  const { market } = await getRecentTradingMarket(deps, order.ticker);
  const { limitPrice, baseQuantity, triggerPrice } = change.body;
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
  const body = replacementBody({ ...order, ...trigger }, wish);
  if (!body) throw notAmendable();
  const guardProblems = () => change.guardProblems(body);
  const facts = await readPreviewFacts(deps, change.caller, { source: 'api', body, guardProblems });
  requireNoSessionKey(facts);
  requireNoBlocker(withFundsOf(order, facts));
  const stored = { id: order.id, replacedBy: randomUUID(), ...trigger, ...wish };
  if (!(await storeReplacement(deps.database, stored))) throw notAmendable();
}

/** The session key has signed the order that rests, and no other one. */
function requireNoSessionKey({ account, recordedGrant }: PreviewFacts): void {
  if (!namesSessionKey(currentGrant(account, recordedGrant)?.grant ?? NO_SESSION_KEY)) return;
  throw new ServiceError(
    'order_signature_required',
    'A change beyond what the vault has locked is a new order, which the session key of the trading ' +
      'permission must sign: cancel this one and place another. The order rests as it was.',
  );
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
