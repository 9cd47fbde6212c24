import { gauge, histogram } from './registry.ts';

const requests = histogram(
  {
    name: 'crossbook_http_request_seconds',
    help: 'Requests of /v1 and /operator, by route, and how long their answers took.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  },
  ['method', 'route', 'status'],
);

/** A caller may send any method; all others share one label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts an answered request. `route` is the declared path; undefined for paths that are none. */
export function observeRequest(
  method: string,
  route: string | undefined,
  status: number,
  seconds: number,
): void {
  const labels = {
    method: METHODS.has(method) ? method : 'other',
    route: route ?? 'none',
    status: String(status),
  };
  requests.observe(labels, seconds);
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
