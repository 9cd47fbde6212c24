import { SpanKind } from '@opentelemetry/api';
import { inSpan, isTracing } from '../platform/tracing/spans.ts';
import type { Api } from './pipeline.ts';

/**
 * The same API, each request a trace of its own. A `traceparent` of the caller is not believed:
 * whoever calls would decide what is recorded.
 */
export function tracedApi(api: Api): Api {
  return {
    // A traced request has a context of its own.
    responseNow: (request) => (isTracing() ? undefined : api.responseNow?.(request)),
    handle(request) {
      if (!isTracing()) return api.handle(request);
      const options = { kind: SpanKind.SERVER, parent: null };
      return inSpan(request.method, options, () => api.handle(request));
    },
  };
}
