import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { POSITION_SORTS, sortPositions } from '#lib/portfolio/positionOrder.ts';
import { positionView } from '#lib/portfolio/positionView.ts';
import { portfolioEntry } from '#lib/portfolio/testing/portfolioEntry.ts';
import { anyPositions } from '#lib/portfolio/testing/positions.ts';
import { byEvent, untitledEvents, wordsUnder } from './positionEvents.ts';

const eventOf = { 'A-1': 'A', 'A-2': 'A', 'B-1': 'B', 'B-2': 'B', 'C-1': 'C' };

const held = (marketId: string, name: string, bid = '0.4000', cost: string | null = '0.42') =>
  positionView(
    portfolioEntry({
      tokenId: `${marketId}${bid}`,
      market: { marketId, name, bidPriceDollars: bid },
      item: { averageFillCost: cost },
    }),
  );

describe('positions of an event', () => {
  const usual = { sort: 'value', order: 'desc' } as const;

  it('are summed up under the event’s title and link', () => {
    const positions = [held('A-1', 'Who wins?', '0.5000'), held('A-2', 'Who wins?', '0.1000')];
    expect(byEvent(positions, { eventOf, titles: {} }, usual)).toEqual([
      {
        title: 'Who wins?',
        href: '/events/A',
        positions,
        valueMicros: 6_000_000n,
        costMicros: 8_400_000n,
        profitMicros: -2_400_000n,
      },
    ]);
  });

  it('given different market questions, use the fetched title', () => {
    const positions = [held('A-1', 'Rain on Monday?'), held('A-2', 'Rain on Tuesday?')];
    expect(untitledEvents(positions, eventOf)).toEqual(['A']);
    const known = { eventOf, titles: { A: 'Rain this week' } };
    expect(byEvent(positions, known, usual)[0]?.title).toBe('Rain this week');
  });

  it('given one shared question or an unknown event, request no title', () => {
    const both = [held('A-1', 'Who wins?'), held('A-2', 'Who wins?')];
    expect(untitledEvents([...both, held('X', 'Sun?'), held('Y', 'Wind?')], eventOf)).toEqual([]);
  });

  it('given a single market, request the title for either side', () => {
    const sides = [held('B-1', 'Snow on Monday?', '0.4000'), held('B-1', 'Snow on Monday?', '0.6')];
    expect(untitledEvents(sides, eventOf)).toEqual(['B']);
    const known = { eventOf, titles: { B: 'Snow this week' } };
    expect(byEvent(sides, known, usual)[0]?.title).toBe('Snow this week');
  });

  it('sum cost and profit only where the cost is known', () => {
    const known = { eventOf, titles: {} };
    const positions = [held('A-1', 'Rain', '0.5000'), held('A-2', 'Rain', '0.4000', null)];
    expect(byEvent(positions, known, usual)[0]).toMatchObject({
      valueMicros: 9_000_000n,
      costMicros: 4_200_000n,
      profitMicros: 800_000n,
    });
    expect(byEvent([held('A-1', 'Rain', '0.5000', null)], known, usual)[0]).toMatchObject({
      costMicros: null,
      profitMicros: null,
    });
  });

  it('sort by the sum, not by the largest position', () => {
    const one = held('B-1', 'Snow?', '0.7000');
    const two = [held('A-1', 'Rain?', '0.4000'), held('A-2', 'Rain?', '0.5000')];
    const events = (order: 'asc' | 'desc') =>
      byEvent(
        sortPositions([one, ...two], { sort: 'value', order }),
        { eventOf, titles: {} },
        { sort: 'value', order },
      ).map(({ href }) => href);
    expect(events('desc')).toEqual(['/events/A', '/events/B']);
    expect(events('asc')).toEqual(['/events/B', '/events/A']);
  });

  it('given an unknown event, group both sides under their market', () => {
    const positions = [
      held('X', 'Sun?', '0.4000'),
      held('X', 'Sun?', '0.6000'),
      held('Y', 'Wind?'),
    ];
    const events = byEvent(positions, { eventOf, titles: {} }, usual);
    expect(events.map(({ href }) => href)).toEqual(['/markets/X', '/markets/Y']);
  });
});

describe('the name of a position under its event', () => {
  it('omits the title if something else distinguishes it', () => {
    const position = { ...held('A-1', 'Who wins?'), subtitle: 'The first' };
    expect(wordsUnder('Who wins?', position)).toEqual({ name: 'The first', subtitle: '' });
    expect(wordsUnder('Winners', position)).toEqual({ name: 'Who wins?', subtitle: 'The first' });
  });

  it('keeps the title if nothing else distinguishes it', () => {
    const position = { ...held('A-1', 'Rain?'), subtitle: 'Yes' };
    expect(wordsUnder('Rain?', position)).toEqual({ name: 'Rain?', subtitle: 'Yes' });
  });
});

it('lists each position once, in order, with complete sums', () => {
  const sortings = fc.record({
    sort: fc.constantFrom(...POSITION_SORTS.map(({ value }) => value)),
    order: fc.constantFrom('asc' as const, 'desc' as const),
  });
  fc.assert(
    fc.property(anyPositions, sortings, (positions, sorting) => {
      const sorted = sortPositions(positions, sorting);
      const events = byEvent(sorted, { eventOf, titles: { A: 'Of A' } }, sorting);
      expect(new Set(events.map(({ href }) => href)).size).toBe(events.length);
      const listed = events.flatMap((event) => event.positions);
      expect(listed).toHaveLength(sorted.length);
      expect(new Set(listed)).toEqual(new Set(sorted));
      for (const event of events) {
        expect(sorted.filter((one) => event.positions.includes(one))).toEqual(event.positions);
      }
      const sum = (of: readonly { valueMicros: bigint; profitMicros: bigint | null }[]) =>
        of.reduce((total, one) => total + one.valueMicros + (one.profitMicros ?? 0n), 0n);
      expect(sum(events)).toBe(sum(sorted));
    }),
  );
});
