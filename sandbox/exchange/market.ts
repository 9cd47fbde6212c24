import { Book } from './book.ts';
import type { Cadence, EventSpec, MarketSpec, SeriesTemplate } from './catalogue/template.ts';
import { fairAt, type Life, payoutsOf } from './fairPrice.ts';
import { unit } from './random.ts';
import { priceGrid, type TickStructure } from './ticks.ts';

export type ExchangeStatus =
  | 'initialized'
  | 'inactive'
  | 'active'
  | 'closed'
  | 'determined'
  | 'disputed'
  | 'amended'
  | 'finalized';

export type ExchangeEvent = {
  ticker: string;
  template: SeriesTemplate;
  spec: EventSpec;
  life: Life;
  markets: ExchangeMarket[];
  createdAt: number;
};

/** The moments of a market's life; the control endpoint may move them. */
export type MarketSchedule = {
  openAt: number;
  closeAt: number;
  determinedAt: number;
  finalAt: number;
};

/** Empty in a record whose result the exchange left out. */
export type MarketResult = 'yes' | 'no' | 'scalar' | 'void' | '';

/** The mutable state of a market, all of it kept across restarts. */
export type MarketState = {
  schedule: MarketSchedule;
  paused: boolean;
  review: 'disputed' | 'amended' | undefined;
  /** Set by the control endpoint; replaces the simulation's result. */
  payoutOverrideMicros: bigint | undefined;
  resultOverride: MarketResult | undefined;
  /** Set by the control endpoint: the price around which the makers quote. */
  beliefOverrideMicros: bigint | undefined;
  /** The control endpoint disabled the makers. */
  withoutMakers: boolean;
  /** The same for the takers. */
  withoutTakers: boolean;
  /** Left the list for the archive. */
  archived: boolean;
  structure: TickStructure;
  settled: boolean;
  liveVolumeMicros: bigint;
  liveDollarMicros: bigint;
  /** Contracts traded per hour of the last day. */
  hourly: Map<number, bigint>;
  lastPriceMicros: bigint | undefined;
  openInterestMicros: bigint;
  /** The simulated traders' net positions. */
  botNetMicros: Record<string, bigint>;
  feeWaivedUntil: number | undefined;
  updatedAt: number;
};

export type ExchangeMarket = {
  ticker: string;
  event: ExchangeEvent;
  index: number;
  spec: MarketSpec;
  /** 0 to 1: how much is traded here. */
  weight: number;
  state: MarketState;
  /** Created on first read or trade. */
  book: Book | undefined;
  /** The belief around which the makers last quoted. */
  quotedFair: number | undefined;
  nextBotAt: number;
  /** The last status sent to subscribers. */
  seen: ExchangeStatus | undefined;
};

export function createEvent(input: {
  ticker: string;
  template: SeriesTemplate;
  spec: EventSpec;
  life: Life;
  createdAt: number;
}): ExchangeEvent {
  const event: ExchangeEvent = { ...input, markets: [] };
  const { template, spec, life } = input;
  const eventWeight = template.popularity * (spec.popularity ?? 1);
  const first = fairAt(spec.model, life, life.openAt);
  event.markets = spec.markets.map((market, index) => {
    const ticker = market.suffix === '' ? input.ticker : `${input.ticker}-${market.suffix}`;
    const belief = first[index] ?? 0.5;
    const interest = 0.45 + 0.55 * Math.sqrt(4 * belief * (1 - belief));
    return {
      ticker,
      event,
      index,
      spec: market,
      weight: Math.min(1, eventWeight * interest * (0.9 + 0.2 * unit(ticker))),
      state: freshState(template, life),
      book: undefined,
      quotedFair: undefined,
      nextBotAt: 0,
      seen: undefined,
    };
  });
  return event;
}

function freshState(template: SeriesTemplate, life: Life): MarketState {
  const determinedAt = life.closeAt + template.determineAfterMs;
  return {
    schedule: {
      openAt: life.openAt,
      closeAt: life.closeAt,
      determinedAt,
      finalAt: determinedAt + template.settlementTimerSeconds * 1000,
    },
    paused: false,
    review: undefined,
    payoutOverrideMicros: undefined,
    resultOverride: undefined,
    beliefOverrideMicros: undefined,
    withoutMakers: false,
    withoutTakers: false,
    archived: false,
    structure: template.structure ?? 'linear_cent',
    settled: false,
    liveVolumeMicros: 0n,
    liveDollarMicros: 0n,
    hourly: new Map(),
    lastPriceMicros: undefined,
    openInterestMicros: 0n,
    botNetMicros: {},
    feeWaivedUntil: undefined,
    updatedAt: life.openAt,
  };
}

/** As at the real exchange: 2.9 days in the median, two years at most. */
const DEADLINE_AFTER_DAYS: Record<Cadence['unit'], number> = {
  minute: 0,
  hour: 0,
  day: 2.9,
  week: 14,
  month: 60,
  year: 730,
};

const BEFORE_CLOSE: readonly ExchangeStatus[] = ['initialized', 'active', 'inactive'];

/** The close that the exchange publishes: the deadline until the market has closed. */
export function publishedCloseOf(market: ExchangeMarket, now: number): number {
  const { closeAt } = market.state.schedule;
  const isOpen = BEFORE_CLOSE.includes(statusOf(market, now));
  return isOpen ? closeAt + deadlineAfterMsOf(market) : closeAt;
}

/** How far the published deadline lies beyond the close; 0 for rounds that end by the clock. */
export function deadlineAfterMsOf({ event }: Pick<ExchangeMarket, 'event'>): number {
  return DEADLINE_AFTER_DAYS[event.template.cadence.unit] * 86_400_000;
}

export function statusOf(market: ExchangeMarket, now: number): ExchangeStatus {
  const { schedule, paused, review } = market.state;
  if (now < schedule.openAt) return 'initialized';
  if (now < schedule.closeAt) return paused ? 'inactive' : 'active';
  if (now < schedule.determinedAt) return 'closed';
  if (now < schedule.finalAt) return review ?? 'determined';
  return 'finalized';
}

type Beliefs = { at: number; values: number[] };
const beliefs = new WeakMap<ExchangeEvent, Beliefs[]>();

/**
 * The simulated belief in a market at a moment. Markets of one event share the computation for the
 * two most recent moments: a record contains the current price and that of a day ago.
 */
export function beliefIn(market: ExchangeMarket, at: number): number {
  const { event, index, state } = market;
  if (state.beliefOverrideMicros !== undefined) return Number(state.beliefOverrideMicros) / 1e6;
  const known = beliefs.get(event) ?? [];
  let found = known.find((one) => one.at === at);
  if (!found) {
    found = { at, values: fairAt(event.spec.model, event.life, at) };
    beliefs.set(event, [found, ...known.slice(0, 1)]);
  }
  return found.values[index] ?? 0.5;
}

/** The payout of one YES, in micros. */
export function payoutMicrosOf(market: ExchangeMarket): bigint {
  if (market.state.payoutOverrideMicros !== undefined) return market.state.payoutOverrideMicros;
  const payout = payoutsOf(market.event.spec.model, market.event.life)[market.index] ?? 0;
  return BigInt(Math.round(payout * 100)) * 10_000n;
}

export function gridOf(market: ExchangeMarket): readonly bigint[] {
  return priceGrid(market.state.structure);
}

export function bookOf(market: ExchangeMarket): Book {
  market.book ??= new Book();
  return market.book;
}

export function isScalar(market: ExchangeMarket): boolean {
  return market.event.template.marketType === 'scalar';
}
