import { move, tokenAsset } from '#server/domain/ledger/ledger.ts';
import { tradeAmounts } from '#server/domain/orders/create/tradeAmounts.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import type { ExchangeAttempt } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { Transition } from '#server/domain/orders/lifecycle/transition.ts';
import type { ExchangeFill } from '#server/exchange/port.ts';
import type { StepDeps } from '../runner/stepDeps.ts';

/** An attempt that the exchange has filled, in whole or in part. */
export type FilledAttempt = Pick<
  ExchangeAttempt,
  'clientOrderId' | 'exchangeOrderId' | 'filledContractMicros'
>;

/** Books the fills that the exchange has told by itself, and otherwise those that it shows. */
export async function recordNewFills(
  deps: StepDeps,
  order: TradeOrder,
  attempt: FilledAttempt,
): Promise<Transition | undefined> {
  const heard = await deps.exchange.heardFills({
    exchangeOrderId: attempt.exchangeOrderId ?? '',
    side: order.side,
    filledContractMicros: attempt.filledContractMicros ?? 0n,
  });
  if (!heard) return await recordFills(deps, order, attempt);
  deps.checkpoint('exchange.fills_read');
  return filledTransition(order, attempt, heard);
}

/**
 * Books the fills once the exchange shows every one that the order reported; undefined until then.
 */
export async function recordFills(
  deps: StepDeps,
  order: TradeOrder,
  attempt: FilledAttempt,
): Promise<Transition | undefined> {
  const fills = await deps.exchange.listFills({
    ticker: order.ticker,
    exchangeOrderId: attempt.exchangeOrderId ?? '',
    side: order.side,
    sentAt: order.createdAt,
  });
  const seen = fills.reduce((sum, fill) => sum + fill.contractMicros, 0n);
  if (seen < (attempt.filledContractMicros ?? 0n)) return undefined;
  deps.checkpoint('exchange.fills_read');
  return filledTransition(order, attempt, fills);
}

function filledTransition(
  order: TradeOrder,
  attempt: FilledAttempt,
  fills: ExchangeFill[],
): Transition {
  const amounts = tradeAmounts(order, fills);
  const asset = tokenAsset(order.ticker, order.side);
  const lines =
    order.tradeAction === 'buy'
      ? [
          ...move('usdc', 'treasury', 'exchange', amounts.exchangeUsdcMicros),
          ...move(asset, 'exchange', 'treasury', amounts.filledContractMicros),
        ]
      : [
          ...move('usdc', 'exchange', 'treasury', amounts.exchangeUsdcMicros),
          ...move(asset, 'treasury', 'exchange', amounts.filledContractMicros),
        ];
  return {
    from: 'place',
    set: {
      stage: 'deliver',
      filledContractMicros: amounts.filledContractMicros,
      quoteUsdcMicros: amounts.quoteUsdcMicros,
      feeUsdcMicros: amounts.feeUsdcMicros,
      returnedUsdcMicros: amounts.returnedUsdcMicros,
      returnedContractMicros: amounts.returnedContractMicros,
    },
    stamp: ['txnFilledAt'],
    events: [{ type: 'filled' }],
    postings: [{ name: 'trade', lines }],
    fills: fills.map((fill) => ({ ...fill, clientOrderId: attempt.clientOrderId })),
    next: { kind: 'continue' },
  };
}
