import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spreadLabels } from './spreadLabels.ts';

it('given labels with room between them, leaves each at its line', () => {
  expect(
    spreadLabels(
      [
        { at: 100, height: 20 },
        { at: 30, height: 20 },
      ],
      260,
    ),
  ).toEqual([90, 20]);
});

it('given labels at the same height, spreads them around it in their order', () => {
  const labels = [100, 100, 100].map((at) => ({ at, height: 20 }));
  expect(spreadLabels(labels, 260)).toEqual([70, 90, 110]);
});

it('given lines at an edge, keeps their labels in the column', () => {
  const labels = [258, 259].map((at) => ({ at, height: 20 }));
  expect(spreadLabels(labels, 260)).toEqual([220, 240]);
});

it('given more labels than the column holds, has no layout', () => {
  expect(
    spreadLabels(
      [
        { at: 5, height: 20 },
        { at: 5, height: 20 },
      ],
      39,
    ),
  ).toBeUndefined();
});

it('given any labels that fit, they never overlap and stay inside', () => {
  const label = fc.record({
    at: fc.integer({ min: -50, max: 350 }),
    height: fc.integer({ min: 8, max: 48 }),
  });
  fc.assert(
    fc.property(fc.array(label, { maxLength: 5 }), (labels) => {
      const tops = spreadLabels(labels, 300) ?? [];
      expect(tops).toHaveLength(labels.length);
      const boxes = labels
        .map(({ height }, index) => ({ top: tops[index] ?? Number.NaN, height }))
        .sort((a, b) => a.top - b.top);
      let bottom = 0;
      for (const { top, height } of boxes) {
        expect(top).toBeGreaterThanOrEqual(bottom - 1e-6);
        bottom = top + height;
      }
      expect(bottom).toBeLessThanOrEqual(300 + 1e-6);
    }),
  );
});
