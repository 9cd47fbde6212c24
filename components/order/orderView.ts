import type { ActivityItem } from '#lib/api/schemas/activity.ts';
import type { OrderRecord, OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { contractsOf } from '#lib/format/contractsOf.ts';
import { cents, contractsRounded, dollars } from '#lib/format/money.ts';
import { clockTime } from '#lib/format/time.ts';
import { waitWords } from '#lib/market/orderTrigger.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import { awaitsPrice, isParked } from '#lib/market/restingOrder.ts';
import { parseMicros } from '#lib/money.ts';
import { limitView, restWords } from './limitView.ts';

export type OrderSummary = {
  verb: 'Buy' | 'Sell' | 'Redeem' | 'Withdraw';
  marketId: string | undefined;
  side: 'yes' | 'no' | undefined;
  /** "10 Yes" or "$25.00 USDC". */
  what: string;
};

export function orderSummary(record: Pick<OrderRecord, 'action' | 'isRedemption'>): OrderSummary {
  const { action, isRedemption } = record;
  if (action.orderType === 'Withdraw') {
    const { amount, tokenType } = action.withdrawal;
    const micros = parseMicros(amount);
    const what = tokenType === 'erc20' ? `${dollars(micros)} USDC` : contractsOf(micros);
    return { verb: 'Withdraw', marketId: undefined, side: undefined, what };
  }
  const { order } = action;
  const base = order.baseToken.type === 'venue' ? order.baseToken.data : undefined;
  return {
    verb: isRedemption ? 'Redeem' : order.orderType === 'BUY' ? 'Buy' : 'Sell',
    marketId: base?.marketId,
    side: base?.side,
    // The fill decides how many contracts an amount buys.
    what:
      action.orderType === 'MarketOrder' && action.order.sizedBy === 'maxQuoteQuantityIn'
        ? `${dollars(parseMicros(order.maxQuoteQuantityIn ?? '0'))} of ${sideWord(base?.side ?? 'yes')}`
        : outcomesOf(order.baseQuantity, base?.side ?? 'yes'),
  };
}

/** The summary of a withdrawal of contracts, once the market and the side of its token are known. */
export function withToken(
  summary: OrderSummary,
  record: Pick<OrderRecord, 'action'>,
  token: { marketId: string; side: 'yes' | 'no' },
): OrderSummary {
  if (record.action.orderType !== 'Withdraw') return summary;
  return { ...summary, ...token, what: outcomesOf(record.action.withdrawal.amount, token.side) };
}

/** For a tab, which shows the first words: "Cut of 25 bps · Buy 10 Yes". */
export function orderTitle(
  { verb, what }: OrderSummary,
  name: { outcome: string | undefined; question: string } | undefined,
): string {
  return [name?.outcome ?? name?.question, `${verb} ${what}`].filter(Boolean).join(' · ');
}

/** "10 Yes". */
function outcomesOf(quantity: string, side: 'yes' | 'no'): string {
  return `${contractsRounded(parseMicros(quantity))} ${sideWord(side)}`;
}

export type OrderStep = {
  name: string;
  explanation: string;
  /** `resting`: it may stay so for weeks. `left out`: the order was cancelled or replaced before. */
  state: 'done' | 'current' | 'resting' | 'waiting' | 'failed' | 'left out';
  at: string | undefined;
};

export function orderSteps(order: OrderRecordWithEvents): OrderStep[] {
  const rests = isParked(order);
  const words = rests ? parkedSteps(order) : STEPS[orderKind(order)];
  const times: (string | null | undefined)[] = [
    order.createdAt,
    order.balanceValidatedAt,
    // The vault pays a redemption at once: there is no step in between.
    ...(order.isRedemption ? [] : [order.txnFilledAt]),
    order.status === 'completed' ? completedAt(order) : undefined,
  ];
  const reached = times.findLastIndex((time) => typeof time === 'string');
  return words.map(({ name, explanation }, index) => ({
    name,
    explanation,
    state: rests ? restingState(index) : stateOf(index, reached, order),
    at: times[index] ?? undefined,
  }));
}

/** Parts that are filled and delivered already are figures, not steps. */
function restingState(index: number) {
  if (index === RESTING_STEP) return 'resting';
  return index < RESTING_STEP ? 'done' : 'waiting';
}

function stateOf(index: number, reached: number, order: OrderRecord) {
  if (index <= reached || order.status === 'completed') return 'done';
  const isNext = index === reached + 1;
  if (order.status !== 'failed') return isNext ? 'current' : 'waiting';
  if (!isMishap(order)) return 'left out';
  return isNext ? 'failed' : 'waiting';
}

function completedAt(order: OrderRecordWithEvents): string {
  return order.events.findLast((event) => event.type === 'completed')?.at ?? order.updatedAt;
}

const ORDER_STEPS = [
  { name: 'Received', explanation: 'Your order is saved and will be executed exactly once.' },
  { name: 'Funds locked', explanation: 'The vault holds only the funds this order can use.' },
  { name: 'Filled at the exchange', explanation: 'Filled at your price limit or better.' },
  { name: 'Delivered on chain', explanation: 'Your contracts or proceeds are in your account.' },
];

/** What a stop order waits for; undefined for any other, and once its price was reached. */
function awaitedWords(order: OrderRecord): string | undefined {
  const { side } = orderSummary(order);
  if (order.trigger === null || side === undefined || !awaitsPrice(order)) return undefined;
  return waitWords(order.trigger, side);
}

/** A stop order waits where it will be filled later. */
function parkedSteps(order: OrderRecord) {
  const name = awaitedWords(order);
  if (name === undefined) return RESTING_STEPS;
  const explanation = 'It goes to the exchange when the price is reached.';
  return RESTING_STEPS.with(RESTING_STEP, { name, explanation });
}

const RESTING_STEP = 2;
const RESTING_STEPS = ORDER_STEPS.with(RESTING_STEP, {
  name: 'Resting at the exchange',
  explanation: 'It fills at your limit price or better, in one or several parts.',
});

const WITHDRAWAL_STEPS = [
  { name: 'Received', explanation: 'Your withdrawal is saved and will be sent exactly once.' },
  { name: 'Checked', explanation: 'The amount and your authorization are valid.' },
  { name: 'Sent', explanation: 'The transaction is on its way.' },
  { name: 'Confirmed on chain', explanation: 'The funds have arrived.' },
];

const REDEMPTION_STEPS = [
  { name: 'Received', explanation: 'Your redemption is saved and will be executed exactly once.' },
  { name: 'Checked', explanation: 'The result is final on chain and you hold the contracts.' },
  { name: 'Paid out on chain', explanation: 'The vault paid USDC for your contracts.' },
];

export type OrderKind = 'trade' | 'redemption' | 'withdrawal';

const STEPS: Record<OrderKind, readonly Pick<OrderStep, 'name' | 'explanation'>[]> = {
  trade: ORDER_STEPS,
  redemption: REDEMPTION_STEPS,
  withdrawal: WITHDRAWAL_STEPS,
};

export function orderKind(order: Pick<OrderRecord, 'action' | 'isRedemption'>): OrderKind {
  if (order.action.orderType === 'Withdraw') return 'withdrawal';
  return order.isRedemption ? 'redemption' : 'trade';
}

/** The kind of order behind an entry of the activity. */
export function activityKind({ kind }: Pick<ActivityItem, 'kind'>): OrderKind {
  if (kind === 'redeem') return 'redemption';
  return kind === 'withdrawal' ? kind : 'trade';
}

const STATUS_WORDS: Record<OrderRecord['status'], string> = {
  pending: 'Received',
  validated: 'Funds locked',
  executing: 'At the exchange',
  completed: 'Completed',
  failed: 'Failed',
};

/** Orders that never reach the exchange. */
const UNTRADED_WORDS: Record<Exclude<OrderKind, 'trade'>, Partial<typeof STATUS_WORDS>> = {
  redemption: { validated: 'Checked', executing: 'Paying out' },
  withdrawal: { validated: 'Checked', executing: 'Sending' },
};

export function statusWords(order: OrderRecord): string {
  if (partlyFilled(order)) return 'Partially filled';
  if (order.replacedBy !== null) return order.isComplete ? 'Replaced' : 'Replacing';
  const awaited = awaitedWords(order);
  if (awaited !== undefined) return order.endReason === null ? awaited : 'Cancelling';
  const view = limitView(order);
  return (view && restWords(view)) ?? progressWords({ ...order, kind: orderKind(order) });
}

/** What an entry of the activity that may stay so for weeks waits for; undefined for any other. */
export function parkedWords(
  item: Pick<
    ActivityItem,
    'side' | 'status' | 'trigger' | 'limitPrice' | 'restingSince' | 'replacedBy'
  >,
): string | undefined {
  const { side, status, trigger, limitPrice, restingSince, replacedBy } = item;
  if (replacedBy !== null) return status === 'failed' ? 'Replaced' : 'Replacing';
  if (restingSince !== null && limitPrice !== null) {
    return `Resting at ${cents(parseMicros(limitPrice))}`;
  }
  if (trigger === null || side === null || status !== 'validated') return undefined;
  return trigger.triggeredAt === null ? waitWords(trigger, side) : undefined;
}

export function progressWords(
  one: Pick<OrderRecord, 'status' | 'terminationReason'> & {
    source: OrderRecord['source'] | null;
    kind: OrderKind;
  },
): string {
  if (one.status === 'pending' && one.source === 'calldata') return 'Waiting for your signature';
  if (one.terminationReason === 'cancelled') return 'Cancelled';
  const own = one.kind === 'trade' ? undefined : UNTRADED_WORDS[one.kind][one.status];
  return own ?? STATUS_WORDS[one.status];
}

/**
 * "312 of 450 contracts", or "$12.00 of $25.00" of an amount, for an ended order that was partially
 * filled; else undefined.
 */
export function partlyFilled(
  order: Pick<OrderRecord, 'action' | 'status' | 'filledBaseQuantity' | 'quoteAmount'>,
): string | undefined {
  const { action, status, filledBaseQuantity, quoteAmount } = order;
  if (action.orderType === 'Withdraw' || status !== 'completed' || filledBaseQuantity === null) {
    return undefined;
  }
  const [filled, asked] = [parseMicros(filledBaseQuantity), parseMicros(action.order.baseQuantity)];
  if (filled >= asked) return undefined;
  if (action.orderType === 'MarketOrder' && action.order.sizedBy === 'maxQuoteQuantityIn') {
    const amount = parseMicros(action.order.maxQuoteQuantityIn ?? '0');
    return `${dollars(parseMicros(quoteAmount ?? '0'))} of ${dollars(amount)}`;
  }
  return `${contractsRounded(filled)} of ${contractsOf(asked)}`;
}

export function isMishap(order: Pick<OrderRecord, 'status' | 'terminationReason'>): boolean {
  return order.status === 'failed' && order.terminationReason !== 'cancelled';
}

/** An order's step usually takes a second or two. */
const USUAL_STEP_MS = 25_000;

export function orderDelayWords(
  order: Pick<
    OrderRecord,
    | 'action'
    | 'isRedemption'
    | 'status'
    | 'source'
    | 'isComplete'
    | 'updatedAt'
    | 'expiresAt'
    | 'restingSince'
    | 'trigger'
    | 'balanceValidatedAt'
  >,
  nowMs: number,
): string | undefined {
  if (order.isComplete || isParked(order)) return undefined;
  if (nowMs - Date.parse(order.updatedAt) < USUAL_STEP_MS) return undefined;
  if (order.status === 'pending' && order.source === 'calldata') {
    const waits =
      'The transactions of this order were not sent yet. No funds are locked until they are.';
    if (order.expiresAt === null) return waits;
    return `${waits} The order expires at ${clockTime(order.expiresAt)}.`;
  }
  const goesOn = 'It is still being processed, even if you leave this page.';
  if (orderKind(order) === 'trade') {
    return `${goesOn} Any unfilled amount is returned to your account.`;
  }
  return `${goesOn} Your funds stay in your account until it completes.`;
}
