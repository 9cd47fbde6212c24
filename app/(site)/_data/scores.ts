import type { Score } from '#lib/api/schemas/market.ts';
import type { EventView, ListedEvent } from '#lib/market/marketView.ts';
import { getRuntime } from '#server/api/webRuntime.ts';
import type { EventWithMarkets } from '#server/domain/markets/catalogue/types.ts';
import { isOn, listLiveScores } from '#server/domain/markets/scores/liveScores.ts';
import { serializeScore } from '#server/domain/markets/serializeMarket.ts';

/** The longest time a page waits for scores, which the browser can request itself. */
const TIMEOUT_MS = 300;
/** A page that is opened this long before a game shows the score once there is one. */
const AHEAD_MS = 3 * 3_600_000;

async function readScores(eventTickers: readonly string[]): Promise<Map<string, Score>> {
  const scores = await listLiveScores(await getRuntime(), eventTickers, TIMEOUT_MS);
  return new Map(scores.map((score) => [score.eventTicker, serializeScore(score)]));
}

/** Reads the scores that these events have. */
export async function withScores(events: ListedEvent[]): Promise<ListedEvent[]> {
  const games = events.filter(({ score }) => score === null).map(({ eventTicker }) => eventTicker);
  if (games.length === 0) return events;
  const scores = await readScores(games);
  return events.map((event) => {
    const score = scores.get(event.eventTicker);
    return score ? { ...event, score } : event;
  });
}

/** The score for the page of an event or of its market; nothing for events without a game. */
export async function scoreField(event: EventWithMarkets): Promise<Pick<EventView, 'score'>> {
  const now = Date.now();
  if (event.milestones.some((milestone) => isOn(milestone, now))) {
    return { score: (await readScores([event.eventTicker])).get(event.eventTicker) ?? null };
  }
  const isAhead = event.milestones.some((milestone) => isOn(milestone, now + AHEAD_MS));
  return isAhead ? { score: null } : {};
}
