import { refreshAll } from './refresh.ts';
import { metricsRegistry } from './registry.ts';

/** Everything this process measures, in the text format of Prometheus. */
export async function exposeMetrics(): Promise<{ contentType: string; body: string }> {
  await refreshAll();
  const registry = metricsRegistry();
  return { contentType: registry.contentType, body: await registry.metrics() };
}
