import dynamic from 'next/dynamic';
import { Button } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import type { TicketReason } from '#lib/browser/trade/ticketState.ts';
import { shortHex } from '#lib/format/address.ts';
import { contracts, dollars } from '#lib/format/money.ts';
import { type SetupStep, SetupSteps } from './SetupSteps.tsx';
import { ticketButton } from './ticketButton.ts';
import type { Ticket } from './useTicket.ts';

// A changed price implies that a price, and its figures, were shown before.
const PriceMoved = dynamic(() => import('./QuotedTicket.tsx').then((m) => m.PriceMoved));

/** Sticks to the bottom while the ticket scrolls, so that the result of a press stays in view. */
export function TicketFooter({ ticket }: { ticket: Ticket }) {
  const { error } = ticket;
  const button = ticketButton(ticket);
  return (
    <div className="-mx-5 -my-3 sticky bottom-0 grid gap-3 bg-surface px-5 py-3">
      <TicketMessages ticket={ticket} />
      {ticket.order.worseThan && <PriceMoved ticket={ticket} />}
      {error && (
        <Notice tone="problem" live>
          {error.message}
        </Notice>
      )}
      <Button
        type="submit"
        size="l"
        tone={button.tone}
        // A disabled button would lose the focus at each step, and with it the keyboard user's
        // place.
        aria-disabled={button.disabled}
        className="w-full"
        data-testid="ticket-button"
        data-reason={ticket.reason}
        isBusy={button.busy}
      >
        {button.label}
      </Button>
    </div>
  );
}

// An introduction for newcomers; the permission to sign replaces it.
const PermissionChoice = dynamic(
  () => import('#components/wallet/PermissionChoice.tsx').then((m) => m.PermissionChoice),
  { loading: () => <div className="skeleton h-72" /> },
);

/** The limits of the permission, shown before it is signed. */
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

/** Above the button: the reason for its state and, for newcomers, the next step. */
function TicketMessages({ ticket }: { ticket: Ticket }) {
  const words = WORDS[ticket.reason]?.(ticket);
  const step = setupStep(ticket);
  return (
    <>
      {step && <SetupSteps current={step} />}
      {words && <p className="text-14 text-ink-2">{words}</p>}
    </>
  );
}

/** The current step of a visitor who has not traded yet. */
function setupStep({ reason, visitor }: Ticket): SetupStep | undefined {
  if (reason === 'connectWallet') return 'Connect';
  if (reason === 'getTestFunds') return 'Add funds';
  if (visitor.account?.grant) return undefined;
  if (reason === 'signIn') return 'Sign in';
  return reason === 'signGrant' ? 'Set limits' : undefined;
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
