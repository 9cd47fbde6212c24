'use client';

import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import dynamic from 'next/dynamic';
import { Fragment, useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useLiveMarkets } from '#components/app/useLive.ts';
import { usePositions } from '#components/portfolio/usePositions.ts';
import { TicketSheet } from '#components/trade/TicketSheet.tsx';
import { loadOptionalPart, loadPart } from '#components/ui/loadPart.ts';
import { PageLink } from '#components/ui/PageLink.tsx';
import { eventQuery } from '#lib/browser/queries/markets.ts';
import { contractsRounded, contractsShort, estimate } from '#lib/format/money.ts';
import { hasBook } from '#lib/market/hasBook.ts';
import {
  changePoints,
  type EventView,
  impliedChance,
  type MarketRules,
  type MarketView,
  mostInformative,
  type ShardView,
  withFresh,
} from '#lib/market/marketView.ts';
import { groupOutcomes } from '#lib/market/outcomeGroups.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import { MICROS } from '#lib/money.ts';
import { groupOf, type PositionView } from '#lib/portfolio/positionView.ts';
import { withMarket } from '#lib/portfolio/withMarket.ts';
import { ChanceBar } from './ChanceBar.tsx';
import { lineColor } from './chartLines.ts';
import { EventChartPanel } from './EventChartPanel.tsx';
import { EventHeader } from './EventHeader.tsx';
import { OutcomeMark } from './ListingPicture.tsx';
import { MarketResult } from './MarketResult.tsx';
import { OutcomeLabel } from './OutcomeLabel.tsx';
import { PriceChange } from './PriceChange.tsx';
import { RulesText } from './RulesText.tsx';
import { priceStyle, SidePrice } from './SidePrice.tsx';
import { useShardPauses } from './useShardPauses.ts';

const BookPanel = dynamic(() =>
  loadPart(() => import('#components/book/BookPanel.tsx').then((part) => part.BookPanel)),
);

const MyPosition = dynamic(
  () => loadOptionalPart(() => import('./MyPosition.tsx').then((part) => part.MyPosition)),
  { ssr: false },
);

const MarketHistory = dynamic(
  () => loadOptionalPart(() => import('./MarketHistory.tsx').then((part) => part.MarketHistory)),
  { ssr: false },
);

/** Rarely shown, so it is not part of the first load. */
const ShardPause = dynamic(() =>
  loadOptionalPart(() => import('./ShardPause.tsx').then((part) => part.ShardPause)),
);

type EventBoardProps = {
  event: EventView;
  rules: Readonly<Record<string, MarketRules>>;
  shards: ShardView[];
  selected: string | undefined;
  side: 'yes' | 'no';
  renderedAtMs: number;
};

/** With the chosen outcome, the most lines that stay distinguishable. */
const CHARTED = 4;

const ONE_WINS = 'At most one outcome can resolve Yes.';

/** `count` distinguishes repeated choices of the same price. */
type Choice = { ticker: string | undefined; side: 'yes' | 'no'; count: number };

export function EventBoard(props: EventBoardProps) {
  const { event, rules, selected, side, renderedAtMs } = props;
  const { api } = useApp();
  const { data } = useQuery(eventQuery(api, event.eventTicker));
  useLiveMarkets(event.markets.map((market) => market.ticker));
  const fresh = new Map(data?.event.markets.map((market) => [market.ticker, market]));
  const latest = event.markets.map((market) => withFresh(market, fresh.get(market.ticker)));
  const { pausedShardOf, withPause } = useShardPauses(props.shards);
  const pausedShard = latest.map(pausedShardOf).find((shard) => shard !== undefined);
  const markets = winnersFirst(latest.map(withPause));
  const positions = usePositions() ?? [];
  const [choice, setChoice] = useState<Choice>({ ticker: selected, side, count: 0 });
  const chosen: MarketView | undefined =
    markets.find((market) => market.ticker === choice.ticker) ??
    mostInformative(
      { ...event, markets: markets.filter(({ status }) => status === 'open') },
      1,
    )[0] ??
    markets[0];
  const charted = withChosen(mostInformative({ ...event, markets }, CHARTED), chosen);
  const chosenRules = chosen && rules[chosen.ticker];
  const choose = (ticker: string, chosenSide: 'yes' | 'no') => {
    setChoice({ ticker, side: chosenSide, count: choice.count + 1 });
    const query = new URLSearchParams({ market: ticker, side: chosenSide });
    window.history.replaceState(null, '', `?${query}`);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 lg:grid-cols-[minmax(0,1fr)_22.5rem]">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-8">
        {pausedShard && <ShardPause shard={pausedShard} />}
        <EventHeader event={event} markets={markets} chosen={chosen} renderedAtMs={renderedAtMs} />
        <OutcomeGroups
          markets={markets}
          charted={charted}
          chosen={chosen?.ticker}
          positions={positions}
          onChoose={choose}
        />
        <EventChartPanel markets={charted} renderedAtMs={renderedAtMs} />
        {chosen && <MyPosition market={chosen} />}
        {chosen && hasBook(chosen.status) && (
          <BookPanel market={chosen} label={chosen.label} key={chosen.ticker} />
        )}
        {chosen && <MarketHistory ticker={chosen.ticker} label={chosen.label} />}
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
            openAtOnce={choice.count > 0}
            isOneOfSeveral={markets.length > 1}
          />
        )}
      </aside>
    </div>
  );
}

