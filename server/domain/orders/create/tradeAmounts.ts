import { costMicros, divide, maxMicros, minMicros } from '#lib/money.ts';
import type { TradeAction } from '#server/exchange/port.ts';

export type Fill = { contractMicros: bigint; priceMicros: bigint; feeMicros: bigint };

type TradeAmounts = {
  filledContractMicros: bigint;
  /** Charged to the account (buy) or paid to it (sell), fee included. */
  quoteUsdcMicros: bigint;
  feeUsdcMicros: bigint;
  /** The trade's cost or proceeds at the exchange, fee included; the house bears the difference. */
  exchangeUsdcMicros: bigint;
  returnedUsdcMicros: bigint;
  returnedContractMicros: bigint;
};

/**
 * Computes what an account pays or receives for the fills of its order. The price limit holds
 * proportionally for a partial fill, as the vault checks it: a buy is never charged more than
 * `limit * filled / quantity`, a sale never brings less. The exchange rounds fees up per fill, so
 * the last micro-units can exceed the price limit; the house bears those.
 * A purchase sized by its amount may bring more contracts than its quantity, for no more USDC; so
 * may any purchase here, since one that was recovered no longer says how it was sized.
 */
export function tradeAmounts(
  order: { tradeAction: TradeAction; contractMicros: bigint; quoteLimitUsdcMicros: bigint },
  fills: readonly Fill[],
): TradeAmounts {
  const filled = fills.reduce((sum, fill) => sum + fill.contractMicros, 0n);
  if (order.tradeAction === 'sell' && filled > order.contractMicros) {
    throw new RangeError('the exchange sold more than requested');
  }
  const share = order.quoteLimitUsdcMicros * filled;
  const atExchange = exchangeUsdcMicros(order.tradeAction, fills);
  const common = { filledContractMicros: filled, exchangeUsdcMicros: atExchange };
  if (order.tradeAction === 'buy') {
    const atLimit = divide(share, order.contractMicros, 'down');
    const quote = minMicros(atExchange, minMicros(atLimit, order.quoteLimitUsdcMicros));
    return {
      ...common,
      quoteUsdcMicros: quote,
      feeUsdcMicros: maxMicros(quote - sumOf(fills, 'up'), 0n),
      returnedUsdcMicros: order.quoteLimitUsdcMicros - quote,
      returnedContractMicros: 0n,
    };
  }
  const quote = maxMicros(atExchange, divide(share, order.contractMicros, 'up'));
  return {
    ...common,
    quoteUsdcMicros: quote,
    feeUsdcMicros: maxMicros(sumOf(fills, 'down') - quote, 0n),
    returnedUsdcMicros: 0n,
    returnedContractMicros: order.contractMicros - filled,
  };
}

export function exchangeUsdcMicros(tradeAction: TradeAction, fills: readonly Fill[]): bigint {
  const fee = fills.reduce((sum, fill) => sum + fill.feeMicros, 0n);
  return tradeAction === 'buy' ? sumOf(fills, 'up') + fee : sumOf(fills, 'down') - fee;
}

function sumOf(fills: readonly Fill[], rounding: 'up' | 'down'): bigint {
  return fills.reduce(
    (sum, fill) => sum + costMicros(fill.contractMicros, fill.priceMicros, rounding),
    0n,
  );
}
