import { deliveryTotals } from '#server/domain/orders/create/deliveryTotals.ts';
import { exchangeUsdcMicros } from '#server/domain/orders/create/tradeAmounts.ts';
import { exchangeLines } from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import type { ExchangeAttempt } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import { type Decision, decided, recordResponse } from './decision.ts';
import type { FactsOf } from './facts.ts';
import { deliveredOf } from './parts.ts';

/** How long fills are gathered into one delivery. */
export const GATHER_MS = 2_000;

/**
 * Records the fills of a resting order that the books lack, each once by its id, with what they
 * cost at the exchange. Undefined while the exchange lists no others.
 */
export function recordFills(
  order: TradeOrder,
  { restFills, context }: FactsOf<'restFills'>,
  now: Date,
  attempt: ExchangeAttempt,
): Decision | undefined {
  if (restFills === undefined) return { kind: 'need', fact: 'restFills', attempt };
  const { stored, listed } = restFills;
  const known = new Set(stored.map((fill) => fill.fillId));
  const news = [...new Map(listed.map((fill) => [fill.fillId, fill])).values()].filter(
    (fill) => !known.has(fill.fillId),
  );
  if (news.length === 0) return undefined;
  const all = [...stored, ...news];
  const totals = deliveryTotals(order, all, deliveredOf(context));
  const contractMicros = news.reduce((sum, fill) => sum + fill.contractMicros, 0n);
  const usdcMicros = exchangeUsdcMicros(order.tradeAction, news);
  const { clientOrderId, state } = attempt;
  const filledContractMicros = totals.filledTotalMicros;
  const reported = attempt.filledContractMicros ?? 0n;
  return decided({
    from: 'rest',
    set: {
      filledContractMicros,
      quoteUsdcMicros: totals.quoteTotalMicros,
      feeUsdcMicros: totals.feeTotalMicros,
      deliversAt: order.deliversAt ?? new Date(now.getTime() + GATHER_MS),
    },
    ...(order.txnFilledAt === null && { stamp: ['txnFilledAt' as const] }),
    events: [{ type: 'traded', contractMicros }],
    postings: [
      {
        name: `trade-${filledContractMicros}`,
        lines: exchangeLines(order, order.tradeAction, { contractMicros, usdcMicros }),
      },
    ],
    fills: news.map((fill) => ({ ...fill, clientOrderId })),
    response: recordResponse(attempt, {
      state,
      filledContractMicros: filledContractMicros > reported ? filledContractMicros : reported,
    }),
    next: { kind: 'continue' },
  });
}
