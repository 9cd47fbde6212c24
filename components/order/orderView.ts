import type { OrderRecord, OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { contracts, dollarsExact } from '#lib/format/money.ts';
import { clockTime } from '#lib/format/time.ts';
import { parseMicros } from '#lib/money.ts';

export type OrderSummary = {
  verb: 'Buy' | 'Sell' | 'Withdraw';
  marketId: string | undefined;
  side: 'yes' | 'no' | undefined;
  /** "10 Yes" or "$25.00 USDC". */
  what: string;
};

/** An order or withdrawal in a few words. */
export function orderSummary({ action }: Pick<OrderRecord, 'action'>): OrderSummary {
  if (action.orderType === 'Withdraw') {
    const { amount, tokenType } = action.withdrawal;
    const micros = parseMicros(amount);
    const what =
      tokenType === 'erc20' ? `${dollarsExact(micros)} USDC` : `${contracts(micros)} contracts`;
    return { verb: 'Withdraw', marketId: undefined, side: undefined, what };
  }
  const { order } = action;
  const base = order.baseToken.type === 'venue' ? order.baseToken.data : undefined;
  const side = base?.side === 'no' ? 'No' : 'Yes';
  return {
    verb: order.orderType === 'BUY' ? 'Buy' : 'Sell',
    marketId: base?.marketId,
    side: base?.side,
    what: `${contracts(parseMicros(order.baseQuantity))} ${side}`,
  };
}

export type OrderStep = {
  name: string;
  explanation: string;
  state: 'done' | 'current' | 'waiting' | 'failed';
  at: string | undefined;
};

/** The steps of an order's life with their times, in the order they happen. */
export function orderSteps(order: OrderRecordWithEvents): OrderStep[] {
  const withdrawal = order.action.orderType === 'Withdraw';
  const words = withdrawal ? WITHDRAWAL_STEPS : ORDER_STEPS;
  const times: (string | null | undefined)[] = [
    order.createdAt,
    order.balanceValidatedAt,
    order.txnFilledAt,
    order.status === 'completed' ? completedAt(order) : undefined,
  ];
  const failed = order.status === 'failed';
  const reached = times.findLastIndex((time) => typeof time === 'string');
  return words.map(({ name, explanation }, index) => ({
    name,
    explanation,
    state: stateOf(index, reached, failed, order.isComplete),
    at: times[index] ?? undefined,
  }));
}

function stateOf(index: number, reached: number, failed: boolean, complete: boolean) {
  if (failed) return index <= reached ? 'done' : index === reached + 1 ? 'failed' : 'waiting';
  if (complete || index <= reached) return 'done';
  return index === reached + 1 ? 'current' : 'waiting';
}

function completedAt(order: OrderRecordWithEvents): string {
  return order.events.findLast((event) => event.type === 'completed')?.at ?? order.updatedAt;
}

const ORDER_STEPS = [
  { name: 'Received', explanation: 'Your order is stored and will be carried out once.' },
  { name: 'Funds locked', explanation: 'The vault holds what the order may use, and no more.' },
  { name: 'Filled at the exchange', explanation: 'Traded within your limit, or not at all.' },
  { name: 'Settled on chain', explanation: 'What you traded for is in your account.' },
];

const WITHDRAWAL_STEPS = [
  { name: 'Received', explanation: 'Your withdrawal is stored and will be sent once.' },
  { name: 'Checked', explanation: 'The amount and the permission have been checked.' },
  { name: 'Sent', explanation: 'The transaction is on its way.' },
  { name: 'Confirmed on chain', explanation: 'The funds have arrived.' },
];

const STATUS_WORDS: Record<OrderRecord['status'], string> = {
  pending: 'Received',
  validated: 'Funds locked',
  executing: 'At the exchange',
  completed: 'Completed',
  failed: 'Not carried out',
};

/** How far an order, or an entry of the activity, is. */
export function statusWords(order: {
  status: OrderRecord['status'];
  source: OrderRecord['source'] | null;
  terminationReason: string | null;
  action?: { orderType: string };
  kind?: string;
}): string {
  const isWithdrawal = order.action?.orderType === 'Withdraw' || order.kind === 'withdrawal';
  if (isWithdrawal && order.status === 'executing') return 'Being sent';
  if (order.status === 'pending' && order.source === 'calldata') return 'Waiting for your wallet';
  if (order.terminationReason === 'cancelled') return 'Cancelled';
  return STATUS_WORDS[order.status];
}

/** Whether it ended otherwise than its owner wanted. */
export function isMishap(order: Pick<OrderRecord, 'status' | 'terminationReason'>): boolean {
  return order.status === 'failed' && order.terminationReason !== 'cancelled';
}

/** An order's step usually takes a second or two. */
const USUAL_STEP_MS = 25_000;

/** What to tell about an order that has not moved for long; undefined while all is as usual. */
export function orderDelayWords(
  order: Pick<OrderRecord, 'status' | 'source' | 'isComplete' | 'updatedAt' | 'expiresAt'>,
  nowMs: number,
): string | undefined {
  if (order.isComplete || nowMs - Date.parse(order.updatedAt) < USUAL_STEP_MS) return undefined;
  if (order.status === 'pending' && order.source === 'calldata') {
    const waits =
      'Your wallet has not sent the transactions yet. Until it does, nothing is locked.';
    if (order.expiresAt === null) return waits;
    return `${waits} Without them the order ends by itself at ${clockTime(order.expiresAt)}.`;
  }
  return 'It goes on by itself, also when you leave this page. What is not traded comes back to your account.';
}
