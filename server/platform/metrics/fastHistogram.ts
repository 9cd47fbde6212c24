import type { Metric } from 'prom-client';

/**
 * A histogram for the hottest path. The library's own looks its labels up anew with each
 * observation (2.5 µs); here a caller keeps the series it counts in, and an observation is a few
 * additions (some 20 ns).
 */
export type Series = { observe(value: number): void };

export type FastHistogram = {
  /** A new series; labels must not repeat those of another. */
  series(labels: Record<string, string>): Series;
  /** For the registry. */
  metric: Metric;
};

type Sample = { metricName: string; labels: Record<string, string | number>; value: number };

export function createFastHistogram(options: {
  name: string;
  help: string;
  /** Upper bounds, ascending. */
  buckets: readonly number[];
}): FastHistogram {
  const { name, help, buckets } = options;
  const all: (() => Sample[])[] = [];
  const metric = {
    name,
    // What the registry asks of a metric, without the rest of the library's class.
    get: async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: all.flatMap((samples) => samples()),
    }),
    reset: () => undefined,
  };
  return {
    metric: metric as unknown as Metric,
    series(labels) {
      const counts = new Float64Array(buckets.length + 1);
      let sum = 0;
      all.push(() => samplesOf(name, labels, buckets, counts, sum));
      return {
        observe(value) {
          let index = 0;
          while (index < buckets.length && value > (buckets[index] ?? 0)) index += 1;
          counts[index] = (counts[index] ?? 0) + 1;
          sum += value;
        },
      };
    },
  };
}

function samplesOf(
  name: string,
  labels: Record<string, string>,
  buckets: readonly number[],
  counts: Float64Array,
  sum: number,
): Sample[] {
  let below = 0;
  const samples: Sample[] = [];
  for (const [index, bound] of [...buckets, Number.POSITIVE_INFINITY].entries()) {
    below += counts[index] ?? 0;
    const le = Number.isFinite(bound) ? bound : '+Inf';
    samples.push({ metricName: `${name}_bucket`, labels: { le, ...labels }, value: below });
  }
  samples.push({ metricName: `${name}_sum`, labels, value: sum });
  samples.push({ metricName: `${name}_count`, labels, value: below });
  return samples;
}
