import { z } from 'zod';
import { divide, maxMicros, minMicros } from '#lib/money.ts';
import type { TradeAction } from '#server/exchange/port.ts';
import { type Fill, tradeAmounts } from './tradeAmounts.ts';

/** What a delivery may cost beyond its share of the price limit, as the vault allows. */
const PART_ROUNDING_MICROS = 10_000n;

/** What the vault has delivered of an order. */
export type Delivered = { contractMicros: bigint; quoteUsdcMicros: bigint };

/** The totals of an order after a delivery; the vault books what they have grown by. */
export type DeliveryTotals = {
  filledTotalMicros: bigint;
  /** Charged to the account (buy) or paid to it (sell), fee included. */
  quoteTotalMicros: bigint;
  feeTotalMicros: bigint;
};

type Terms = { tradeAction: TradeAction; contractMicros: bigint; quoteLimitUsdcMicros: bigint };

/**
 * The totals that a delivery of all these fills states, on top of what is delivered. In sum the
 * price limit holds as for a market order (`tradeAmounts`); the part that is new keeps within a
 * cent of its share as well, and the totals never fall. The house bears the micro-units beyond.
 */
export function deliveryTotals(
  order: Terms,
  fills: readonly Fill[],
  delivered: Delivered,
): DeliveryTotals {
  const { filledContractMicros: filled, ...amounts } = tradeAmounts(order, fills);
  const isBuy = order.tradeAction === 'buy';
  if (isBuy && filled > order.contractMicros) {
    throw new RangeError('the exchange bought more than requested');
  }
  const newMicros = filled - delivered.contractMicros;
  const newShare = order.quoteLimitUsdcMicros * newMicros;
  const newLimit = isBuy
    ? divide(newShare, order.contractMicros, 'down') + PART_ROUNDING_MICROS
    : divide(newShare, order.contractMicros, 'up') - PART_ROUNDING_MICROS;
  const quoteTotalMicros = isBuy
    ? minMicros(amounts.quoteUsdcMicros, delivered.quoteUsdcMicros + newLimit)
    : minMicros(
        maxMicros(amounts.quoteUsdcMicros, delivered.quoteUsdcMicros + newLimit),
        // A contract brings at most a dollar.
        delivered.quoteUsdcMicros + newMicros,
      );
  const total = maxMicros(quoteTotalMicros, delivered.quoteUsdcMicros);
  // Of a buy, what is charged beyond the price; of a sale, what the price brought beyond it.
  const atPriceMicros = isBuy
    ? amounts.quoteUsdcMicros - amounts.feeUsdcMicros
    : amounts.quoteUsdcMicros + amounts.feeUsdcMicros;
  const feeTotalMicros = isBuy ? total - atPriceMicros : atPriceMicros - total;
  return {
    filledTotalMicros: filled,
    quoteTotalMicros: total,
    feeTotalMicros: maxMicros(feeTotalMicros, 0n),
  };
}

const argsSchema = z.object({
  filledTotalMicros: z.string().transform(BigInt),
  quoteTotalMicros: z.string().transform(BigInt),
  feeTotalMicros: z.string().transform(BigInt),
  isLast: z.boolean(),
});

export type DeliveryArgs = DeliveryTotals & { isLast: boolean };

/** A delivery's totals as the arguments of its chain operation. */
export function writeDeliveryArgs(args: DeliveryArgs): z.input<typeof argsSchema> {
  return {
    filledTotalMicros: args.filledTotalMicros.toString(),
    quoteTotalMicros: args.quoteTotalMicros.toString(),
    feeTotalMicros: args.feeTotalMicros.toString(),
    isLast: args.isLast,
  };
}

/** Undefined for an order that is delivered once: its row has the amounts. */
export function readDeliveryArgs(args: unknown): DeliveryArgs | undefined {
  const parsed = argsSchema.safeParse(args);
  return parsed.success ? parsed.data : undefined;
}
