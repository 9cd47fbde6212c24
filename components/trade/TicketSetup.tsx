'use client';

import { Suspense } from 'react';
import { onDemand } from '#components/ui/onDemand.ts';
import { shortHex } from '#lib/format/address.ts';
import { contracts } from '#lib/format/money.ts';
import type { TicketReason } from '#lib/trade/ticketState.ts';
import type { Ticket } from './useTicket.ts';

// Read once by a newcomer; the same stands in its place while what is to be signed is asked for.
const GrantWords = onDemand(() =>
  import('#components/wallet/GrantWords.tsx').then((m) => m.GrantWords),
);

/** Beside the button, for someone who is new here: what the next step is and why. */
export function TicketSetup({ ticket }: { ticket: Ticket }) {
  if (ticket.reason === 'signGrant') {
    return (
      <Suspense fallback={<div className="skeleton h-52" />}>
        <GrantWords />
      </Suspense>
    );
  }
  const words = WORDS[ticket.reason]?.(ticket);
  if (!words) return null;
  return <p className="text-14 text-ink-2">{words}</p>;
}

const WORDS: Partial<Record<TicketReason, (ticket: Ticket) => string | undefined>> = {
  connectWallet: () =>
    'Four short steps to the first trade: connect, sign in, give a limited permission, add USDC.',
  signIn: () => 'One signature proves the address is yours. It moves nothing and costs nothing.',
  getTestFunds: ({ visitor }) =>
    `Your smart account is ${shortHex(visitor.account?.smartAccountAddress ?? '')}. The faucet fills it with test USDC.`,
  wrongNetwork: () => 'Orders settle on Base. Your wallet will ask you to switch.',
  notFillable: ({ quote }) =>
    quote && quote.contractMicros > 0n
      ? `The book holds ${contracts(quote.contractMicros)} contracts now. Try a smaller amount.`
      : 'Nobody offers at the moment. Try a little later or the other side.',
  insufficientCash: () =>
    'There is not enough in your account: the most you may pay must be there, which is the price shown plus its protection.',
  redeem: () => 'The market has its result. What you hold is exchanged for USDC; it costs nothing.',
};
