import { and, inArray, isNotNull } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { events } from '#server/platform/database/schema/markets.ts';
import type { Scoreboard, TimedScore } from './scoreboard.ts';

type Deps = { database: Database; scoreboard: Scoreboard };

export type LiveScore = TimedScore & { eventTicker: string };

/** Games run late, and their final score is of interest until their markets settle. */
const AFTER_END_MS = 3 * 3_600_000;
/** Of a game for which the exchange announces no end. */
const LONGEST_GAME_MS = 6 * 3_600_000;

type Scheduled = { startsAt: Date | string; endsAt: Date | string | null };

/** Whether a milestone can have a score now, if it is a game. */
export function isOn({ startsAt, endsAt }: Scheduled, now: number): boolean {
  const startMs = new Date(startsAt).getTime();
  const endMs = endsAt === null ? startMs + LONGEST_GAME_MS : new Date(endsAt).getTime();
  return startMs <= now && now < endMs + AFTER_END_MS;
}

/**
 * The scores of the games that these events are about and that are on, as far as the exchange
 * responds in time.
 */
export async function listLiveScores(
  { database, scoreboard }: Deps,
  eventTickers: readonly string[],
  patienceMs: number,
): Promise<LiveScore[]> {
  const now = Date.now();
  const rows = await database.orm
    .select({ eventTicker: events.ticker, milestones: events.milestones })
    .from(events)
    .where(and(inArray(events.ticker, [...eventTickers]), isNotNull(events.milestones)));
  const games = rows.flatMap(({ eventTicker, milestones }) => {
    const game = milestones?.find((milestone) => isOn(milestone, now));
    return game ? [{ eventTicker, id: game.id, title: game.title }] : [];
  });
  if (games.length === 0) return [];
  const scores = await scoreboard.read(games, patienceMs);
  return games.flatMap(({ eventTicker, id }) => {
    const score = scores.get(id);
    return score ? [{ ...score, eventTicker }] : [];
  });
}
