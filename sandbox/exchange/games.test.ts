import { describe, expect, it } from 'vitest';
import { SERIES_TEMPLATES } from './catalogue/templates.ts';
import { gameStateOf, gameTimesOf } from './games.ts';
import { payoutMicrosOf } from './market.ts';
import { createWorld } from './world.ts';

const NOW = Date.UTC(2026, 10, 21, 2, 30);
const world = createWorld(1, SERIES_TEMPLATES);
world.refresh(NOW, () => false);
const games = [...world.events.values()].flatMap((event) =>
  event.spec.game ? [{ event, game: event.spec.game }] : [],
);

describe('games', () => {
  it('given an hour of any day, are on', () => {
    const hours = Array.from({ length: 3 }, (_, hour) => NOW + hour * 3_600_000);
    for (const at of hours) {
      expect(games.some(({ event, game }) => gameStateOf(event, game, at).phase === 'on')).toBe(
        true,
      );
    }
  });

  it('begin without points, never lose one, and end as their markets do', () => {
    for (const { event, game } of games) {
      const { startAt, endAt } = gameTimesOf(event, game);
      expect(gameStateOf(event, game, startAt - 1)).toMatchObject({ phase: 'before', home: 0 });
      let before = gameStateOf(event, game, startAt);
      expect(before).toMatchObject({ phase: 'on', home: 0, away: 0 });
      for (let step = 1; step <= 20; step += 1) {
        const after = gameStateOf(event, game, startAt + ((endAt - startAt) * step) / 20);
        expect(after.home).toBeGreaterThanOrEqual(before.home);
        expect(after.away).toBeGreaterThanOrEqual(before.away);
        before = after;
      }
      expect(before.phase).toBe('over');
      const [home = 0n, away = 0n] = event.markets.map(payoutMicrosOf);
      expect(Math.sign(before.home - before.away), event.ticker).toBe(Number(home - away) / 1e6);
    }
  });
});
