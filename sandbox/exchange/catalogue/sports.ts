import { type Underlying, underlyingAt } from '../fairPrice.ts';
import { hash32, pick, unit } from '../random.ts';
import { above, type Choice, oneOf } from './builders.ts';
import { dayText, yearText } from './calendar.ts';
import type { EventContext, EventSpec, GameSpec, SeriesTemplate } from './template.ts';

type League = {
  code: string;
  name: string;
  sport: GameSpec['sport'];
  /** A draw is a third result. */
  draws: boolean;
  /** Games of a day, or of an hour in the league that plays all day. */
  gamesADay: number;
  isHourly?: boolean;
  points: { level: number; spread: number; step: number; unit: string };
  teams: [code: string, name: string][];
};

const LEAGUES: League[] = [
  {
    code: 'CBA',
    name: 'Continental Basketball',
    sport: 'Basketball',
    draws: false,
    gamesADay: 6,
    points: { level: 221, spread: 9, step: 5, unit: 'points' },
    teams: [
      ['BOS', 'Boston Harbors'],
      ['CHI', 'Chicago Gales'],
      ['DAL', 'Dallas Longhorns'],
      ['DEN', 'Denver Summits'],
      ['LA', 'Los Angeles Comets'],
      ['MIA', 'Miami Tides'],
      ['NY', 'New York Towers'],
      ['PHI', 'Philadelphia Forge'],
      ['PHX', 'Phoenix Mesas'],
      ['POR', 'Portland Cedars'],
      ['SEA', 'Seattle Ferries'],
      ['TOR', 'Toronto Norths'],
      ['ATL', 'Atlanta Peaches'],
      ['DET', 'Detroit Motors'],
    ],
  },
  {
    code: 'NHA',
    name: 'Northern Hockey',
    sport: 'Hockey',
    draws: false,
    gamesADay: 5,
    points: { level: 6.1, spread: 1.4, step: 1, unit: 'goals' },
    teams: [
      ['MTL', 'Montreal Voyageurs'],
      ['OTT', 'Ottawa Canals'],
      ['WPG', 'Winnipeg Prairies'],
      ['CGY', 'Calgary Foothills'],
      ['VAN', 'Vancouver Straits'],
      ['BUF', 'Buffalo Lakers'],
      ['MIN', 'Minneapolis Frost'],
      ['STL', 'St. Louis Arches'],
      ['PIT', 'Pittsburgh Smiths'],
      ['NSH', 'Nashville Strings'],
    ],
  },
  {
    code: 'GFL',
    name: 'Gridiron',
    sport: 'Football',
    draws: false,
    gamesADay: 3,
    points: { level: 45, spread: 6, step: 3, unit: 'points' },
    teams: [
      ['KC', 'Kansas City Monarchs'],
      ['GB', 'Green Bay Cutters'],
      ['SF', 'San Francisco Fog'],
      ['BAL', 'Baltimore Clippers'],
      ['CLE', 'Cleveland Steel'],
      ['HOU', 'Houston Derricks'],
      ['JAX', 'Jacksonville Pines'],
      ['LV', 'Las Vegas Mirages'],
    ],
  },
  {
    code: 'EPS',
    name: 'European Premier Series',
    sport: 'Soccer',
    draws: true,
    gamesADay: 5,
    points: { level: 2.7, spread: 0.8, step: 1, unit: 'goals' },
    teams: [
      ['LON', 'London Thames'],
      ['MAN', 'Manchester Mills'],
      ['LIV', 'Liverpool Docks'],
      ['MAD', 'Madrid Plaza'],
      ['BAR', 'Barcelona Rambla'],
      ['MUN', 'Munich Isar'],
      ['TUR', 'Turin Alps'],
      ['MIL', 'Milan Duomo'],
      ['PAR', 'Paris Seine'],
      ['LIS', 'Lisbon Tagus'],
      ['AMS', 'Amsterdam Canal'],
      ['GLA', 'Glasgow Clyde'],
    ],
  },
];

/** Short games around the clock: some game is always on. */
const HOURLY_LEAGUE: League = {
  code: 'TRI',
  name: 'Three-a-Side Basketball',
  sport: 'Basketball',
  draws: false,
  gamesADay: 3,
  isHourly: true,
  points: { level: 62, spread: 6, step: 5, unit: 'points' },
  teams: [
    ['AUS', 'Austin Armadillos'],
    ['BOI', 'Boise Rapids'],
    ['OAK', 'Oakland Cranes'],
    ['RAL', 'Raleigh Pines'],
    ['SAC', 'Sacramento Levees'],
    ['TUL', 'Tulsa Twisters'],
  ],
};

