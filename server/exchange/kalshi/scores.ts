import type { ExchangeMilestone, ExchangeScore } from '../catalogue.ts';
import { asList, asWire, flag, text, type Wire } from './wire.ts';

type Game = Pick<ExchangeMilestone, 'id' | 'title'>;

/**
 * The games of a response of `/live_data/batch` (docs.kalshi.com, Get Multiple Live Data). The
 * exchange specifies `details` as a flexible object. Its fields differ by sport; read here are those
 * that clients of the exchange rely on, and that pond.dflow.net lists under Live Data Response
 * Details. What is not understood gives no score, never a wrong one.
 */
export function readScores(body: Wire, games: readonly Game[]): ExchangeScore[] {
  return asList(body.live_datas).flatMap((item) => {
    const wire = asWire(item);
    const game = games.find(({ id }) => id === wire.milestone_id);
    return (game && readScore(game, text(wire, 'type'), asWire(wire.details))) ?? [];
  });
}

function readScore({ id, title }: Game, type: string, details: Wire): ExchangeScore | undefined {
  const phase = phaseOf(details);
  const points = pointsOf(details);
  const names = namesOf(details, title);
  if (!phase || !points || !names) return undefined;
  const home = { name: names.home, points: points.home };
  const away = { name: names.away, points: points.away };
  return {
    milestoneId: id,
    phase,
    statusText: phase === 'ended' ? 'Final' : progressOf(type, details),
    teams: isHomeFirst(details, title) ? [home, away] : [away, home],
  };
}

const LIVE = new Set(['live', 'inprogress', 'in_progress', 'halftime', 'open']);
const ENDED = new Set(['finished', 'final', 'closed', 'complete', 'completed', 'ended']);

/** Undefined before the game begins, and for a state that is not known. */
function phaseOf(details: Wire): ExchangeScore['phase'] | undefined {
  if (flag(details, 'postponed')) return undefined;
  for (const name of ['widget_status', 'status', 'match_status']) {
    const state = text(details, name).toLowerCase();
    if (LIVE.has(state)) return 'live';
    if (ENDED.has(state)) return 'ended';
  }
  return undefined;
}

/** Points of this game before those of several legs; in tennis the sets won. */
const POINTS = [
  ['home_same_game_score', 'away_same_game_score'],
  ['home_points', 'away_points'],
  ['home_score', 'away_score'],
  ['competitor1_overall_score', 'competitor2_overall_score'],
] as const;

function pointsOf(details: Wire): { home: number; away: number } | undefined {
  for (const [ofHome, ofAway] of POINTS) {
    const home = wholeNumber(details, ofHome);
    const away = wholeNumber(details, ofAway);
    if (home !== undefined && away !== undefined) return { home, away };
  }
  return undefined;
}

function wholeNumber(details: Wire, name: string): number | undefined {
  const digits = text(details, name);
  return /^\d{1,4}$/.test(digits) ? Number(digits) : undefined;
}

const LONGEST_NAME = 48;
const LONGEST_STATUS = 16;
const BETWEEN_NAMES = /\s+(?:at|@|vs?\.?)\s+/i;

/** Some sports name the teams in the milestone's title only. */
function namesOf(details: Wire, title: string): { home: string; away: string } | undefined {
  const titled = title.split(BETWEEN_NAMES).map((name) => short(name, LONGEST_NAME));
  if (!isHomeFirst(details, title)) titled.reverse();
  const [inTitle = '', other = ''] = titled.length === 2 ? titled : [];
  const home = short(text(details, 'home_name', 'home_short_name'), LONGEST_NAME) || inTitle;
  const away = short(text(details, 'away_name', 'away_short_name'), LONGEST_NAME) || other;
  return home !== '' && away !== '' ? { home, away } : undefined;
}

/** "Visitors at home", "Home vs visitors", or as the exchange says. */
function isHomeFirst(details: Wire, title: string): boolean {
  if (typeof details.home_is_first === 'boolean') return details.home_is_first;
  return !/\s(?:at|@)\s/i.test(title);
}

function progressOf(type: string, details: Wire): string {
  const isPaused = text(details, 'status').toLowerCase() === 'halftime';
  if (isPaused || text(details, 'half').toUpperCase() === 'HT') return 'Halftime';
  const [minute] = /^\d{1,3}(?:\+\d{1,2})?(?=['’′]?$)/.exec(text(details, 'time')) ?? [];
  if (minute !== undefined) return `${minute}’`;
  const period = periodOf(type, details);
  if (period === undefined) {
    return short(text(details, 'tileLiveText', 'widgetLiveText', 'status_text'), LONGEST_STATUS);
  }
  const clock = text(details, 'clock', 'period_remaining_time');
  const time = /^0?(\d{1,2}:\d{2})$/.exec(clock)?.[1];
  return time === undefined ? period : `${period} ${time}`;
}

function periodOf(type: string, details: Wire): string | undefined {
  const inning = wholeNumber(details, 'inning');
  if (inning) return `Inning ${inning}`;
  const setsPlayed = wholeNumber(details, 'completed_rounds');
  if (setsPlayed !== undefined) return `Set ${setsPlayed + 1}`;
  const period = wholeNumber(details, 'quarter') || wholeNumber(details, 'period');
  if (!period) return undefined;
  if (type.startsWith('hockey')) return ['OT', 'SO'][period - 4] ?? `P${period}`;
  const isHalf = text(details, 'period_type').toLowerCase() === 'half';
  if (period > (isHalf ? 2 : 4)) return 'OT';
  return `${isHalf ? 'H' : 'Q'}${period}`;
}

/** Without control characters and those that turn text around. */
function short(given: string, longest: number): string {
  const clean = given.replaceAll(/\p{C}/gu, '').trim();
  return clean.length > longest ? `${clean.slice(0, longest - 1).trimEnd()}…` : clean;
}
