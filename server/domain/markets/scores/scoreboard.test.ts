import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExchangeScore } from '#server/exchange/catalogue.ts';
import { createScoreboard } from './scoreboard.ts';

const game = (id: string) => ({ id, title: `${id} vs ${id}` });
const A = game('A');
const B = game('B');
const C = game('C');
const PATIENCE_MS = 2_000;

function setUp() {
  let points = 0;
  let isDown = false;
  const asked: string[][] = [];
  const board = createScoreboard({
    async listScores(games) {
      asked.push(games.map(({ id }) => id));
      if (isDown) throw new Error('down');
      points += 1;
      return games.map(
        ({ id }): ExchangeScore => ({
          milestoneId: id,
          phase: 'live',
          statusText: '',
          teams: [
            { name: 'home', points },
            { name: 'away', points: 0 },
          ],
        }),
      );
    },
  });
  const pointsOf = async (read = A) =>
    (await board.read([read], PATIENCE_MS)).get(read.id)?.teams[0].points;
  return { board, asked, pointsOf, setDown: (down: boolean) => (isDown = down) };
}

describe('the scoreboard', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('given many readers, sends one request per four seconds for all their games', async () => {
    const { board, asked, pointsOf } = setUp();
    await Promise.all([pointsOf(), pointsOf(), pointsOf()]);
    expect(asked).toEqual([['A']]);
    vi.advanceTimersByTime(2_000);
    await board.read([A, B], PATIENCE_MS);
    expect(asked).toEqual([['A'], ['A', 'B']]);
    vi.advanceTimersByTime(3_999);
    await Promise.all([pointsOf(A), pointsOf(B)]);
    expect(asked).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(await pointsOf(B)).toBe(3);
    expect(asked[2]).toEqual(['A', 'B']);
  });

  it('given games that follow fast on each other, requests them together after a moment', async () => {
    const { asked, pointsOf } = setUp();
    await pointsOf(A);
    expect(await Promise.all([pointsOf(B), pointsOf(C)])).toEqual([2, 2]);
    expect(asked).toEqual([['A'], ['A', 'B', 'C']]);
  });

  it('reads games without readers no more', async () => {
    const { board, asked, pointsOf } = setUp();
    await board.read([A, B], PATIENCE_MS);
    vi.advanceTimersByTime(16_000);
    await pointsOf(B);
    expect(asked).toEqual([['A', 'B'], ['B']]);
  });

  it('given a failing exchange, keeps the last score for two minutes and retries rarely', async () => {
    const { asked, pointsOf, setDown } = setUp();
    expect(await pointsOf()).toBe(1);
    setDown(true);
    for (let seconds = 0; seconds < 115; seconds += 5) {
      vi.advanceTimersByTime(5_000);
      expect(await pointsOf()).toBe(1);
    }
    expect(asked.length).toBeLessThanOrEqual(13);
    vi.advanceTimersByTime(5_000);
    expect(await pointsOf()).toBeUndefined();
    setDown(false);
    vi.advanceTimersByTime(10_000);
    expect(await pointsOf()).toBe(2);
  });

  it('given a silent exchange, does not hold up its readers', async () => {
    const board = createScoreboard({ listScores: () => new Promise(() => undefined) });
    expect(await board.read([A], 1)).toEqual(new Map());
  });
});