const SOURCE = { name: 'League results', url: 'https://example.org/league-results' };

/** One game of a day has no reporter. */
const UNREPORTED = 2;

type Game = { home: [string, string]; away: [string, string]; strength: number };

/** A round's pairings: every team plays at most once. */
function pairings(league: League, context: EventContext): Game[] {
  const order = league.teams
    .map((team) => ({ team, key: hash32(context.seed, league.code, context.stamp, team[0]) }))
    .sort((a, b) => a.key - b.key)
    .map(({ team }) => team);
  return Array.from({ length: Math.min(league.gamesADay, order.length >> 1) }, (_, index) => ({
    home: order[index * 2] ?? pick(order, index),
    away: order[index * 2 + 1] ?? pick(order, index),
    strength: 0.5 + 1.6 * unit(context.seed, league.code, context.stamp, 'strength', index),
  }));
}

const base = (league: League) => ({
  category: 'Sports',
  source: SOURCE,
  ...(league.isHourly
    ? { frequency: 'hourly', cadence: { unit: 'hour' as const, every: 1 } }
    : {
        frequency: 'daily',
        cadence: { unit: 'day' as const, every: 1, offsetMs: 4 * 3_600_000 },
      }),
  roundsOpen: 4,
  determineAfterMs: 60_000,
  settlementTimerSeconds: 600,
  rulesSecondary: `A game of ${league.name} that is not finished within two days of its date has no winner: every market of it pays the last traded price.`,
});

/** The sum of both sides' points. */
function totalOf(league: League, context: EventContext, home: [string, string]): Underlying {
  return {
    seed: hash32(context.seed, 'total', league.code, context.stamp, home[0]),
    level: league.points.level,
    dailyMove: league.points.spread / 2.5,
    relative: false,
  };
}

/** The day on which the game is played there; games of an hour add when they begin. */
function dayOf({ isHourly }: League, { closeAt }: EventContext): string {
  if (!isHourly) return dayText(closeAt - 86_400_000 / 4);
  const startAt = closeAt - 3_600_000;
  return `${dayText(startAt)}, ${new Date(startAt).toISOString().slice(11, 16)} UTC`;
}

function games(league: League, popularity: number): SeriesTemplate {
  return {
    ...base(league),
    ticker: `KX${league.code}GAME`,
    title: `${league.name} game`,
    tags: [league.sport, 'Games'],
    popularity,
    events: (context) =>
      pairings(league, context).map(({ home, away, strength }, index): EventSpec => {
        const choices: Choice[] = [
          { code: home[0], name: home[1], weight: strength },
          { code: away[0], name: away[1], weight: 1 },
        ];
        if (league.draws) choices.push({ code: 'TIE', name: 'Draw', weight: 0.6 });
        const day = dayOf(league, context);
        const question = oneOf(context.seed, league.code, {
          suffix: `${context.stamp}${away[0]}${home[0]}`,
          title: `${away[1]} at ${home[1]}`,
          subTitle: `${league.name}, ${day}`,
          choices,
          marketTitle: (name) =>
            name === 'Draw' ? `${away[1]} at ${home[1]}: a draw?` : `${name} to win?`,
          rules: (name) =>
            `If ${name === 'Draw' ? 'the game ends in a draw' : `${name} win`} in the ${league.name} game ${away[1]} at ${home[1]} on ${day}, the market resolves to Yes.`,
          popularity: 0.6 + 0.4 * unit(context.seed, context.stamp, home[0]),
        });
        const game: GameSpec = {
          sport: league.sport,
          home: home[1],
          away: away[1],
          lengthMs: league.isHourly ? 3_600_000 : 3 * 3_600_000,
          points: Math.round(underlyingAt(totalOf(league, context, home), context.closeAt)),
          isReported: league.isHourly === true || index !== UNREPORTED,
        };
        return { ...question, game };
      }),
  };
}

