import type { FairModel } from '../fairPrice.ts';
import type { TickStructure } from '../ticks.ts';

/** The kinds of questions the sandbox lists, and when a new round of each is listed. */
export type Cadence = {
  unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
  every: number;
  /** Moves the close inside its period, e.g. to 21:00 of the day. */
  offsetMs?: number;
};

export type Strike = {
  type: 'greater' | 'greater_or_equal' | 'less' | 'between' | 'custom' | 'structured';
  floor?: number;
  cap?: number;
  custom?: string;
};

export type MarketSpec = {
  suffix: string;
  title: string;
  yesSubTitle: string;
  noSubTitle: string;
  rulesPrimary: string;
  strike: Strike;
};

/** A game that an event is about. */
export type GameSpec = {
  sport: 'Basketball' | 'Hockey' | 'Football' | 'Soccer';
  home: string;
  away: string;
  /** From its start to the close of the event's markets. */
  lengthMs: number;
  /** Of both sides, at the end. */
  points: number;
  /** Whether the live data contains its score. */
  isReported: boolean;
};

export type EventSpec = {
  suffix: string;
  title: string;
  subTitle: string;
  mutuallyExclusive: boolean;
  model: FairModel;
  markets: MarketSpec[];
  /** Multiplies the series' popularity; 1 when left out. */
  popularity?: number;
  game?: GameSpec;
};

export type EventContext = {
  seed: number;
  openAt: number;
  closeAt: number;
  /** The round's own part of every ticker, e.g. 26DEC31. */
  stamp: string;
};

export type SeriesTemplate = {
  ticker: string;
  title: string;
  category: string;
  tags: string[];
  frequency: string;
  feeType?: 'quadratic' | 'quadratic_with_maker_fees' | 'flat';
  feeMultiplier?: number;
  structure?: TickStructure;
  marketType?: 'binary' | 'scalar';
  source: { name: string; url: string };
  cadence: Cadence;
  /** How many rounds are open at once; a round opens that many periods before its close. */
  roundsOpen: number;
  /** How long after the close the result is determined. */
  determineAfterMs: number;
  settlementTimerSeconds: number;
  /** 0 to 1: how much is traded and how deep the books are. */
  popularity: number;
  rulesSecondary: string;
  events(context: EventContext): EventSpec[];
};
