import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readTracing } from '../config/tracing.ts';
import {
  currentTraceparent,
  inChildSpan,
  inSpan,
  recordSpan,
  setTracing,
  traceFields,
} from './spans.ts';

describe('without tracing', () => {
  test('work runs unchanged, without a trace', async () => {
    const seen = await inSpan('work', { parent: null }, async (span) => [
      span,
      currentTraceparent(),
      traceFields(),
    ]);
    expect(seen).toEqual([undefined, null, {}]);
  });
});

describe('with tracing', () => {
  const exporter = new InMemorySpanExporter();

  beforeEach(() => {
    const processor = new SimpleSpanProcessor({ exporter });
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [processor] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    setTracing(true);
  });
  afterEach(() => {
    setTracing(false);
    trace.disable();
    context.disable();
    exporter.reset();
  });

  test('a stored trace continues in another process, later', async () => {
    let stored: string | null = null;
    let fields = {};
    await inSpan('request', { parent: null }, async () => {
      stored = currentTraceparent();
      fields = traceFields();
    });
    expect(stored).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    await inSpan('step', { parent: stored }, () => inChildSpan('call', {}, async () => 1));
    recordSpan('transaction', stored, {
      startTime: new Date(),
      attributes: {},
      failure: 'BadStatus',
    });
    const spans = exporter.getFinishedSpans();
    const ids = new Set(spans.map((span) => span.spanContext().traceId));
    expect(spans.map((span) => span.name)).toEqual(['request', 'call', 'step', 'transaction']);
    expect(ids.size).toBe(1);
    expect(fields).toEqual({ traceId: [...ids][0] });
  });

  test('an error ends the span with its name only, and is rethrown', async () => {
    const failing = inSpan('step', { parent: 'no traceparent' }, async () => {
      throw new TypeError('with a secret');
    });
    await expect(failing).rejects.toThrow('with a secret');
    const [span] = exporter.getFinishedSpans();
    expect(span?.status).toEqual({ code: 2, message: 'TypeError' });
    expect(JSON.stringify([span?.attributes, span?.events])).not.toContain('secret');
  });

  test('calls outside of a trace start none', async () => {
    await inChildSpan('poll', {}, async () => 1);
    expect(exporter.getFinishedSpans()).toEqual([]);
  });
});

test('the receiver and its credentials are read in OpenTelemetry’s format', () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc=,x-team=ops',
    OTEL_TRACES_SAMPLER_ARG: 0.5,
  };
  expect(readTracing(env)).toEqual({
    endpoint: 'http://collector:4318',
    headers: { authorization: 'Basic abc=', 'x-team': 'ops' },
    sampleRatio: 0.5,
  });
});
