import type { ReactNode } from 'react';
import { signInPurpose } from '#components/wallet/signInPurpose.ts';
import type { Visitor } from '#components/wallet/useSetup.ts';
import { useSessionExpired } from '#lib/browser/session/useSessionExpired.ts';
import type { TicketReason } from '#lib/browser/trade/ticketState.ts';
import { useIsPasskey } from '#lib/browser/wallet/useOwnerWords.ts';
import { shortHex } from '#lib/format/address.ts';
import { contracts } from '#lib/format/money.ts';
import type { Ticket } from './useTicket.ts';

/** Blockers that an order would end with: their texts are about an order that was placed. */
const BLOCKED: Partial<Record<string, string>> = {
  contracts_paused: 'The contracts are paused. You can order again when they resume.',
  no_delivery_room:
    'Crossbook cannot deliver this much right now. Enter a smaller amount, or try again later.',
  payout_unfunded:
    'Crossbook cannot pay for this many contracts right now. Enter fewer, or try again later.',
  price_moved: 'Nothing matches this price right now. Choose another price, or let the order rest.',
  not_filled_whole:
    'The book does not offer the whole quantity at this price right now. Choose another price, or a smaller quantity.',
  post_only_would_cross:
    'This price matches right now. Choose another price, or turn post-only off.',
  exchange_unfunded: 'Crossbook cannot place this order right now. Try again in a few minutes.',
};

/** Nothing was pressed, so nothing could have been created. */
function withoutOutcome(detail: string): string {
  return detail.replace(' Nothing was created.', '');
}

function SignInWords({ visitor: { account, wallet } }: { visitor: Visitor }) {
  const purpose = signInPurpose(useIsPasskey());
  if (useSessionExpired(wallet.address))
    return 'Your session has expired. Sign in again; what you entered is kept.';
  // An account with a permission has signed in before.
  return account?.grant ? `You are not signed in on this device. ${purpose}` : purpose;
}

/** Why the ticket's button is what it is. */
export function TicketWords({ ticket }: { ticket: Ticket }) {
  const words = WORDS[ticket.reason]?.(ticket);
  return words && <p className="text-14 text-ink-2">{words}</p>;
}

const WORDS: Partial<Record<TicketReason, (ticket: Ticket) => ReactNode>> = {
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
  signIn: ({ visitor }) => <SignInWords visitor={visitor} />,
  signGrant: ({ visitor }) =>
    visitor.account?.grant?.status === 'expired'
      ? 'Your trading permission has expired. Sign a new one so that Crossbook places orders for you.'
      : undefined,
  widenGrant: ({ context }) =>
    `Raise your limits or enter a smaller amount.${
      context.action === 'sell' ? ' Each contract sold counts as $1.00.' : ''
    }`,
  getTestFunds: ({ visitor }) =>
    `Your smart account is ${shortHex(visitor.account?.smartAccountAddress ?? '')}. The faucet adds test USDC.`,
  wrongNetwork: () => 'Crossbook runs on Base. Your wallet will ask you to switch networks.',
  notFillable: ({ context, quote }) =>
    quote && quote.contractMicros > 0n
      ? `Only ${contracts(quote.contractMicros)} contracts are available right now. Enter a smaller amount.`
      : `No ${context.action === 'buy' ? 'sellers' : 'buyers'} right now. Try again later.`,
  tooLarge: ({ blocker }) => blocker && withoutOutcome(blocker.detail),
  blocked: ({ blocker }) => blocker && (BLOCKED[blocker.code] ?? withoutOutcome(blocker.detail)),
  insufficientCash: ({ context }) =>
    `Not enough cash for ${context.limit ? 'what this order locks' : 'this order including slippage'}.`,
  prepareCalls: ({ walletPays }) =>
    walletPays &&
    'Your wallet pays this first order: you sign the deposit and the order, and Crossbook pays the network fee.',
  redeem: () =>
    'This market has resolved. Redeem your contracts for USDC, free of charge. With automatic payout on, Crossbook does this for you.',
};
