import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  type Metric,
  Registry,
} from 'prom-client';

/**
 * The metrics of this process. Pages are bundled by Next and the rest is not, so a module can be
 * loaded twice; the one registry lives on `globalThis`, and a metric that is there is used again.
 */
const SHARED = Symbol.for('crossbook.metrics');
type Shared = { [SHARED]?: Registry };

/** How finely the event loop's lag is sampled, in milliseconds. */
const LAG_RESOLUTION_MS = 20;

export function metricsRegistry(): Registry {
  const shared = globalThis as Shared;
  if (!shared[SHARED]) {
    const register = new Registry();
    shared[SHARED] = register;
    collectDefaultMetrics({ register, eventLoopMonitoringPrecision: LAG_RESOLUTION_MS });
  }
  return shared[SHARED];
}

type Labelled<Configuration> = Omit<Configuration, 'registers' | 'labelNames'>;

export function counter<Label extends string>(
  options: Labelled<CounterConfiguration<Label>>,
  labelNames: readonly Label[],
): Counter<Label> {
  return reuse(
    options.name,
    () => new Counter({ ...options, labelNames, registers: [metricsRegistry()] }),
  );
}

export function gauge<Label extends string>(
  options: Labelled<GaugeConfiguration<Label>>,
  labelNames: readonly Label[],
): Gauge<Label> {
  return reuse(
    options.name,
    () => new Gauge({ ...options, labelNames, registers: [metricsRegistry()] }),
  );
}

export function histogram<Label extends string>(
  options: Labelled<HistogramConfiguration<Label>>,
  labelNames: readonly Label[],
): Histogram<Label> {
  return reuse(
    options.name,
    () => new Histogram({ ...options, labelNames, registers: [metricsRegistry()] }),
  );
}

function reuse<Kind extends Metric>(name: string, make: () => Kind): Kind {
  // Registered under this name by the same code, loaded twice: it is of the same kind.
  return (metricsRegistry().getSingleMetric(name) as Kind | undefined) ?? make();
}
