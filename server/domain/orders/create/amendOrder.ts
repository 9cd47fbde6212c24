import { and, eq, isNull, sql } from 'drizzle-orm';
import type { AmendOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import { formatMicros } from '#lib/money.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { limitPriceFor } from '../../markets/quotes/limitPrice.ts';
import { getRecentTradingMarket, type TradingMarket } from '../../markets/quotes/tradingMarket.ts';
import { notifyDue } from '../lifecycle/dueOrders.ts';
import { rests, type TradeOrder } from '../lifecycle/orderRow.ts';
import { crossProblem, findOwnLevels } from '../lifecycle/ownLevels.ts';
import { appendEvents } from '../lifecycle/transition.ts';
import { readTickPrice, restingSizeProblem } from './limitTerms.ts';
import { readQuantity, stepProblem } from './validateTrade.ts';

type Deps = { database: Database; exchange: Exchange };

/**
 * Asks for another price or size of an order that rests, within what the vault has locked; the
 * order's log shows when the exchange has changed it, or refused to. One amendment at a time.
 * @throws {ServiceError} order_not_amendable, price_not_allowed, quantity_not_allowed,
 *   amend_exceeds_lock, crosses_open_order, market_not_found, fee_unknown
 */
export async function amendOrder(
  deps: Deps,
  order: TradeOrder,
  body: AmendOrderRequest,
): Promise<void> {
  await storeAmendment(deps.database, order, await readAmendment(deps, order, body));
}

type Amendment = { limitPriceMicros: bigint; contractMicros: bigint };

/** What `amendOrder` would ask for. @throws {ServiceError} what it throws */
export async function readAmendment(
  deps: Deps,
  order: TradeOrder,
  body: AmendOrderRequest,
): Promise<Amendment> {
  if (!rests(order) || order.stage !== 'rest') throw notAmendable();
  const trading = await getRecentTradingMarket(deps, order.ticker);
  const limitPriceMicros = readPrice(order, trading, body.limitPrice);
  const contractMicros = readSize(order, body.baseQuantity);
  const own = await findOwnLevels(deps.database, order.ticker);
  const crossing = crossProblem({ ...order, limitPriceMicros }, own);
  if (crossing) throw crossing;
  return { limitPriceMicros, contractMicros };
}

function readPrice(
  order: TradeOrder,
  { market, fee }: TradingMarket,
  text: string | undefined,
): bigint {
  if (text === undefined) return order.limitPriceMicros ?? 0n;
  const { side, tradeAction: action, contractMicros, quoteLimitUsdcMicros } = order;
  const price = readTickPrice(market, side, text, '/limitPrice');
  const { priceRanges: ranges } = market;
  const worst = limitPriceFor({ ranges, fee, action, side, contractMicros, quoteLimitUsdcMicros });
  const isWithin = worst !== undefined && (action === 'buy' ? price <= worst : price >= worst);
  if (isWithin) return price;
  const nearest = worst === undefined ? 'as it is' : formatMicros(worst);
  throw exceedsLock('/limitPrice', `must be at ${action === 'buy' ? 'most' : 'least'} ${nearest}`);
}

function readSize(order: TradeOrder, text: string | undefined): bigint {
  if (text === undefined) return order.restingContractMicros ?? order.contractMicros;
  const contractMicros = readQuantity(text, '/baseQuantity');
  const unevenSize = stepProblem(contractMicros, '/baseQuantity');
  if (unevenSize) throw unevenSize;
  const filled = order.filledContractMicros ?? 0n;
  if (contractMicros <= filled) {
    const detail = `must be more than the ${formatMicros(filled)} contracts that are filled`;
    throw new ServiceError('quantity_not_allowed', `The quantity ${detail}.`, {
      errors: [{ pointer: '/baseQuantity', detail }],
    });
  }
  const tooSmall = restingSizeProblem(contractMicros - filled, '/baseQuantity');
  if (tooSmall) throw tooSmall;
  if (contractMicros <= order.contractMicros) return contractMicros;
  throw exceedsLock('/baseQuantity', `must be at most ${formatMicros(order.contractMicros)}`);
}

function exceedsLock(pointer: string, detail: string): ServiceError {
  return new ServiceError(
    'amend_exceeds_lock',
    'The vault holds what your wallet locked for the order, and an amendment keeps to it. Nothing ' +
      'was changed; to trade more, or at a worse price, cancel the order and sign a new one.',
    { errors: [{ pointer, detail }] },
  );
}

async function storeAmendment(
  database: Database,
  order: TradeOrder,
  { limitPriceMicros, contractMicros }: Amendment,
): Promise<void> {
  await database.orm.transaction(async (tx) => {
    const [stored] = await tx
      .update(orders)
      .set({
        amendPriceMicros: limitPriceMicros,
        amendContractMicros: contractMicros,
        nextRunAt: sql`now()`,
        updatedAt: sql`now()`,
      })
      .where(
        and(
          eq(orders.id, order.id),
          eq(orders.stage, 'rest'),
          eq(orders.isComplete, false),
          isNull(orders.endingReason),
          isNull(orders.cancelRequestedAt),
          isNull(orders.amendPriceMicros),
        ),
      )
      .returning();
    if (!stored) throw notAmendable();
    const detail = `${formatMicros(contractMicros)} at ${formatMicros(limitPriceMicros)}`;
    await appendEvents(tx, stored, [{ type: 'amend_requested', detail }]);
    await notifyDue(tx);
  });
}

export function notAmendable(): ServiceError {
  return new ServiceError(
    'order_not_amendable',
    'Only an order that rests at the exchange, or waits for its price, can be amended, and only ' +
      'while no other amendment of it is under way. Nothing was changed.',
  );
}
