import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Metric,
  Registry,
} from 'prom-client';

/**
 * The metrics of this process. Next bundles the pages and nothing else, so a module can be loaded
 * twice; both copies share the registry on `globalThis` and reuse its metrics.
 */
const SHARED = Symbol.for('crossbook.metrics');
type Shared = { registry: Registry; refreshers: (() => Promise<void>)[] };

/** How finely the event loop's lag is sampled, in milliseconds. */
const LAG_RESOLUTION_MS = 20;

function shared(): Shared {
  const holder = globalThis as { [SHARED]?: Shared };
  if (!holder[SHARED]) {
    const registry = new Registry();
    holder[SHARED] = { registry, refreshers: [] };
    collectDefaultMetrics({
      register: registry,
      eventLoopMonitoringPrecision: LAG_RESOLUTION_MS,
    });
  }
  return holder[SHARED];
}

export function metricsRegistry(): Registry {
  return shared().registry;
}

export function counter<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
): Counter<Label> {
  return reuse(name, (registers) => new Counter({ name, help, labelNames, registers }));
}

export function gauge<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Gauge<Label> {
  return reuse(name, (registers) => new Gauge({ name, help, labelNames, registers }));
}

/** @param buckets upper ends, in seconds */
export function histogram<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  buckets: number[],
): Histogram<Label> {
  return reuse(name, (registers) => new Histogram({ name, help, labelNames, buckets, registers }));
}

function reuse<Kind extends Metric>(name: string, make: (registers: Registry[]) => Kind): Kind {
  const registry = metricsRegistry();
  // The same code registered it under this name, so it is of the same kind.
  return (registry.getSingleMetric(name) as Kind | undefined) ?? make([registry]);
}

/** Runs before each scrape; it must not throw. */
export function beforeScrape(refresh: () => Promise<void>): void {
  shared().refreshers.push(refresh);
}

/** Every metric of this process, in the text format of Prometheus. */
export async function exposeMetrics(): Promise<{ contentType: string; body: string }> {
  const { registry, refreshers } = shared();
  await Promise.all(refreshers.map((refresh) => refresh()));
  return { contentType: registry.contentType, body: await registry.metrics() };
}
