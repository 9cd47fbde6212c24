import { createFastHistogram, type FastHistogram, type Series } from './fastHistogram.ts';
import { gauge, metricsRegistry } from './registry.ts';

const NAME = 'crossbook_http_request_seconds';

/** By route, method and status: looked up with each request, so nothing is joined for it. */
type SeriesTree = Map<string | undefined, Map<string, Map<number, Series>>>;
type Observers = { histogram: FastHistogram; series: SeriesTree };
const SHARED = Symbol.for('crossbook.metrics.requests');

/** Once per process, however often this module is loaded. */
function observers(): Observers {
  const shared = globalThis as { [SHARED]?: Observers };
  if (!shared[SHARED]) {
    const requests = createFastHistogram({
      name: NAME,
      help: 'Requests to /v1 and /operator by route, and response times.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    });
    metricsRegistry().registerMetric(requests.metric);
    shared[SHARED] = { histogram: requests, series: new Map() };
  }
  return shared[SHARED];
}

/** Methods as anybody may invent them are one label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts an answered request. `route` is the declared path; undefined for paths that are none. */
export function observeRequest(
  method: string,
  route: string | undefined,
  status: number,
  seconds: number,
): void {
  const { histogram, series } = observers();
  const known = METHODS.has(method) ? method : 'other';
  const byStatus = within(within(series, route), known);
  let found = byStatus.get(status);
  if (!found) {
    found = histogram.series({ method: known, route: route ?? 'none', status: String(status) });
    byStatus.set(status, found);
  }
  found.observe(seconds);
}

function within<Key, Inner, Value>(map: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  const known = map.get(key);
  if (known) return known;
  const made = new Map<Inner, Value>();
  map.set(key, made);
  return made;
}

/** Counts the streams that are open, whenever it is asked. */
export function watchStreams(count: () => number): void {
  const streams = gauge(
    {
      name: 'crossbook_streams_open',
      help: 'Event streams that are open on this process.',
      collect() {
        this.set(count());
      },
    },
    [],
  );
  streams.set(count());
}