function totals(league: League, popularity: number): SeriesTemplate {
  const { level, step, unit: what } = league.points;
  return {
    ...base(league),
    ticker: `KX${league.code}TOTAL`,
    title: `${league.name} total ${what}`,
    tags: [league.sport, 'Totals'],
    popularity,
    events: (context) =>
      pairings(league, context).map(({ home, away }): EventSpec => {
        const day = dayText(context.closeAt - 86_400_000 / 4);
        const game = `${away[1]} at ${home[1]}`;
        const first = Math.floor(level / step) * step - step * 2;
        return above({
          suffix: `${context.stamp}${away[0]}${home[0]}`,
          title: `${game}: total ${what}`,
          subTitle: `${league.name}, ${day}`,
          underlying: totalOf(league, context, home),
          show: (value) => `${value.toFixed(1)} ${what}`,
          measure: `the sum of ${what} of both sides in ${game} on ${day}`,
          strikes: Array.from({ length: 5 }, (_, index) => first + index * step + 0.5),
        });
      }),
  };
}

const SCORERS = [
  { code: 'OKORO', name: 'Dele Okoro', above: 6 },
  { code: 'LINDQ', name: 'Nils Lindqvist', above: 0 },
  { code: 'MARSH', name: 'Terrence Marsh', above: -5 },
];

const SCORER_POINTS = [15, 20, 25];

/** "Dele Okoro: 15+": several numbers of several players in one event. */
function scorers(league: League, popularity: number): SeriesTemplate {
  return {
    ...base(league),
    ticker: `KX${league.code}PTS`,
    title: `${league.name} player points`,
    tags: [league.sport, 'Player props'],
    roundsOpen: 2,
    popularity,
    events: (context) =>
      pairings(league, context)
        .slice(0, 1)
        .map(({ home, away }): EventSpec => {
          const day = dayText(context.closeAt - 86_400_000 / 4);
          const outcomes = SCORERS.flatMap(({ code, name, above: lead }) =>
            SCORER_POINTS.map((points) => ({ code, name, lead, points })),
          );
          return {
            suffix: `${context.stamp}${away[0]}${home[0]}`,
            title: `${away[1]} at ${home[1]}: points by player`,
            subTitle: `${league.name}, ${day}`,
            mutuallyExclusive: false,
            model: {
              kind: 'above',
              underlying: {
                seed: hash32(context.seed, 'scorers', league.code, context.stamp),
                level: 19,
                dailyMove: 3,
                relative: false,
              },
              // Half a point less, because the number itself counts.
              strikes: outcomes.map(({ lead, points }) => points - lead - 0.5),
            },
            markets: outcomes.map(({ code, name, points }) => ({
              suffix: `${code}${points}`,
              title: `${name}: ${points}+ points?`,
              yesSubTitle: `${name}: ${points}+`,
              noSubTitle: `${name}: fewer than ${points}`,
              rulesPrimary: `If ${name} scores at least ${points} points in ${away[1]} at ${home[1]} on ${day}, the market resolves to Yes.`,
              strike: { type: 'greater_or_equal', floor: points, custom: name },
            })),
          };
        }),
  };
}

function champion(league: League, popularity: number): SeriesTemplate {
  return {
    ...base(league),
    ticker: `KX${league.code}CHAMP`,
    title: `${league.name} champion`,
    tags: [league.sport, 'Futures'],
    frequency: 'annual',
    structure: 'tapered_deci_cent',
    cadence: { unit: 'year', every: 1, offsetMs: -160 * 86_400_000 },
    roundsOpen: 2,
    settlementTimerSeconds: 3_600,
    popularity,
    rulesSecondary: 'A season that ends without a champion resolves every market to No.',
    events: ({ seed, closeAt, stamp }) => [
      oneOf(seed, `champion${league.code}`, {
        suffix: stamp,
        title: `Who will be ${league.name} champion in ${yearText(closeAt)}?`,
        subTitle: `${yearText(closeAt)} season`,
        choices: league.teams.map(([code, name]) => ({
          code,
          name,
          weight: 0.25 + 4 * unit(seed, league.code, stamp, code) ** 3,
        })),
        marketTitle: (name) => `${name} to win the ${yearText(closeAt)} title?`,
        rules: (name) =>
          `If ${name} win the ${league.name} championship of ${yearText(closeAt)}, the market resolves to Yes.`,
        swing: 0.4,
      }),
    ],
  };
}

export const sportsTemplates: SeriesTemplate[] = [
  ...LEAGUES.flatMap((league, rank) => [
    games(league, 0.72 - rank * 0.1),
    totals(league, 0.35 - rank * 0.04),
    champion(league, 0.97 - rank * 0.1),
    ...(league.code === 'CBA' ? [scorers(league, 0.5)] : []),
  ]),
  games(HOURLY_LEAGUE, 0.6),
];
