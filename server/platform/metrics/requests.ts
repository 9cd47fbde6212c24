import { beforeScrape, gauge, histogram } from './registry.ts';

const requests = histogram(
  'crossbook_http_request_seconds',
  'Requests of /v1 and /operator, by route, and how long their responses took.',
  ['method', 'route', 'status'],
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
);

/** A caller may send any method; all others share one label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures a request that got its response. `route` is the declared path, if there is one. */
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

/** Counts the open streams before each scrape. */
export function watchStreams(count: () => number): void {
  const streams = gauge('crossbook_streams_open', 'Event streams that are open on this process.');
  beforeScrape(async () => streams.set(count()));
}
