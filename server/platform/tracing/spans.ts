import {
  type Attributes,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';

/**
 * Records spans for traces. Without an exporter nothing is recorded and the work runs unwrapped.
 */

/** All copies of the library share their globals, and so this flag. */
const SHARED = Symbol.for('crossbook.tracing');
type Shared = { [SHARED]?: boolean };

export function isTracing(): boolean {
  return (globalThis as Shared)[SHARED] === true;
}

export function setTracing(isOn: boolean): void {
  (globalThis as Shared)[SHARED] = isOn;
}

const tracer = () => trace.getTracer('crossbook');

export type SpanOptions = {
  attributes?: Attributes;
  kind?: SpanKind;
  /** A stored traceparent; defaults to the active span. */
  parent?: string | null;
};

/** Runs work as a span. An error marks the span as failed and is rethrown. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return await work(undefined);
  const { parent, ...rest } = options;
  const within = parent === undefined ? context.active() : contextOf(parent);
  return await tracer().startActiveSpan(name, rest, within, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Like `inSpan` within an active trace; otherwise the work runs untraced. */
export async function inChildSpan<Result>(
  name: string,
  options: Omit<SpanOptions, 'parent'>,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (!isTracing() || trace.getActiveSpan() === undefined) return await work(undefined);
  return await inSpan(name, options, work);
}

/** Records completed work in the trace that caused it. */
export function recordSpan(
  name: string,
  parent: string | null,
  options: { startTime: Date; attributes: Attributes; failure?: string | undefined },
): void {
  if (!isTracing() || parent === null) return;
  const { startTime, attributes, failure } = options;
  const span = tracer().startSpan(name, { startTime, attributes }, contextOf(parent));
  if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
  span.end();
}

/** Records only the names of errors: their messages may contain private data. */
function failSpan(span: Span, error: unknown): void {
  const message = error instanceof Error ? error.name : 'error';
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** The active trace as a W3C `traceparent`, for storage; null without one. */
export function currentTraceparent(): string | null {
  if (!isTracing()) return null;
  const found = trace.getActiveSpan()?.spanContext();
  if (!found) return null;
  return `00-${found.traceId}-${found.spanId}-${found.traceFlags.toString(16).padStart(2, '0')}`;
}

/** The active trace for log lines, if any. */
export function traceFields(): { traceId?: string } {
  if (!isTracing()) return {};
  const found = trace.getActiveSpan()?.spanContext();
  return found ? { traceId: found.traceId } : {};
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function contextOf(traceparent: string | null): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags ?? '0', 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** Renames the active span and adds attributes. */
export function describeSpan(name: string, attributes: Attributes): void {
  if (!isTracing()) return;
  trace.getActiveSpan()?.updateName(name).setAttributes(attributes);
}
