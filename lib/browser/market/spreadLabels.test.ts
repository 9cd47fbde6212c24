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

it('given any labels that fit, they never overlap, stay inside and keep the order of their lines', () => {
  const label = fc.record({
    at: fc.integer({ min: -50, max: 450 }),
    height: fc.integer({ min: 8, max: 48 }),
  });
  const column = fc.array(label, { minLength: 1, maxLength: 12 }).chain((labels) => {
    const least = labels.reduce((sum, { height }) => sum + height, 0);
    return fc.record({ labels: fc.constant(labels), room: fc.integer({ min: least, max: 600 }) });
  });
  fc.assert(
    fc.property(column, ({ labels, room }) => {
      const tops = spreadLabels(labels, room) ?? [];
      expect(tops).toHaveLength(labels.length);
      const boxes = labels
        .map((one, index) => ({ ...one, top: tops[index] ?? Number.NaN }))
        .sort((a, b) => a.top - b.top);
      let bottom = 0;
      for (const { top, height } of boxes) {
        expect(top).toBeGreaterThanOrEqual(bottom - 1e-6);
        bottom = top + height;
      }
      expect(bottom).toBeLessThanOrEqual(room + 1e-6);
      const inside = boxes.filter(({ at, height }) => at >= height / 2 && at <= room - height / 2);
      expect(inside.map(({ at }) => at)).toEqual(
        inside.map(({ at }) => at).toSorted((a, b) => a - b),
      );
    }),
  );
});

it('given five lines at one height, their labels fill the column around it', () => {
  const labels = Array.from({ length: 5 }, () => ({ at: 120, height: 32 }));
  expect(spreadLabels(labels, 234)).toEqual([40, 72, 104, 136, 168]);
});
