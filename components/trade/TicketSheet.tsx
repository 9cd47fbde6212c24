import { X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { useHydrated } from '#components/ui/clock.ts';
import { followPickedPrice } from '#lib/browser/trade/pickedPrice.ts';
import { cents } from '#lib/format/money.ts';
import { type TicketHandle, TradeTicket } from './TradeTicket.tsx';
import type { TicketMarket } from './useTicket.ts';

type TicketSheetProps = {
  market: TicketMarket;
  initial: { side: 'yes' | 'no'; action: 'buy' | 'sell' };
  /** Whether the sheet starts open on a phone: the visitor has just pressed a price. */
  openAtOnce: boolean;
  /** Whether the bar names the outcome: the page shows several. */
  isOneOfSeveral?: boolean;
};

const PHONE = '(width < 64rem)';

/**
 * The ticket's container: beside the market on a desktop, a bottom sheet on a phone, opened from
 * the bar with the two prices. It is one element, so that typed input survives.
 */
export function TicketSheet(props: TicketSheetProps) {
  const { market, initial, openAtOnce, isOneOfSeveral = false } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const ticket = useRef<TicketHandle>(null);
  const attach = useCallback(
    (element: HTMLDialogElement | null) => {
      dialog.current = element;
      if (!element || !matchMedia(PHONE).matches) return;
      if (openAtOnce && !element.open) element.showModal();
    },
    [openAtOnce],
  );
  // A price that was chosen in the book: on a phone the ticket is behind its bar.
  useEffect(
    () =>
      followPickedPrice(market.ticker, () => {
        if (matchMedia(PHONE).matches && dialog.current?.open === false) dialog.current.showModal();
      }),
    [market.ticker],
  );
  const open = (side: 'yes' | 'no') => {
    ticket.current?.buy(side);
    dialog.current?.showModal();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes; the click is for the backdrop */}
      <dialog
        ref={attach}
        aria-label={`Trade ticket, ${market.label}`}
        onClick={(event) => {
          if (event.target === event.currentTarget && event.currentTarget.open) {
            event.currentTarget.close();
          }
        }}
        className="ticket-dialog sheet text-ink backdrop:bg-black/40"
      >
        <div className="p-5 max-lg:pb-[max(20px,env(safe-area-inset-bottom))]">
          <div className="ticket-head">
            <h2 className="wrap-anywhere min-w-0 font-semibold text-17">{market.label}</h2>
            <button
              type="button"
              aria-label="Close"
              onClick={() => dialog.current?.close()}
              className="-m-2 grid size-11 place-items-center rounded-md text-ink-2 hover:bg-sunken lg:hidden"
            >
              <X aria-hidden className="size-5" />
            </button>
          </div>
          <InertUntilHydrated>
            <TradeTicket key={market.ticker} ref={ticket} market={market} initial={initial} />
          </InertUntilHydrated>
        </div>
      </dialog>
      {market.status === 'open' && (
        <div
          data-ticket-bar
          className="fixed inset-x-0 bottom-[calc(var(--bottom-nav-height)+env(safe-area-inset-bottom))] z-10 grid grid-cols-2 gap-2 border-t bg-paper px-4 py-2.5 lg:hidden"
        >
          {isOneOfSeveral && (
            <p className="wrap-anywhere col-span-2 font-medium text-14">{market.label}</p>
          )}
          <BarButton side="yes" askMicros={market.yesAskMicros} onPress={() => open('yes')} />
          <BarButton side="no" askMicros={market.noAskMicros} onPress={() => open('no')} />
        </div>
      )}
    </>
  );
}

type BarButtonProps = { side: 'yes' | 'no'; askMicros: bigint | null; onPress: () => void };

/** A form's action: React replays a press from before hydration. */
function BarButton({ side, askMicros, onPress }: BarButtonProps) {
  return (
    <form action={onPress} className="grid">
      <button
        type="submit"
        className={`nums min-h-12 rounded-md px-1 font-medium text-on-solid ${side === 'yes' ? 'bg-yes-solid' : 'bg-no-solid'}`}
      >
        {/* At twice the size of type a phone has no room for it beside the price. */}
        <span className="max-[16rem]:sr-only">Buy </span>
        {side === 'yes' ? 'Yes' : 'No'} {askMicros === null ? '' : cents(askMicros)}
      </button>
    </form>
  );
}

/** Blocks input before hydration, which would discard it. The appearance stays the same. */
function InertUntilHydrated({ children }: { children: ReactNode }) {
  return <div inert={!useHydrated()}>{children}</div>;
}
