import clsx from 'clsx';
import dynamic from 'next/dynamic';
import { Button } from '#components/ui/Button.tsx';
import { loadPart } from '#components/ui/loadPart.ts';
import { Notice } from '#components/ui/Notice.tsx';
import type { TicketReason } from '#lib/browser/trade/ticketState.ts';
import { type SetupStep, SetupSteps } from './SetupSteps.tsx';
import { ticketButton } from './ticketButton.ts';
import type { Ticket } from './useTicket.ts';

// Each has a Suspense of its own: without one, React would hold back the whole page while a part
// loads, and discard what is typed meanwhile.
const OrderCheck = dynamic(
  () => loadPart(() => import('./QuotedTicket.tsx').then((m) => m.OrderCheck)),
  {
    ssr: false,
  },
);
const TicketWords = dynamic(
  () => loadPart(() => import('./TicketWords.tsx').then((m) => m.TicketWords)),
  {
    loading: () => null,
  },
);
const PlacedOrder = dynamic(
  () => loadPart(() => import('./PlacedOrder.tsx').then((m) => m.PlacedOrder)),
  {
    ssr: false,
  },
);

/**
 * Sticks to the bottom while the ticket scrolls, so that the result of a press stays in view. Below
 * the permission it does not: its terms are read before the button is reached.
 */
export function TicketFooter({ ticket }: { ticket: Ticket }) {
  const { error, order, visitor } = ticket;
  const { phase } = order;
  const button = ticketButton(ticket);
  return (
    <div
      className={clsx(
        '-mx-5 -my-3 grid gap-3 bg-surface px-5 py-3',
        !asksForGrant(ticket) && 'sticky bottom-0',
      )}
    >
      {phase.orderId !== undefined && (
        <PlacedOrder
          key={phase.orderId}
          id={phase.orderId}
          owner={visitor.wallet.address}
          onDismiss={order.dismiss}
        />
      )}
      <TicketMessages ticket={ticket} />
      {phase.at !== 'editing' && <OrderCheck ticket={ticket} />}
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
  () =>
    loadPart(() =>
      import('#components/wallet/PermissionChoice.tsx').then((m) => m.PermissionChoice),
    ),
  { loading: () => <div className="skeleton h-72" /> },
);

export function asksForGrant({ reason }: Ticket): boolean {
  return reason === 'signGrant' || reason === 'widenGrant';
}

/** The limits of the permission, shown before it is signed. */
export function TicketGrant({ ticket }: { ticket: Ticket }) {
  const { reason, visitor, limitsNeed } = ticket;
  if (!asksForGrant(ticket) || !visitor.account) return null;
  return (
    <PermissionChoice
      key={reason}
      label="Trading permission"
      account={visitor.account}
      need={limitsNeed}
    />
  );
}

/** The first reasons of a page, which the button itself explains. */
const SILENT: ReadonlySet<TicketReason> = new Set([
  'connectWallet',
  'connecting',
  'accountLoading',
  'enterAmount',
  'enterTrigger',
  'enterPrice',
]);

/** Above the button: the reason for its state and, for newcomers, the next step. */
function TicketMessages({ ticket }: { ticket: Ticket }) {
  const step = setupStep(ticket);
  return (
    <>
      {step && <SetupSteps current={step} />}
      {!SILENT.has(ticket.reason) && <TicketWords ticket={ticket} />}
    </>
  );
}

/** The current step of a visitor who has not traded yet. */
function setupStep({ reason, visitor, walletPays }: Ticket): SetupStep | undefined {
  if (reason === 'connectWallet') return 'Connect';
  if (reason === 'getTestFunds') return 'Add funds';
  if (walletPays || visitor.account?.grant) return undefined;
  if (reason === 'signIn') return 'Sign in';
  return reason === 'signGrant' ? 'Set limits' : undefined;
}
