import { openConnectDialog } from '#components/wallet/ConnectButton.tsx';
import { isActionable, type TicketReason } from '#lib/browser/trade/ticketState.ts';
import { contractsOf } from '#lib/format/contractsOf.ts';
import { dollars, dollarsDown } from '#lib/format/money.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import type { Ticket } from './useTicket.ts';
import type { TicketForm } from './useTicketForm.ts';

const BUSY = {
  none: '',
  checking: 'Checking price',
  granting: 'Waiting for your signature',
  funding: 'Getting test USDC',
  preparing: 'Preparing transactions',
  signing: 'Waiting for your confirmation',
  placing: 'Placing your order',
} as const;

const CLOSED = {
  unopened: 'Not open for trading yet',
  open: '',
  paused: 'Trading is paused',
  closed: 'Trading has ended',
  settled: 'This market has resolved',
} as const;

function tradeWords({ action, side }: TicketForm): string {
  return `${action === 'buy' ? 'Buy' : 'Sell'} ${sideWord(side)}`;
}

/** Of an order that waits for its price first. */
const isStop = ({ context }: Ticket) => context.limit?.trigger !== undefined;

function actionLabel(ticket: Ticket): string {
  const words = `${isStop(ticket) ? 'Stop: ' : ''}${tradeWords(ticket.fields.form)}`;
  if (!ticket.quote) return words;
  const quantity = contractsOf(ticket.quote.contractMicros);
  return `${words} · ${quantity} · ${dollars(ticket.quote.totalUsdcMicros)}`;
}

/** Short enough for one line: the number of contracts is above the button. */
function confirmLabel(ticket: Ticket): string {
  return `Confirm${isStop(ticket) ? ' stop' : ''}: ${tradeWords(ticket.fields.form)} · ${dollars(ticket.quote?.totalUsdcMicros ?? 0n)}`;
}

/** A typed amount stays the same: what changes is how many contracts it buys. */
function acceptLabel({ quote }: Ticket): string {
  const total = dollars(quote?.totalUsdcMicros ?? 0n);
  return quote?.capUsdcMicros === undefined
    ? `Accept ${total}`
    : `Accept ${contractsOf(quote.contractMicros)} for ${total}`;
}

const LABELS: Record<TicketReason, (ticket: Ticket) => string> = {
  busy: ({ context }) => BUSY[context.busy],
  marketNotOpen: ({ context }) => CLOSED[context.marketStatus],
  offline: () => 'You are offline',
  redeem: ({ context }) => `Redeem for ${dollarsDown(context.redeemableUsdcMicros)}`,
  connectWallet: () => 'Connect wallet',
  connecting: () => 'Connecting',
  wrongNetwork: () => 'Switch to Base',
  signIn: () => 'Sign in',
  signingIn: () => 'Waiting for your signature',
  accountLoading: () => 'Loading your account',
  accountFailed: () => 'Reload the page',
  signGrant: ({ visitor: { account } }) =>
    account?.grant?.status === 'active' ? 'Add this device' : 'Sign trading permission',
  widenGrant: () => 'Sign higher limits',
  getTestFunds: () => 'Get test USDC',
  enterTrigger: () => 'Enter a trigger price',
  enterPrice: () => 'Enter a limit price',
  priceInvalid: () => 'Enter a price from 0¢ to 100¢',
  priceNotATick: () => 'Choose a price on the market’s ticks',
  endInvalid: () => 'Choose a later end',
  enterAmount: () => 'Enter an amount',
  amountInvalid: () => 'Enter a number',
  amountNotAStep: () => 'Use at most two decimals',
  amountTooSmall: () => 'Enter a larger amount',
  quoteLoading: () => 'Getting price',
  quoteFailed: () => 'Retry',
  notFillable: () => 'Not enough liquidity',
  tooLarge: () => 'Order too large',
  insufficientCash: ({ context }) => (context.sandbox ? 'Get more test USDC' : 'Deposit USDC'),
  blocked: () => 'Order not possible now',
  insufficientContracts: (ticket) => `Not enough ${sideWord(ticket.fields.form.side)} contracts`,
  acceptPrice: acceptLabel,
  signCalls: () => 'Sign and send',
  prepareCalls: actionLabel,
  review: actionLabel,
  place: (ticket) => (ticket.fields.form.onePress ? actionLabel(ticket) : confirmLabel(ticket)),
};

function run(ticket: Ticket): void {
  const { reason, pressed, quote, order, setup, fields } = ticket;
  const actions: Partial<Record<TicketReason, () => unknown>> = {
    connectWallet: openConnectDialog,
    wrongNetwork: () => setup.switchNetwork.mutate(),
    signIn: () => setup.signIn.mutate(),
    accountFailed: () => location.reload(),
    signGrant: () => setup.signGrant.mutate({ addsDevice: true }),
    widenGrant: () => setup.signGrant.mutate({ need: ticket.limitsNeed }),
    redeem: ticket.redeem,
    getTestFunds: () => setup.faucet.mutate(),
    insufficientCash: () => (ticket.context.sandbox ? setup.faucet.mutate() : ticket.openDeposit()),
    quoteFailed: ticket.refetchQuote,
    review: order.review,
    place: () => pressed && order.place(pressed),
    prepareCalls: () => pressed && order.prepare(pressed),
    signCalls: () => order.prepared && order.sign(order.prepared),
    acceptPrice: () =>
      quote && (fields.form.execution === 'self' ? order.prepare(quote) : order.place(quote)),
  };
  actions[reason]?.();
}

const TRADES: ReadonlySet<TicketReason> = new Set([
  'redeem',
  'review',
  'place',
  'signCalls',
  'acceptPrice',
  'prepareCalls',
]);

export function ticketButton(ticket: Ticket) {
  const { reason } = ticket;
  return {
    label: LABELS[reason](ticket),
    tone: TRADES.has(reason) ? ticket.fields.form.side : ('primary' as const),
    disabled: !isActionable(reason),
    busy: ['busy', 'connecting', 'signingIn', 'accountLoading', 'quoteLoading'].includes(reason),
    onClick: () => run(ticket),
  };
}
