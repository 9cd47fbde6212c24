'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useLiveMarkets } from '#components/app/useLive.ts';
import { usePositions } from '#components/portfolio/usePositions.ts';
import { TicketSheet } from '#components/trade/TicketSheet.tsx';
import { eventQuery } from '#lib/browser/queries/markets.ts';
import { contractsShort } from '#lib/format/money.ts';
import { hasBook } from '#lib/market/hasBook.ts';
import {
  type EventView,
  type MarketRules,
  type MarketView,
  telling,
  withFresh,
} from '#lib/market/marketView.ts';
import { BookAndTrades } from './BookAndTrades.tsx';
import { EndsIn } from './EndsIn.tsx';
import { EventChartPanel } from './EventChartPanel.tsx';
import { OutcomeGroups } from './OutcomeGroups.tsx';
import { RulesText } from './RulesText.tsx';
import { SharePageButton } from './SharePageButton.tsx';
import { StarIcon } from './StarIcon.tsx';
import { WatchStar } from './WatchStar.tsx';

type EventBoardProps = {
  event: EventView;
  /** For each market by its ticker. */
  rules: Readonly<Record<string, MarketRules>>;
  selected: string | undefined;
  side: 'yes' | 'no';
  renderedAtMs: number;
};

/** The most lines that stay distinguishable. */
const CHARTED = 4;

const ONE_WINS = 'At most one outcome can resolve Yes.';

/** `count` distinguishes repeated choices of the same price. */
type Choice = { ticker: string | undefined; side: 'yes' | 'no'; count: number };

/** All outcomes of an event, and one ticket for the chosen outcome. */
export function EventBoard({ event, rules, selected, side, renderedAtMs }: EventBoardProps) {
  const { api } = useApp();
  const { data } = useQuery(eventQuery(api, event.eventTicker));
  useLiveMarkets(event.markets.map((market) => market.ticker));
  const fresh = new Map(data?.event.markets.map((market) => [market.ticker, market]));
  const markets = event.markets.map((market) => withFresh(market, fresh.get(market.ticker)));
  const { positions = [] } = usePositions();
  const [choice, setChoice] = useState<Choice>({ ticker: selected, side, count: 0 });
  const chosen: MarketView | undefined =
    markets.find((market) => market.ticker === choice.ticker) ??
    telling({ ...event, markets: markets.filter(({ status }) => status === 'open') }, 1)[0] ??
    markets[0];
  const chosenRules = chosen && rules[chosen.ticker];
  const choose = (ticker: string, chosenSide: 'yes' | 'no') => {
    setChoice({ ticker, side: chosenSide, count: choice.count + 1 });
    const query = new URLSearchParams({ market: ticker, side: chosenSide });
    window.history.replaceState(null, '', `?${query}`);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 lg:grid-cols-[minmax(0,1fr)_22.5rem]">
      <div className="grid min-w-0 content-start gap-8 max-lg:pb-16">
        <header>
          <div className="flex min-h-8 items-center text-13 text-ink-3">
            <span className="mr-auto">{event.category}</span>
            <WatchStar eventTicker={event.eventTicker} title={event.title} className="-my-1.5">
              <StarIcon />
            </WatchStar>
            <SharePageButton label="Share this event" />
          </div>
          <h1 className="mt-1 text-balance font-semibold text-26 leading-tight tracking-[-0.015em] md:text-32">
            {event.title}
          </h1>
          {event.subtitle && <p className="mt-1 text-17 text-ink-2">{event.subtitle}</p>}
          <p className="nums mt-3 flex flex-wrap gap-x-5 text-13 text-ink-2">
            <span>
              {event.marketCount} {event.marketCount === 1 ? 'outcome' : 'outcomes'}
            </span>
            <span>{contractsShort(event.volumeContractMicros)} contracts traded</span>
            {chosen?.status === 'open' && (
              <span>
                <EndsIn market={chosen} renderedAtMs={renderedAtMs} />
              </span>
            )}
          </p>
        </header>
        <OutcomeGroups
          markets={markets}
          chosen={chosen?.ticker}
          positions={positions}
          onChoose={choose}
        />
        <EventChartPanel markets={telling({ ...event, markets }, CHARTED)} />
        {chosen && hasBook(chosen.status) && (
          <BookAndTrades market={chosen} label={chosen.label} key={chosen.ticker} />
        )}
        {chosenRules && (
          <RulesText
            rules={chosenRules}
            {...(markets.length > 1 && { label: chosen?.label ?? '' })}
            {...(event.mutuallyExclusive && markets.length > 1 && { common: ONE_WINS })}
          />
        )}
      </div>
      <aside>
        {chosen && (
          <TicketSheet
            key={`${chosen.ticker} ${choice.side} ${choice.count}`}
            market={chosen}
            initial={{ side: choice.side, action: 'buy' }}
            heading={chosen.label}
            openAtOnce={choice.count > 0}
          />
        )}
      </aside>
    </div>
  );
}
