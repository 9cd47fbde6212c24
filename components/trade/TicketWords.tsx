import type { TicketReason } from '#lib/browser/trade/ticketState.ts';
import { shortHex } from '#lib/format/address.ts';
import { contracts, dollars } from '#lib/format/money.ts';
import type { Ticket } from './useTicket.ts';

/** Why the ticket's button is what it is. */
export function TicketWords({ ticket }: { ticket: Ticket }) {
  const words = WORDS[ticket.reason]?.(ticket);
  return words && <p className="text-14 text-ink-2">{words}</p>;
}

const WORDS: Partial<Record<TicketReason, (ticket: Ticket) => string | undefined>> = {
  marketNotOpen: ({ context }) =>
    context.marketStatus === 'paused'
      ? 'Trading is paused. You can order again when it resumes.'
      : undefined,
  offline: () => 'Reconnect to place orders.',
  accountFailed: () =>
    'Your account could not be loaded. Your funds are on chain and not affected.',
  quoteFailed: () => 'Could not get a price for this amount. No order was placed.',
  priceNotATick: () => 'The arrow keys and the buttons beside the price go to valid prices.',
  endInvalid: () => 'A resting order ends between a minute and 89 days from now.',
  signIn: () => 'Sign a message to prove this wallet is yours. It is free and moves no funds.',
  signGrant: ({ visitor }) =>
    visitor.account?.grant
      ? 'Your trading permission has expired. Sign a new one to place orders without gas.'
      : undefined,
  widenGrant: ({ context, limitsNeed }) =>
    `This order exceeds your limits: it can use up to ${dollars(limitsNeed?.perOrderMicros ?? 0n)}${
      context.action === 'sell' ? ' because each contract sold counts as $1.00' : ''
    }. Raise your limits or enter a smaller amount.`,
  getTestFunds: ({ visitor }) =>
    `Your smart account is ${shortHex(visitor.account?.smartAccountAddress ?? '')}. The faucet adds test USDC.`,
  wrongNetwork: () => 'Crossbook runs on Base. Your wallet will ask you to switch networks.',
  notFillable: ({ context, quote }) =>
    quote && quote.contractMicros > 0n
      ? `Only ${contracts(quote.contractMicros)} contracts are available right now. Enter a smaller amount.`
      : `No ${context.action === 'buy' ? 'sellers' : 'buyers'} right now. Try again later.`,
  tooLarge: ({ context, quote }) =>
    context.action === 'buy'
      ? `One order can spend at most ${dollars(quote?.largestOrderMicros ?? 0n)}, slippage included. Enter a smaller amount.`
      : `One order can sell at most ${contracts(quote?.largestOrderMicros ?? 0n)} contracts. Enter a smaller amount.`,
  insufficientCash: () => 'Not enough cash for this order including slippage.',
  redeem: () =>
    'This market has resolved. Redeem your contracts for USDC, free of charge. Unless you turned automatic payouts off, Crossbook does it for you shortly.',
};
