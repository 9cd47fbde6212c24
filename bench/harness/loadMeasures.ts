import type { Measure } from '../report.ts';
import type { compareLoads } from './load.ts';

/**
 * The figures that compare two servers under the same load.
 * @param options.what the name of one response: `quote`, `request`
 * @param options.atLeast the required share of the baseline's responses per second
 * @param options.p99AtMost the maximum ratio of our p99 to the baseline's
 */
export function loadMeasures(
  { ours, baseline }: Awaited<ReturnType<typeof compareLoads>>,
  options: { what: string; atLeast: number; p99AtMost?: number },
): Measure[] {
  const { what, atLeast, p99AtMost } = options;
  return [
    {
      name: `${what}s a second`,
      ours: ours.perSecond,
      baseline: baseline.perSecond,
      unit: '/s',
      atLeast,
    },
    {
      name: 'p99',
      ours: ours.p99Ms,
      baseline: baseline.p99Ms,
      unit: 'ms',
      ...(p99AtMost !== undefined && { atMost: p99AtMost }),
    },
    {
      name: `processor time of a ${what}`,
      ours: ours.cpuMicros,
      baseline: baseline.cpuMicros,
      unit: 'µs',
    },
  ];
}
