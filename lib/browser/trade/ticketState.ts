import type { TradeAction } from './quote.ts';

/**
 * Everything that decides the label and action of the ticket's button. Each caller fills this in
 * and renders the result.
 */
export type TicketContext = {
  action: TradeAction;
  /** "me": the service places it under the grant. "self": the wallet signs and sends the calls. */
  execution: 'forMe' | 'self';
  marketStatus: 'unopened' | 'open' | 'paused' | 'closed' | 'settled';
  isOnline: boolean;
  wallet: 'none' | 'connecting' | 'connected';
  wrongNetwork: boolean;
  session: 'none' | 'signing' | 'valid';
  account: 'loading' | 'failed' | 'ready';
  /**
   * Whether the recorded grant lets the service act now; irrelevant when the wallet signs itself.
   */
  grantUsable: boolean;
  sandbox: boolean;
  cashMicros: bigint;
  heldContractMicros: bigint;
  /** The payout of redeeming the holding; 0 when there is nothing to redeem. */
  redeemableUsdcMicros: bigint;
  amount: 'empty' | 'invalid' | 'not_a_step' | 'too_small' | 'ok';
  quote: 'none' | 'loading' | 'failed' | 'ready';
  fillable: boolean;
  /** Of a sale: the contracts to sell. */
  soldContractMicros: bigint;
  /** Whether the service is still asked what blocks the order. */
  previewLoading: boolean;
  /** What the service says blocks the order. */
  blocker: TicketReason | undefined;
  /** The price got worse between the quote that was shown and the confirmation. */
  worsePrice: boolean;
  busy: 'none' | 'checking' | 'granting' | 'funding' | 'preparing' | 'signing' | 'placing';
  /** The decoded calls are on screen, ready for the wallet. */
  callsPrepared: boolean;
  /** The visitor chose to place orders without a confirmation. */
  onePress: boolean;
  /** The terms of the order are on screen for confirmation. */
  confirming: boolean;
  /** What the visitor sets in a ticket of limit orders. */
  limit?: LimitContext;
};

type PriceState = 'empty' | 'invalid' | 'not_a_tick' | 'ok';

export type LimitContext = {
  price: PriceState;
  /** Of a stop order. */
  trigger?: PriceState;
  /** Whether the time at which the order ends is possible. */
  end: 'ok' | 'invalid';
};

export type TicketReason =
  | 'busy'
  | 'marketNotOpen'
  | 'offline'
  | 'redeem'
  | 'connectWallet'
  | 'connecting'
  | 'wrongNetwork'
  | 'signIn'
  | 'signingIn'
  | 'accountLoading'
  | 'accountFailed'
  | 'signGrant'
  | 'widenGrant'
  | 'getTestFunds'
  | 'enterTrigger'
  | 'enterPrice'
  | 'priceInvalid'
  | 'priceNotATick'
  | 'endInvalid'
  | 'enterAmount'
  | 'amountInvalid'
  | 'amountNotAStep'
  | 'amountTooSmall'
  | 'quoteLoading'
  | 'quoteFailed'
  | 'notFillable'
  | 'tooLarge'
  | 'insufficientCash'
  | 'insufficientContracts'
  | 'blocked'
  | 'acceptPrice'
  | 'signCalls'
  | 'prepareCalls'
  | 'review'
  | 'place';

const hasPrice = ({ limit }: TicketContext, state: PriceState) =>
  limit?.price === state || limit?.trigger === state;

type Rules = readonly (readonly [TicketReason, (c: TicketContext) => boolean])[];

/** The reasons in the order they are checked; the first that holds is returned. */
const BEFORE_BLOCKERS: Rules = [
  ['busy', (c) => c.busy !== 'none'],
  ['marketNotOpen', (c) => c.marketStatus !== 'open' && c.redeemableUsdcMicros === 0n],
  ['offline', (c) => !c.isOnline],
  ['connectWallet', (c) => c.wallet === 'none'],
  ['connecting', (c) => c.wallet === 'connecting'],
  // The service redeems a payout: the wallet sends nothing.
  ['wrongNetwork', (c) => c.wrongNetwork && c.redeemableUsdcMicros === 0n],
  ['signingIn', (c) => c.session === 'signing'],
  ['signIn', (c) => c.session === 'none'],
  ['accountLoading', (c) => c.account === 'loading'],
  ['accountFailed', (c) => c.account === 'failed'],
  ['redeem', (c) => c.redeemableUsdcMicros > 0n],
  ['signGrant', (c) => c.execution === 'forMe' && !c.grantUsable],
  ['getTestFunds', (c) => c.sandbox && c.action === 'buy' && c.cashMicros === 0n],
  ['enterTrigger', (c) => c.limit?.trigger === 'empty'],
  ['enterPrice', (c) => c.limit?.price === 'empty'],
  ['priceInvalid', (c) => hasPrice(c, 'invalid')],
  ['priceNotATick', (c) => hasPrice(c, 'not_a_tick')],
  ['enterAmount', (c) => c.amount === 'empty'],
  ['amountInvalid', (c) => c.amount === 'invalid'],
  ['amountNotAStep', (c) => c.amount === 'not_a_step'],
  ['amountTooSmall', (c) => c.amount === 'too_small'],
  [
    'insufficientContracts',
    (c) => c.action === 'sell' && c.soldContractMicros > c.heldContractMicros,
  ],
  ['quoteFailed', (c) => c.quote === 'failed'],
  ['quoteLoading', (c) => c.quote !== 'ready'],
  ['endInvalid', (c) => c.limit?.end === 'invalid'],
  ['notFillable', (c) => !c.fillable],
  ['quoteLoading', (c) => c.previewLoading],
];

/** What is left to do for an order that the service would carry out. */
const AFTER_BLOCKERS: Rules = [
  ['acceptPrice', (c) => c.worsePrice],
  ['signCalls', (c) => c.execution === 'self' && c.callsPrepared],
  ['prepareCalls', (c) => c.execution === 'self'],
  ['review', (c) => !c.onePress && !c.confirming],
];

/** Decides the purpose of the ticket's button. Total: some reason always holds. */
export function ticketState(context: TicketContext): TicketReason {
  const first = (rules: Rules) => rules.find(([, holds]) => holds(context))?.[0];
  return first(BEFORE_BLOCKERS) ?? context.blocker ?? first(AFTER_BLOCKERS) ?? 'place';
}

/** Reasons whose button has an action; the others only explain what is missing. */
const ACTIONABLE: ReadonlySet<TicketReason> = new Set([
  'connectWallet',
  'wrongNetwork',
  'signIn',
  'accountFailed',
  'redeem',
  'signGrant',
  'widenGrant',
  'getTestFunds',
  'quoteFailed',
  'insufficientCash',
  'acceptPrice',
  'signCalls',
  'prepareCalls',
  'review',
  'place',
]);

export function isActionable(reason: TicketReason): boolean {
  return ACTIONABLE.has(reason);
}