function withChosen(markets: MarketView[], chosen: MarketView | undefined): MarketView[] {
  return !chosen || markets.includes(chosen) ? markets : [...markets, chosen];
}

/** What won comes first. */
function winnersFirst(markets: MarketView[]): MarketView[] {
  return [...markets.filter(hasWon), ...markets.filter((market) => !hasWon(market))];
}

function hasWon({ isScalar, payoutYesMicros }: MarketView): boolean {
  return !isScalar && payoutYesMicros === MICROS;
}

/** Lost outcomes fold away while others trade, unless the visitor holds them. */
function OutcomeGroups(props: OutcomeRowsProps) {
  const isHeld = ({ ticker }: MarketView) =>
    props.positions.some(({ marketId }) => marketId === ticker);
  const isOver = (market: MarketView) =>
    market.status === 'settled' && !hasWon(market) && !isHeld(market);
  const resolved = props.markets.filter(isOver);
  const rest = props.markets.filter((market) => !isOver(market));
  const isAllResolved = props.markets.every(({ status }) => status === 'settled');
  if (resolved.length === 0 || isAllResolved) return <OutcomeRows {...props} />;
  return (
    <div className="grid gap-3">
      <OutcomeRows {...props} markets={rest} />
      <details className="group">
        <summary className="flex min-h-11 list-none items-center gap-2 text-14 text-ink-2 hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronDown
            aria-hidden
            className="size-4 transition-transform duration-(--quick) group-open:rotate-180"
          />
          {resolved.length} resolved {resolved.length === 1 ? 'outcome' : 'outcomes'}
        </summary>
        <OutcomeRows {...props} markets={resolved} label="Resolved outcomes" />
      </details>
    </div>
  );
}

type OutcomeRowsProps = {
  label?: string;
  markets: MarketView[];
  /** Those of the chart below, whose rows have the colour of their line. */
  charted: MarketView[];
  chosen: string | undefined;
  positions: PositionView[];
  onChoose: (ticker: string, side: 'yes' | 'no') => void;
};

function OutcomeRows(props: OutcomeRowsProps) {
  const { markets, label = 'Outcomes', ...row } = props;
  return (
    <ul className="@container sheet divide-y" aria-label={label}>
      {groupOutcomes(markets).map(({ heading, outcomes }) => {
        const rows = outcomes.map((outcome) => (
          <OutcomeRow key={outcome.market.ticker} {...row} {...outcome} />
        ));
        if (heading === undefined) return rows;
        return (
          <Fragment key={heading}>
            <li aria-hidden className="bg-sunken px-4 py-2 font-semibold text-14 md:px-5">
              {heading}
            </li>
            {rows}
          </Fragment>
        );
      })}
    </ul>
  );
}

type OutcomeRowProps = Omit<OutcomeRowsProps, 'markets' | 'label'> & {
  market: MarketView;
  /** The market's label without the heading. */
  label: string;
};

function OutcomeRow(props: OutcomeRowProps) {
  const { market, label, charted, chosen, positions, onChoose } = props;
  const line = charted.indexOf(market);
  const isSettled = market.status === 'settled';
  const implied = isSettled ? null : impliedChance(market);
  return (
    <li
      className={clsx(
        'outcome-row px-4 py-3 md:px-5',
        market.ticker === chosen && 'shadow-[inset_3px_0_0_var(--ink)]',
      )}
    >
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5 [grid-area:label]">
        <OutcomeMark picture={market.picture} color={line < 0 ? undefined : lineColor(line)} />
        <PageLink
          href={`/markets/${market.ticker}`}
          className="wrap-anywhere min-w-0 text-15 hover:underline hover:underline-offset-4"
        >
          <OutcomeLabel market={market} label={label} />
        </PageLink>
        {!isSettled && <PriceChange points={changePoints(market) || null} className="text-13" />}
        <span className="nums text-13 text-ink-3">
          {contractsShort(market.volumeContractMicros)}
          <span className="sr-only"> contracts</span> traded
        </span>
        <Held positions={positions} market={market} />
      </div>
      <div className="[grid-area:rule]">
        <ChanceBar market={market} />
      </div>
      <div className="nums text-right font-semibold text-18 [grid-area:chance]">
        {implied === null ? !isSettled && '–' : estimate(market, implied)}
      </div>
      <div className="flex gap-1.5 [grid-area:prices]">
        {isSettled ? (
          <MarketResult market={market} />
        ) : (
          (['yes', 'no'] as const).map((side) => (
            <button
              key={side}
              type="button"
              disabled={market.status !== 'open'}
              onClick={() => onChoose(market.ticker, side)}
              className={`${priceStyle(market, side)} disabled:bg-sunken disabled:text-ink-3`}
            >
              <SidePrice market={market} side={side} />
            </button>
          ))
        )}
      </div>
    </li>
  );
}

function Held({ positions, market }: { positions: PositionView[]; market: MarketView }) {
  return positions
    .filter((position) => position.marketId === market.ticker)
    .map((position) => withMarket(position, market))
    .map((position) => (
      <span
        key={position.side}
        className={clsx(
          'nums rounded-sm px-1.5 text-13',
          position.side === 'yes' ? 'bg-yes-soft text-yes' : 'bg-no-soft text-no',
        )}
      >
        You {groupOf(position) === 'lost' ? 'held' : 'hold'}{' '}
        {contractsRounded(position.contractMicros)} {sideWord(position.side)}
      </span>
    ));
}
