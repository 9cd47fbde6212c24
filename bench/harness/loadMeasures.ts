import type { Measure } from '../report.ts';
import type { compareLoads } from './load.ts';

/**
 * What two servers under the same load are compared by.
 * @param options.what one answer: `quote`, `request`
 * @param options.atLeast the share of the baseline's answers a second that is to be reached
 * @param options.p99AtMost how many times the baseline's p99 ours may be
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
