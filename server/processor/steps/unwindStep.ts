import { formatMicros, MICROS } from '#lib/money.ts';
import { raiseAlert, resolveAlert } from '#server/domain/admin/alerts.ts';
import { recordAudit } from '#server/domain/admin/audit.ts';
import { insertPosting, type LedgerLine, move, tokenAsset } from '#server/domain/ledger/ledger.ts';
import { exchangeUsdcMicros } from '#server/domain/orders/create/tradeAmounts.ts';
import { asTradeOrder, type TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import { unwindOrderIdOf } from '#server/domain/orders/lifecycle/clientOrderId.ts';
import { lookUpAttempt } from '#server/domain/orders/lifecycle/lookUpAttempt.ts';
import type { ExchangeAttempt } from '#server/domain/orders/lifecycle/orderContext.ts';
import type {
  Pause,
  RecordedAttempt,
  Transition,
} from '#server/domain/orders/lifecycle/transition.ts';
import {
  type NextUnwinding,
  nextUnwinding,
  readUnwindFacts,
  tradableMicros,
  unwindLimit,
} from '#server/domain/orders/lifecycle/unwinding.ts';
import { lockBookedPayout } from '#server/domain/settlement/lateFills.ts';
import type { ExchangeFill, TradeAction } from '#server/exchange/port.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import type { StepDeps } from '../runner/stepDeps.ts';
import { lookAgain, recordResponse, type StoredAttempt, sendAttempt } from './exchangeAttempt.ts';
import type { Step } from './step.ts';

/** Between looks at a market in which nothing can be traded back for now. */
const RETRY_MS = 30_000;
const FILLS_PAUSE_MS = 250;

/**
 * Trades back what the exchange filled of an order after the order had ended. The owner has had
 * everything back; what this costs or brings is the house's. It ends when nothing is left, or when
 * the settlement of the market pays for what is.
 */
export const unwindStep: Step = async (deps, row, run) => {
  const order = asTradeOrder(row);
  const { unsentUnwind } = run;
  delete run.unsentUnwind;
  if (unsentUnwind) {
    // It was stored by the statement that the row is from, and has its time.
    return await send(deps, order, { ...unsentUnwind, storedAt: row.updatedAt });
  }
  const next = nextUnwinding(await readUnwindFacts(deps.database.orm, order.id));
  switch (next.kind) {
    case 'book':
      return await bookFills(deps, order, next.attempt);
    case 'look_up':
      return await lookUp(deps, order, next.attempt);
    case 'trade': {
      const decided = await tradeBack(deps, order, next);
      if (decided.attempt) run.unsentUnwind = decided.attempt;
      return decided;
    }
    case 'end':
      return end(deps, order, 'No position is left at the exchange.');
  }
};

const opposite = (action: TradeAction): TradeAction => (action === 'buy' ? 'sell' : 'buy');

/** Books what was found, or what was traded back, once the exchange shows all of it. */
async function bookFills(
  deps: StepDeps,
  order: TradeOrder,
  attempt: ExchangeAttempt,
): Promise<Transition | Pause> {
  const { ticker, side, createdAt: sentAt } = order;
  const exchangeOrderId = attempt.exchangeOrderId ?? '';
  const fills = await deps.exchange.listFills({ ticker, exchangeOrderId, side, sentAt });
  const filled = fills.reduce((sum, fill) => sum + fill.contractMicros, 0n);
  if (filled < (attempt.filledContractMicros ?? 0n)) return { pauseMs: FILLS_PAUSE_MS };
  deps.checkpoint('exchange.fills_read');
  const isFound = attempt.purpose === 'found';
  const tradeAction = isFound ? order.tradeAction : opposite(order.tradeAction);
  const usdcMicros = exchangeUsdcMicros(tradeAction, fills);
  const number = attempt.attempt;
  return {
    from: 'unwind',
    fills: fills.map((fill) => ({ ...fill, clientOrderId: attempt.clientOrderId, tradeAction })),
    postings: [
      {
        name: isFound ? `found-${number}` : `unwind-${number}`,
        lines: linesOf(order, tradeAction, { contractMicros: filled, usdcMicros }),
      },
    ],
    async write(tx) {
      await bookPayout(tx, order, { number, tradeAction, fills });
      const what = tradeAction === 'buy' ? 'bought for' : 'sold for';
      const reason = `${formatMicros(filled)} contracts ${what} ${formatMicros(usdcMicros)} USDC (${attempt.clientOrderId})`;
      const action = isFound ? 'unwind_booked' : 'unwind_traded';
      const entry = { actor: 'service', action, subject: order.id, reason };
      await recordAudit({ database: { orm: tx } }, entry);
    },
    next: { kind: 'continue' },
  };
}

function linesOf(
  { ticker, side }: TradeOrder,
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

/** Fills of a market whose payment is booked already were paid with it, and are booked so. */
async function bookPayout(
  tx: Queryable,
  order: TradeOrder,
  booked: { number: number; tradeAction: TradeAction; fills: ExchangeFill[] },
): Promise<void> {
  const payoutYesMicros = await lockBookedPayout(tx, order.ticker);
  if (payoutYesMicros === undefined) return;
  const payoutMicros = order.side === 'yes' ? payoutYesMicros : MICROS - payoutYesMicros;
  const contractMicros = booked.fills.reduce((sum, fill) => sum + fill.contractMicros, 0n);
  const usdcMicros = (contractMicros * payoutMicros) / MICROS;
  const lines = linesOf(order, opposite(booked.tradeAction), { contractMicros, usdcMicros });
  await insertPosting(tx, order, { name: `paid-${booked.number}`, lines });
}

async function lookUp(
  deps: StepDeps,
  order: TradeOrder,
  attempt: ExchangeAttempt,
): Promise<Transition | Pause> {
  const found = await lookUpAttempt(deps.exchange, order, attempt);
  if (found.kind === 'not_yet_known') return lookAgain('unwind', attempt.storedAt);
  const { kind, ...filled } = found;
  const answer =
    kind === 'absent'
      ? recordResponse(attempt, { state: 'no_fill', code: 'absent' })
      : recordResponse(attempt, { state: 'done', ...filled });
  return { from: 'unwind', answer, next: { kind: 'continue' } };
}

/** Stores the next try, where somebody takes what is left within the bound. */
async function tradeBack(
  deps: StepDeps,
  order: TradeOrder,
  { contractMicros, attempt, averageMicros }: Extract<NextUnwinding, { kind: 'trade' }>,
): Promise<Transition> {
  const { ticker, side } = order;
  const action = opposite(order.tradeAction);
  const left = `${formatMicros(contractMicros)} ${side} contracts of ${ticker}`;
  const market = await deps.exchange.getMarket(ticker);
  if (market?.final) return end(deps, order, `The market is settled; it pays for ${left}.`);
  if (market?.status !== 'open') {
    return wait(deps, order, `${left}: the market is ${market?.status ?? 'not listed'}`);
  }
  const { maxLossMicros } = deps.config.unwinding;
  const limitMicros = unwindLimit(market, { action, side, averageMicros, maxLossMicros });
  if (limitMicros === undefined) return wait(deps, order, `${left}: no price is allowed`);
  const book = await deps.exchange.getOrderBook(ticker);
  const tradable = tradableMicros(book, { action, side, limitMicros });
  if (tradable === 0n) {
    return wait(deps, order, `${left}: no match at ${formatMicros(limitMicros)} USDC`);
  }
  return {
    from: 'unwind',
    attempt: {
      clientOrderId: unwindOrderIdOf(order.id, attempt),
      attempt,
      purpose: 'unwind',
      limitPriceMicros: limitMicros,
      contractMicros: tradable < contractMicros ? tradable : contractMicros,
      state: 'stored',
    },
    write: (tx) => alert(deps, order, left, tx),
    next: { kind: 'continue' },
  };
}

async function send(
  deps: StepDeps,
  order: TradeOrder,
  attempt: StoredAttempt,
): Promise<Transition> {
  const trade = { ticker: order.ticker, action: opposite(order.tradeAction), side: order.side };
  const outcome = await sendAttempt(deps, order, trade, attempt);
  const answered = (answer: Omit<RecordedAttempt, 'clientOrderId' | 'from'>): Transition => ({
    from: 'unwind',
    answer: recordResponse(attempt, answer),
    next: { kind: 'continue' },
  });
  if (outcome.kind === 'done') {
    const { exchangeOrderId, filledContractMicros } = outcome;
    return answered({ state: 'done', exchangeOrderId, filledContractMicros });
  }
  const { code } = outcome;
  deps.log.warn({ orderId: order.id, code, outcome: outcome.kind }, 'not traded back yet');
  if (outcome.kind === 'unknown') return answered({ state: 'unknown', code });
  const refused = answered({ state: 'no_fill', code });
  return { ...refused, next: { kind: 'park', delayMs: RETRY_MS } };
}

/** Nothing can be done for now; the alert says what the house still holds, and why. */
function wait(deps: StepDeps, order: TradeOrder, why: string): Transition {
  return {
    from: 'unwind',
    write: (tx) => alert(deps, order, why, tx),
    next: { kind: 'park', delayMs: RETRY_MS },
  };
}

async function alert(
  { log }: StepDeps,
  order: TradeOrder,
  internalDetail: string,
  tx: Queryable,
): Promise<void> {
  await raiseAlert(
    { database: { orm: tx }, log },
    { kind: 'order_unwinding', subject: order.id, internalDetail },
  );
}

function end({ log }: StepDeps, order: TradeOrder, reason: string): Transition {
  return {
    from: 'unwind',
    set: { stage: 'done', isUnwinding: false },
    async write(tx) {
      const deps = { database: { orm: tx }, log };
      await resolveAlert(deps, { kind: 'order_unwinding', subject: order.id });
      const entry = { actor: 'service', action: 'unwind_ended', subject: order.id, reason };
      await recordAudit(deps, entry);
    },
    // It ended for its owner before; this is no end of an intent.
    next: { kind: 'park', delayMs: 0 },
  };
}
