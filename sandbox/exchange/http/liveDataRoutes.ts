import type { GameSpec } from '../catalogue/template.ts';
import { type GameState, gameStateOf, gameTimesOf } from '../games.ts';
import { findEvent } from '../listing.ts';
import type { ExchangeEvent } from '../market.ts';
import type { Exchange } from '../state.ts';
import {
  badParameter,
  type Call,
  decodeCursor,
  integer,
  notFound,
  ok,
  page,
  type Route,
} from './route.ts';
import { sortedEvents } from './sorted.ts';
import { time } from './wire.ts';

const MOST_AT_ONCE = 100;
const ID_PREFIX = 'milestone-';

const MILESTONE_TYPES: Record<GameSpec['sport'], string> = {
  Basketball: 'basketball_game',
  Football: 'football_game',
  Hockey: 'hockey_match',
  Soccer: 'soccer_tournament_multi_leg',
};

/** Games are the milestones of the events about their winners. */
export function milestonesWire(event: ExchangeEvent) {
  const { ticker, template, spec, life } = event;
  if (!spec.game) return [];
  const { startAt, endAt } = gameTimesOf(event, spec.game);
  return [
    {
      id: `${ID_PREFIX}${ticker}`,
      category: template.category,
      type: MILESTONE_TYPES[spec.game.sport],
      title: spec.title,
      start_date: time(startAt),
      end_date: time(endAt),
      related_event_tickers: [ticker],
      primary_event_tickers: [ticker],
      notification_message: '',
      details: {},
      last_updated_ts: time(life.openAt),
    },
  ];
}

function liveDataWire(exchange: Exchange, milestoneId: string, now: number) {
  const event = findEvent(exchange, milestoneId.replace(ID_PREFIX, ''));
  const game = event?.spec.game;
  if (!event || !game || !milestoneId.startsWith(ID_PREFIX)) return undefined;
  return {
    type: MILESTONE_TYPES[game.sport],
    // Some games have no reporter; the exchange then sends little.
    details: game.isReported
      ? DETAILS[game.sport](game, gameStateOf(event, game, now))
      : { status: 'live', coverage: { type: 'none' }, home_points: null, away_points: '' },
    milestone_id: milestoneId,
  };
}

type Details = (game: GameSpec, state: GameState) => Record<string, unknown>;

/** Fields and spellings as clients of the real exchange read them; they differ by sport. */
const DETAILS: Record<GameSpec['sport'], Details> = {
  Basketball: (game, state) => {
    const { period, clock } = periodAt(state.played, 4, 12);
    return {
      ...usualDetails(game, state),
      period,
      period_type: 'quarter',
      period_remaining_time: clock,
    };
  },
  Football: (game, state) => {
    const { period, clock } = periodAt(state.played, 4, 15);
    return { ...usualDetails(game, state), quarter: period, clock, last_play: { description: '' } };
  },
  Hockey: (game, state) => {
    const { period, clock } = periodAt(state.played, 3, 20);
    return { ...usualDetails(game, state), period, period_remaining_time: clock };
  },
  // Without names, which only the milestone's title contains.
  Soccer: (_, { phase, home, away, played }) => ({
    status: { before: 'scheduled', on: 'live', over: 'closed' }[phase],
    status_text: { before: '', on: 'Live', over: 'Full-Time' }[phase],
    half: { before: '', on: played < 0.5 ? '1st' : '2nd', over: 'FT' }[phase],
    time: phase === 'on' ? `${Math.floor(played * 90)}'` : '',
    home_same_game_score: home,
    away_same_game_score: away,
    home_significant_events: [],
    away_significant_events: [],
  }),
};

function usualDetails(game: GameSpec, { phase, home, away }: GameState) {
  return {
    status: { before: 'scheduled', on: 'inprogress', over: 'closed' }[phase],
    widget_status: { before: 'none', on: 'live', over: 'finished' }[phase],
    home_name: game.home,
    away_name: game.away,
    home_points: home,
    away_points: away,
  };
}

/** The period that is played, and the time that is left of it. */
function periodAt(played: number, periods: number, minutes: number) {
  const at = Math.min(played * periods, periods - 1e-9);
  const seconds = Math.ceil((1 - (at % 1)) * minutes * 60);
  const clock = `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
  return { period: Math.floor(at) + 1, clock };
}

function listMilestones({ exchange, query }: Call) {
  const limit = integer(query, 'limit', { least: 1, most: 500, fallback: 100 });
  const related = query.get('related_event_ticker');
  const least = Date.parse(query.get('minimum_start_date') ?? '');
  const all = sortedEvents(exchange)
    .filter((event) => !related || event.ticker === related)
    .flatMap(milestonesWire)
    .filter((one) => Number.isNaN(least) || Date.parse(one.start_date) >= least)
    .filter(({ category }) => (query.get('category') ?? category) === category)
    .filter(({ type }) => (query.get('type') ?? type) === type);
  const { items, cursor } = page(all, limit, decodeCursor(query), (one) => one.id);
  return ok({ milestones: items, cursor });
}

function getLiveData({ exchange, params, now }: Call) {
  const found = liveDataWire(exchange, params.at(-1) ?? '', now);
  if (!found) throw notFound('milestone');
  return ok({ live_data: found });
}

/** The ids are repeated parameters: a list in one parameter is an unknown id, as observed. */
function getLiveDatas({ exchange, query, now }: Call) {
  const ids = query.getAll('milestone_ids');
  if (ids.length === 0 || ids.length > MOST_AT_ONCE) {
    throw badParameter(`milestone_ids must name 1 to ${MOST_AT_ONCE}`);
  }
  return ok({ live_datas: ids.flatMap((id) => liveDataWire(exchange, id, now) ?? []) });
}

export const liveDataRoutes: Route[] = [
  { method: 'GET', path: '/milestones', handle: listMilestones },
  { method: 'GET', path: '/live_data/batch', handle: getLiveDatas },
  { method: 'GET', path: '/live_data/milestone/*', handle: getLiveData },
  { method: 'GET', path: '/live_data/*/milestone/*', handle: getLiveData },
];
