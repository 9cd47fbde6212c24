import { ChevronDown } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useState } from 'react';
import { Flashing } from '#components/ui/Flashing.tsx';
import { loadPart } from '#components/ui/loadPart.ts';
import { Segmented } from '#components/ui/Segmented.tsx';
import { typedPrice } from '#lib/browser/trade/limitPrice.ts';
import { followPickedPrice, type PickedPrice } from '#lib/browser/trade/pickedPrice.ts';
import { sideToSell } from '#lib/browser/trade/sideToSell.ts';
import { cents } from '#lib/format/money.ts';
import { TicketAmount, TicketPayout } from './TicketAmount.tsx';
import { asksForGrant, TicketFooter, TicketGrant } from './TicketFooter.tsx';
import { TicketFrame } from './TicketFrame.tsx';
import { type Ticket, type TicketMarket, useTicket } from './useTicket.ts';
import { loadOrderSteps } from './useTicketOrder.ts';

// Parts that few tickets show: `prepare` loads the first one before anything can be signed.
const CallList = dynamic(() => loadPart(() => import('./CallList.tsx').then((m) => m.CallList)), {
  ssr: false,
});
const SettledTicket = dynamic(() =>
  loadPart(() => import('./SettledTicket.tsx').then((m) => m.SettledTicket)),
);
const TicketSettings = dynamic(
  () => loadPart(() => import('./TicketSettings.tsx').then((m) => m.TicketSettings)),
  {
    ssr: false,
  },
);
const LimitTicket = dynamic(
  () => loadPart(() => import('./LimitTicket.tsx').then((m) => m.LimitTicket)),
  {
    ssr: false,
    loading: () => <div className="skeleton h-96" role="status" aria-label="Loading" />,
  },
);
const loadQuoted = () => import('./QuotedTicket.tsx');
const QuotedTicket = dynamic(() => loadPart(() => loadQuoted().then((m) => m.QuotedTicket)), {
  ssr: false,
});

export type TicketHandle = {
  /** Switches the ticket to buying, and to that side; an unchanged ticket keeps its state. */
  buy: (side?: 'yes' | 'no') => void;
  /** Switches the ticket to selling what is held. */
  sell: () => void;
};

type TradeTicketProps = {
  ref?: Ref<TicketHandle>;
  market: TicketMarket;
  initial: { side: 'yes' | 'no'; action: 'buy' | 'sell' };
};

