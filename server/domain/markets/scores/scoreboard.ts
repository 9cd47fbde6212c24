import { setTimeout as delay } from 'node:timers/promises';
import type {
  ExchangeCatalogue,
  ExchangeMilestone,
  ExchangeScore,
} from '#server/exchange/catalogue.ts';
import { withTimeout } from '#server/platform/withTimeout.ts';

export type FollowedGame = Pick<ExchangeMilestone, 'id' | 'title'>;
export type TimedScore = ExchangeScore & { asOf: Date };

/** The scores of the games that readers follow. */
export type Scoreboard = {
  /** By milestone. Waits at most so long, and never fails: without a response, it gives what it knows. */
  read(games: readonly FollowedGame[], patienceMs: number): Promise<Map<string, TimedScore>>;
};

/** Shorter than the interval at which pages ask. */
const HOLDS_MS = 4_000;
/** How long after its last reader a game is read with the others. */
const FOLLOWED_MS = 15_000;
const BETWEEN_READS_MS = 250;
const AFTER_FAILURE_MS = 10_000;
/** From this age on, a score says more wrong than right. */
const KEPT_MS = 2 * 60_000;
const GAMES_A_READ = 100;

/**
 * All readers share one request for all their games: one in four seconds while the same
 * games are followed, four a second at most, and none without readers.
 */
export function createScoreboard(catalogue: Pick<ExchangeCatalogue, 'listScores'>): Scoreboard {
  /** In the order of the last reader. */
  const followed = new Map<string, { game: FollowedGame; at: number }>();
  const known = new Map<string, { score: TimedScore | undefined; readAt: number }>();
  let nextReadAt = 0;
  let retryAt = 0;
  let reading: Promise<void> | undefined;

  function forgetUnfollowed(now: number): void {
    for (const [id, { at }] of followed) if (at < now - FOLLOWED_MS) followed.delete(id);
    for (const [id, { readAt }] of known) if (readAt < now - KEPT_MS) known.delete(id);
  }

  const isDue = (games: readonly FollowedGame[]) =>
    games.some(({ id }) => (known.get(id)?.readAt ?? 0) <= Date.now() - HOLDS_MS);

  async function refresh(): Promise<void> {
    // Readers that arrive meanwhile share the request.
    await delay(Math.max(0, nextReadAt - Date.now()));
    nextReadAt = Date.now() + BETWEEN_READS_MS;
    forgetUnfollowed(Date.now());
    const games = [...followed.values()].slice(-GAMES_A_READ).map(({ game }) => game);
    try {
      const scores = new Map(
        (await catalogue.listScores(games)).map((score) => [score.milestoneId, score]),
      );
      const asOf = new Date();
      for (const { id } of games) {
        const score = scores.get(id);
        known.set(id, { score: score && { ...score, asOf }, readAt: asOf.getTime() });
      }
    } catch {
      retryAt = Date.now() + AFTER_FAILURE_MS;
    }
  }

  /** A request that has begun without these games is followed by another one. */
  async function makeRecent(games: readonly FollowedGame[]): Promise<void> {
    for (let round = 0; round < 2 && isDue(games) && Date.now() >= retryAt; round += 1) {
      reading ??= refresh().finally(() => {
        reading = undefined;
      });
      await reading;
    }
  }

  return {
    async read(games, patienceMs) {
      const now = Date.now();
      for (const game of games) {
        followed.delete(game.id);
        followed.set(game.id, { game, at: now });
      }
      if (isDue(games)) await withTimeout(makeRecent(games), patienceMs);
      return new Map(
        games.flatMap(({ id }) => {
          const { score, readAt } = known.get(id) ?? { readAt: 0 };
          return score && readAt > Date.now() - KEPT_MS ? [[id, score] as const] : [];
        }),
      );
    },
  };
}
