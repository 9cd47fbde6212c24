import { type LedgerLine, move, tokenAsset } from '#server/domain/ledger/ledger.ts';
import { tradeAmounts } from '#server/domain/orders/create/tradeAmounts.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import type { ExchangeFill, TradeAction } from '#server/exchange/port.ts';
import { type Decided, decided } from './decision.ts';
import type { FilledAttempt } from './facts.ts';

/** Records the fills of an order, whose delivery is next. */
export function bookFills(
  order: TradeOrder,
  attempt: FilledAttempt,
  fills: readonly ExchangeFill[],
): Decided {
  const amounts = tradeAmounts(order, fills);
  const { filledContractMicros, quoteUsdcMicros, feeUsdcMicros } = amounts;
  const lines = exchangeLines(order, order.tradeAction, {
    contractMicros: filledContractMicros,
    usdcMicros: amounts.exchangeUsdcMicros,
  });
  return decided({
    from: 'place',
    set: {
      stage: 'deliver',
      filledContractMicros,
      quoteUsdcMicros,
      feeUsdcMicros,
      returnedUsdcMicros: amounts.returnedUsdcMicros,
      returnedContractMicros: amounts.returnedContractMicros,
    },
    stamp: ['txnFilledAt'],
    events: [{ type: 'filled' }],
    postings: [{ name: 'trade', lines }],
    fills: fills.map((fill) => ({ ...fill, clientOrderId: attempt.clientOrderId })),
    next: { kind: 'continue' },
  });
}

/** The ledger lines of a trade between the exchange and the treasury. */
export function exchangeLines(
  { ticker, side }: Pick<TradeOrder, 'ticker' | 'side'>,
  action: TradeAction,
  { contractMicros, usdcMicros }: { contractMicros: bigint; usdcMicros: bigint },
): LedgerLine[] {
  const asset = tokenAsset(ticker, side);
  return action === 'buy'
    ? [
        ...move('usdc', 'treasury', 'exchange', usdcMicros),
        ...move(asset, 'exchange', 'treasury', contractMicros),
      ]
    : [
        ...move('usdc', 'exchange', 'treasury', usdcMicros),
        ...move(asset, 'treasury', 'exchange', contractMicros),
      ];
}
