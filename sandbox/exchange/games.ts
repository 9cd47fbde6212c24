import type { GameSpec } from './catalogue/template.ts';
import { clamp } from './fairPrice.ts';
import { type ExchangeEvent, payoutMicrosOf } from './market.ts';
import { unit } from './random.ts';

/**
 * The games that events are about. A game's course is a function of its markets' close, their
 * result and the time, so a restart changes nothing and the final score agrees with the settlement.
 */

export type GameTimes = { startAt: number; endAt: number };

/** What a scoreboard shows. */
export type GameState = {
  phase: 'before' | 'on' | 'over';
  home: number;
  away: number;
  /** The share of the game that has been played. */
  played: number;
};

export function gameTimesOf({ markets }: ExchangeEvent, { lengthMs }: GameSpec): GameTimes {
  const endAt = Math.max(...markets.map(({ state }) => state.schedule.closeAt));
  return { startAt: endAt - lengthMs, endAt };
}

export function gameStateOf(event: ExchangeEvent, game: GameSpec, now: number): GameState {
  const { startAt, endAt } = gameTimesOf(event, game);
  const played = clamp((now - startAt) / (endAt - startAt), 0, 1);
  const [home, away] = finalScore(event, game);
  return {
    phase: now < startAt ? 'before' : now < endAt ? 'on' : 'over',
    home: scored(event, 'home', home, game, played),
    away: scored(event, 'away', away, game, played),
    played,
  };
}

/** The winner is the side whose market pays the most. */
function finalScore(event: ExchangeEvent, game: GameSpec): [home: number, away: number] {
  const [home = 0n, away = 0n, draw = 0n] = event.markets.map(payoutMicrosOf);
  const total = Math.max(1, game.points);
  const half = Math.ceil(total / 2);
  if (draw > home && draw > away) return [half, half];
  const margin = 1 + Math.floor(unit(event.ticker, 'margin') * total * 0.12);
  const more = Math.min(total, Math.ceil((total + margin) / 2));
  return home >= away ? [more, total - more] : [total - more, more];
}

const POINTS_A_PLAY: Record<GameSpec['sport'], number> = {
  Basketball: 2,
  Football: 7,
  Hockey: 1,
  Soccer: 1,
};

/** The points of a side so far. Its plays are spread over the game, so that the winner rarely trails. */
function scored(
  { ticker }: ExchangeEvent,
  side: 'home' | 'away',
  final: number,
  { sport }: GameSpec,
  played: number,
): number {
  const each = POINTS_A_PLAY[sport];
  const count = Math.ceil(final / each);
  const plays = Array.from(
    { length: count },
    (_, index) => (index + unit(ticker, side, index)) / count,
  );
  return Math.min(final, plays.filter((at) => at < played).length * each);
}
