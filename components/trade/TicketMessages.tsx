'use client';

import dynamic from 'next/dynamic';
import type { TicketReason } from '#lib/browser/trade/ticketState.ts';
import { shortHex } from '#lib/format/address.ts';
import { contracts, dollars } from '#lib/format/money.ts';
import type { Ticket } from './useTicket.ts';

// Read once by a newcomer; the same stands in its place while what is to be signed is asked for.
const PermissionChoice = dynamic(
  () => import('#components/wallet/PermissionChoice.tsx').then((m) => m.PermissionChoice),
  { loading: () => <div className="skeleton h-72" /> },
);

/** What the permission allows, chosen and read before it is signed. */
export function TicketGrant({ ticket }: { ticket: Ticket }) {
  const { reason, visitor, limitsNeed } = ticket;
  if ((reason !== 'signGrant' && reason !== 'widenGrant') || !visitor.account) return null;
  return (
    <PermissionChoice
      key={reason}
      label="Trading permission"
      account={visitor.account}
      need={limitsNeed}
    />
  );
}

/** Above the button: why it says what it says, and for someone who is new here what comes next. */
export function TicketMessages({ ticket }: { ticket: Ticket }) {
  const words = WORDS[ticket.reason]?.(ticket);
  if (!words) return null;
  return <p className="text-14 text-ink-2">{words}</p>;
}

const WORDS: Partial<Record<TicketReason, (ticket: Ticket) => string | undefined>> = {
  marketNotOpen: ({ context }) =>
    context.marketStatus === 'paused'
      ? 'What you hold stays yours. Once trading goes on, so does this ticket.'
      : undefined,
  offline: () => 'Nothing is placed without a connection.',
  accountFailed: () =>
    'Your account did not load. What you hold is on the chain and is not affected.',
  quoteFailed: () => 'No price came for this amount. Nothing has been placed.',
  connectWallet: () =>
    'Four short steps to the first trade: connect, sign in, give a limited permission, add USDC.',
  signIn: () => 'One signature proves the address is yours. It moves nothing and costs nothing.',
  signGrant: ({ visitor }) =>
    visitor.account?.grant
      ? 'Your permission has ended. Sign it anew to have orders placed for you.'
      : undefined,
  widenGrant: ({ context, limitsNeed }) =>
    `Your permission does not cover this order: it can come to ${dollars(limitsNeed?.perOrderMicros ?? 0n)}${
      context.action === 'sell' ? ', as each contract counts as the dollar it may pay' : ''
    }. Choose higher limits, or a smaller amount.`,
  getTestFunds: ({ visitor }) =>
    `Your smart account is ${shortHex(visitor.account?.smartAccountAddress ?? '')}. The faucet fills it with test USDC.`,
  wrongNetwork: () => 'Orders settle on Base. Your wallet will ask you to switch.',
  notFillable: ({ quote }) =>
    quote && quote.contractMicros > 0n
      ? `The book holds ${contracts(quote.contractMicros)} contracts now. Try a smaller amount.`
      : 'Nobody offers at the moment. Try a little later or the other side.',
  tooLarge: ({ context, quote }) =>
    context.action === 'buy'
      ? `One order can spend at most ${dollars(quote?.largestOrderMicros ?? 0n)}, price protection included. Place a smaller order.`
      : `One order can sell at most ${contracts(quote?.largestOrderMicros ?? 0n)} contracts. Place a smaller order.`,
  insufficientCash: () =>
    'Your account holds less than the most you may pay, which is the price shown plus its protection.',
  redeem: () => 'The market has its result. What you hold is exchanged for USDC; it costs nothing.',
};
