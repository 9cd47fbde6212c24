import type { FrontLine, FrontStrip } from '#components/market/Highlights.tsx';
import { type LIST_SORTS, listHref, NO_FILTER } from '#components/market/listFilter.ts';
import { isUndecided, type ListedEvent, mostInformative } from '#lib/market/marketView.ts';
import { outcomeStyle } from '#lib/market/pictures.ts';
import { getRuntime } from '#server/api/webRuntime.ts';
import { searchMarkets } from '#server/domain/markets/search/search.ts';
import { biggestMoves, busiestMarkets, type SeriesLeader } from './busiestMarkets.ts';
import { toListedEvent, toMarketView } from './markets.ts';
import { withScores } from './scores.ts';

const LINES = 4;
const UNDER_WAY = 3;
/** Enough to find, among those that end next, events that have not just ended or that take place now. */
const ENDING = 24;

export type FrontMarkets = { underWay: ListedEvent[]; strips: FrontStrip[] };

/** Shown on the front page only: a visitor with filters knows what to look for. */
export async function frontMarkets(): Promise<FrontMarkets> {
  const [busiest, ending, sports, newest] = await Promise.all([
    busiestMarkets(),
    openEvents('closing', ENDING),
    // Rounds of minutes end before most games do.
    openEvents('closing', ENDING, { category: 'Sports', isGrouped: false }),
    openEvents('newest', LINES),
  ]);
  const now = Date.now();
  const strips: FrontStrip[] = [
    {
      title: 'Biggest moves today',
      href: listHref(NO_FILTER, { sort: 'movers' }),
      figure: 'change',
      lines: biggestMoves(busiest.filter(isUndecided), LINES).map(leaderLine),
    },
    {
      title: 'Ending soon',
      href: listHref(NO_FILTER, { sort: 'closing' }),
      figure: 'end',
      lines: ending
        .flatMap(lineOf)
        // The exchange reports a close shortly after it happens.
        .filter(({ market }) => Date.parse(market.expectedEndTime) > now)
        .slice(0, LINES),
    },
    {
      title: 'New',
      href: listHref(NO_FILTER, { sort: 'newest' }),
      figure: 'age',
      lines: newest.flatMap(lineOf),
    },
  ];
  return {
    underWay: await withScores(
      sports
        .filter(({ isUnderWay, score }) => isUnderWay || score === null)
        .filter((event) => mostInformative(event, 1).some(isUndecided))
        .sort(byVolume)
        .slice(0, UNDER_WAY),
    ),
    // An empty one keeps its place: it may have lines a minute later.
    strips: strips.some(({ lines }) => lines.length > 0) ? strips : [],
  };
}

async function openEvents(
  orderBy: Extract<(typeof LIST_SORTS)[number]['value'], 'closing' | 'newest'>,
  pageSize: number,
  filter: { category?: string; isGrouped?: boolean } = {},
): Promise<ListedEvent[]> {
  const found = await searchMarkets(await getRuntime(), {
    query: '',
    pageSize,
    orderBy,
    fuzzyThreshold: 0,
    isGrouped: true,
    statuses: ['open'],
    ...filter,
  });
  return found.events.map(toListedEvent);
}

function byVolume(a: ListedEvent, b: ListedEvent): number {
  return Number(b.volume24hContractMicros - a.volume24hContractMicros);
}

function lineOf(event: ListedEvent): FrontLine[] {
  return mostInformative(event, 1).map((market) => ({
    // Among other events, the event's picture serves an outcome without its own.
    market: { ...(event.picture !== undefined && { picture: event.picture }), ...market },
    category: event.category,
    moreInSeries: event.moreInSeries,
  }));
}

function leaderLine({ market, moreInSeries }: SeriesLeader): FrontLine {
  return {
    market: { ...toMarketView(market), ...outcomeStyle(market) },
    category: market.category,
    moreInSeries,
  };
}