/** Buys and sells one market. Remount it (by key) for another market or another start. */
export function TradeTicket({ market, initial, ref }: TradeTicketProps) {
  const [type, setType] = useState<OrderType>('market');
  const [picked, setPicked] = useState<{ side: 'yes' | 'no'; priceText: string; count: number }>();
  const ticket = useTicket(market, initial, type === 'market');
  const { form, change } = ticket.fields;
  const choose = (action: 'buy' | 'sell', side: 'yes' | 'no') => {
    // A change discards the prepared order, and an attempt whose response was lost.
    if (form.side !== side || form.action !== action) change({ side, action });
  };
  const sell = () => choose('sell', sideToSell(ticket.positions, form.side));
  useImperativeHandle(ref, () => ({ buy: (side = form.side) => choose('buy', side), sell }));
  const takePrice = useEffectEvent(({ side, priceMicros }: PickedPrice) => {
    choose(form.action, side);
    setType('limit');
    const count = (picked?.count ?? 0) + 1;
    setPicked({ side, priceText: typedPrice(priceMicros), count });
  });
  useEffect(() => followPickedPrice(market.ticker, (price) => takePrice(price)), [market.ticker]);
  // Preloaded, so that the first price and the first press need not wait for either.
  useEffect(
    () => void Promise.allSettled([loadQuoted(), loadOrderSteps(), import('./TicketWords.tsx')]),
    [],
  );
  const isTraded = market.status === 'open' || market.status === 'paused';
  if (!isTraded) {
    return (
      <TicketFrame ticket={ticket}>
        <SettledTicket ticket={ticket} />
        <TicketFooter ticket={ticket} />
      </TicketFrame>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap gap-2">
        <Segmented
          legend="Buy or sell"
          value={form.action}
          onChange={(action) => (action === 'sell' ? sell() : choose('buy', form.side))}
          className="flex-auto rounded-md bg-sunken p-1"
          options={[
            { value: 'buy', label: 'Buy' },
            { value: 'sell', label: 'Sell' },
          ]}
        />
        <Segmented
          legend="Order type"
          value={type}
          onChange={setType}
          className="flex-auto rounded-md bg-sunken p-1"
          options={ORDER_TYPES}
        />
      </div>
      <Segmented
        legend="Outcome"
        value={form.side}
        onChange={(side) => change({ side })}
        className="gap-2"
        options={(['yes', 'no'] as const).map((side) => ({
          value: side,
          label: (
            <SideLabel
              // Another action has another price: only the same one changes.
              key={form.action}
              word={side === 'yes' ? 'Yes' : 'No'}
              priceMicros={shownPriceMicros(market, form.action, side)}
            />
          ),
          className: SIDE[side],
        }))}
      />
      {type !== 'market' ? (
        <LimitTicket
          ticket={ticket}
          picked={type === 'limit' && picked?.side === form.side ? picked : undefined}
          isStop={type === 'stop'}
        />
      ) : (
        <MarketTicket ticket={ticket} />
      )}
    </div>
  );
}

type OrderType = 'market' | 'limit' | 'stop';

const ORDER_TYPES = [
  { value: 'market', label: 'Market' },
  { value: 'limit', label: 'Limit' },
  { value: 'stop', label: 'Stop' },
] as const;

function shownPriceMicros(market: TicketMarket, action: 'buy' | 'sell', side: 'yes' | 'no') {
  const [bid, ask] =
    side === 'yes'
      ? [market.yesBidMicros, market.yesAskMicros]
      : [market.noBidMicros, market.noAskMicros];
  return action === 'buy' ? ask : bid;
}

/** An order at the price of the moment. */
function MarketTicket({ ticket }: { ticket: Ticket }) {
  return (
    <TicketFrame ticket={ticket}>
      <TicketAmount ticket={ticket} />
      {/* The permission takes their place: its terms are what is read next. */}
      {!asksForGrant(ticket) && (
        <>
          <TicketPayout ticket={ticket} />
          {ticket.quote && <QuotedTicket ticket={ticket} />}
        </>
      )}
      {ticket.order.prepared && (
        <CallList
          key={ticket.order.prepared.id}
          order={ticket.order.prepared}
          progress={ticket.order.progress}
        />
      )}
      <TicketGrant ticket={ticket} />
      <TicketFooter ticket={ticket} />
      <Execution ticket={ticket} />
    </TicketFrame>
  );
}

const SIDE = {
  yes: 'min-h-12 border border-line rounded-md has-checked:border-yes-solid has-checked:bg-yes-soft has-checked:text-yes has-checked:shadow-none',
  no: 'min-h-12 border border-line rounded-md has-checked:border-no-solid has-checked:bg-no-soft has-checked:text-no has-checked:shadow-none',
};

function SideLabel({ word, priceMicros }: { word: string; priceMicros: bigint | null }) {
  return (
    <span className="nums flex items-baseline gap-2">
      <span>{word}</span>
      <span className="font-semibold">
        <Flashing value={priceMicros}>{priceMicros === null ? '–' : cents(priceMicros)}</Flashing>
      </span>
    </span>
  );
}

/** How orders are placed; opened by few. */
function Execution({ ticket }: { ticket: Ticket }) {
  const [isOpen, setIsOpen] = useState(false);
  const { form } = ticket.fields;
  return (
    <details
      className="group border-t pt-3 text-14"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-11 list-none items-center justify-between gap-3 rounded-sm text-ink-2 hover:text-ink md:min-h-9 [&::-webkit-details-marker]:hidden">
        <span>
          {form.execution === 'forMe' || ticket.isRelayed
            ? 'No network fee'
            : 'You pay the network fee'}{' '}
          · max slippage <span className="nums">{form.slippageBps / 100}%</span>
        </span>
        <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      {isOpen && <TicketSettings ticket={ticket} />}
    </details>
  );
}
