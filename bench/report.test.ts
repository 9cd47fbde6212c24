import { expect, it } from 'vitest';
import { formatReport, percentile } from './report.ts';

it('compares with the baseline and reports missed targets', () => {
  const text = formatReport('Reads', [
    { name: 'fast', ours: 5, baseline: 20, unit: 'ms', atMost: 0.5 },
    { name: 'slow', ours: 30, baseline: 20, unit: 'ms', atMost: 1 },
    { name: 'hits', ours: 0.97, unit: '', atLeast: 0.95 },
    { name: 'memory', ours: 120, unit: 'MiB' },
  ]);
  const lines = text.split('\n').slice(3);
  expect(lines[0]).toMatch(/fast +5 ms +20 ms +0\.25 +<= 0\.5 +kept/);
  expect(lines[1]).toMatch(/slow .* 1\.5 .* MISSED/);
  expect(lines[2]).toMatch(/hits .* >= 0\.95 +kept/);
  expect(lines[3]).toMatch(/memory +120 MiB$/);
});

it.each([
  [0.5, 50],
  [0.99, 99],
  [1, 100],
  [0, 1],
])('finds the percentile %d', (share, expected) => {
  const samples = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(percentile(samples, share)).toBe(expected);
});
