import type { TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import { mayBeSent } from '#server/domain/orders/lifecycle/sendPermit.ts';
import type { ExchangeFill, PlaceOrderOutcome, TradeAction } from '#server/exchange/port.ts';
import type { FilledAttempt, StoredAttempt } from '../steps/facts.ts';
import type { StepDeps } from './stepDeps.ts';

/** Sends an attempt to the exchange if it may still be sent once nothing is left to wait for. */
export async function sendAttempt(
  deps: StepDeps,
  order: TradeOrder,
  action: TradeAction,
  attempt: StoredAttempt,
): Promise<PlaceOrderOutcome> {
  const { ticker, side } = order;
  const { clientOrderId, shard = 0, contractMicros, limitPriceMicros, storedAt } = attempt;
  deps.checkpoint('exchange.before_place');
  const outcome = await deps.exchange.placeOrder({
    ticker,
    shard,
    action,
    side,
    clientOrderId,
    contractMicros,
    limitPriceMicros,
    storedAt,
    async mayBeSent() {
      const may = await mayBeSent(deps, order, attempt);
      deps.checkpoint('exchange.send_permitted');
      return may;
    },
  });
  deps.checkpoint('exchange.after_place');
  return outcome;
}

/** The fills from the exchange's feed, otherwise those that it lists. */
export async function readNewFills(
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
export async function readFills(
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
