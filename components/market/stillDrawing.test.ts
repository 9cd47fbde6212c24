import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHANCE_SCALE, type ChartLine, DOLLAR_SCALE } from './chartLines.ts';
import { stillDrawing } from './stillDrawing.ts';

function line(values: number[], more: Partial<ChartLine> = {}): ChartLine {
  const points = values.map((value, index) => ({ time: 1_000 + index * 60, value }));
  return { key: 'one', label: 'Yes', token: '--ink', points, ...more };
}

test('steps from each recorded value to the next', () => {
  const { lines } = stillDrawing([line([40, 60, 50])], CHANCE_SCALE);
  expect(lines[0]?.path).toBe('M0 94H50V10H100V52');
});

test('what hardly moves stays calm in the middle', () => {
  const { lines } = stillDrawing([line([50, 51])], CHANCE_SCALE);
  expect(lines[0]?.path).toBe('M0 56.2H100V47.8');
});

test('the area is closed along the bottom, and there for one line only', () => {
  const one = line([40, 60]);
  expect(stillDrawing([one], CHANCE_SCALE).area?.path).toBe('M0 94H100V10V100H0Z');
  expect(stillDrawing([one, { ...one, key: 'two' }], CHANCE_SCALE).area).toBeUndefined();
});

test('a line that began later begins where its moment is', () => {
  const later = {
    ...line([45]),
    key: 'two',
    points: [
      { time: 1_060, value: 45 },
      { time: 1_120, value: 55 },
    ],
  };
  const { lines } = stillDrawing([line([40, 60, 50]), later], CHANCE_SCALE);
  expect(lines[1]?.path.startsWith('M50 ')).toBe(true);
});

test('writes round values beside it', () => {
  const { values } = stillDrawing([line([40, 60])], CHANCE_SCALE);
  expect(values.map(({ text }) => text)).toEqual(['40%', '45%', '50%', '55%', '60%']);
  expect(values.map(({ at }) => at)).toEqual([94, 73, 52, 31, 10]);
});

test('writes values above and below the lines, but none that cannot be', () => {
  const texts = (values: number[]) =>
    stillDrawing([line(values)], CHANCE_SCALE).values.map(({ text }) => text);
  expect(texts([68, 74])).toEqual(['66%', '68%', '70%', '72%', '74%', '76%']);
  expect(texts([0, 3]).at(0)).toBe('0%');
  expect(texts([100, 98]).at(-1)).toBe('100%');
});

test('says where each line has come to', () => {
  expect(stillDrawing([line([40, 60, 50])], CHANCE_SCALE).latest).toEqual([
    { at: 52, key: 'one', token: '--ink', text: '50%' },
  ]);
});

test('what two lines have come to is written beside each other, not over each other', () => {
  const lines = [2, 5, 48, 49].map((value, index) => line([50, value], { key: `${index}` }));
  const places = stillDrawing(lines, CHANCE_SCALE).latest.map(({ at }) => at);
  const [two = 0, five = 0, most = 0, one = 0] = places;
  expect(two - five).toBeGreaterThanOrEqual(9);
  expect(most - one).toBeGreaterThanOrEqual(9);
  expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...places)).toBeLessThanOrEqual(100);
});

test('writes dollars with their cents', () => {
  const { values } = stillDrawing([line([10_000, 10_000])], DOLLAR_SCALE);
  expect(values.map(({ text }) => text)).toContain('$10,000.00');
});

test('writes a few moments below it, each of them once', () => {
  const timesOf = (count: number) => {
    const values = Array.from({ length: count }, (_, index) => 40 + index);
    return stillDrawing([line(values)], CHANCE_SCALE).times.map(({ at }) => at);
  };
  expect(timesOf(2)).toEqual([0, 100]);
  expect(timesOf(3)).toEqual([0, 50, 100]);
  expect(timesOf(7)).toEqual([16.67, 66.67]);
  expect(timesOf(101)).toEqual([13, 38, 63, 88]);
});

test('a trade stands at the last moment before it, and not before the line began', () => {
  const marks = [
    { time: 1_070, kind: 'bought' as const, token: '--yes', text: 'Bought' },
    { time: 10, kind: 'sold' as const, token: '--no', text: 'Sold' },
  ];
  const drawing = stillDrawing([line([40, 60, 50], { marks })], CHANCE_SCALE);
  expect(drawing.marks).toEqual([
    { at: 50, height: 10, kind: 'bought', token: '--yes', key: '1070 bought' },
  ]);
});

test('whatever was recorded stays within the picture, between values that fit', () => {
  const chances = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.array(chances, { minLength: 1, maxLength: 4 }), (all) => {
      const lines = all.map((values, index) => line(values, { key: `${index}` }));
      const drawing = stillDrawing(lines, CHANCE_SCALE);
      for (const { path } of drawing.lines) {
        for (const place of path.split(/[MHV ]/).filter(Boolean)) {
          expect(Number(place)).toBeGreaterThanOrEqual(0);
          expect(Number(place)).toBeLessThanOrEqual(100);
        }
      }
      expect(drawing.values.length).toBeGreaterThan(0);
      expect(drawing.values.length).toBeLessThan(9);
      expect(new Set(drawing.values.map(({ text }) => text)).size).toBe(drawing.values.length);
    }),
  );
});
