import { context, trace } from '@opentelemetry/api';
import type { TracingConfig } from '../config/tracing.ts';
import { API_VERSION } from '../config/version.ts';
import { setTracing } from './spans.ts';

export type Tracing = {
  /** Sends the remaining spans and stops. */
  stop(): Promise<void>;
};

/**
 * Starts to record the spans of `inSpan` and to send them to the receiver. Without an endpoint the
 * libraries are not loaded.
 */
export async function startTracing(
  config: TracingConfig,
  process: 'web' | 'processor' | 'tool',
): Promise<Tracing> {
  if (config.endpoint === undefined || process === 'tool') return { stop: async () => undefined };
  const [
    sdk,
    { OTLPTraceExporter },
    { AsyncLocalStorageContextManager },
    { resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({
    url: `${config.endpoint}/v1/traces`,
    headers: config.headers,
  });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `crossbook-${process}`,
      'service.namespace': 'crossbook',
      'service.version': API_VERSION,
    }),
    sampler: new sdk.ParentBasedSampler({
      root: new sdk.TraceIdRatioBasedSampler(config.sampleRatio),
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  setTracing(true);
  return {
    async stop() {
      setTracing(false);
      await provider.shutdown().catch(() => undefined);
    },
  };
}
