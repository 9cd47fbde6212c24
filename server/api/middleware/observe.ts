import { SpanKind } from '@opentelemetry/api';
import type { KeyUsage } from '../../domain/auth/keyUsage.ts';
import type { Log } from '../../platform/log.ts';
import { observeRequest } from '../../platform/metrics/requests.ts';
import { describeSpan, inSpan, isTracing } from '../../platform/tracing/spans.ts';
import type { AccessLine, AccessLog } from './accessLog.ts';
import type { ApiContext, Middleware } from './env.ts';
import { newRequestId } from './problems.ts';

export type Observers = {
  log: Log;
  /** Writes the line of a request; the log itself unless set. */
  accessLog?: AccessLog | undefined;
  /** Counts requests by key. */
  keyUsage?: Pick<KeyUsage, 'note'> | undefined;
};

/**
 * Gives every request its id, counts it and writes its line. Each request is a trace of its own: with
 * the caller's `traceparent`, callers would decide what is recorded.
 */
export function observe(observers: Observers): Middleware {
  const handle: Middleware = async (c, next) => {
    const startedAt = performance.now();
    const requestId = newRequestId();
    c.set('requestId', requestId);
    c.header('x-request-id', requestId);
    await next();
    await finishResponse(c);
    note(observers, lineOf(c, performance.now() - startedAt), c.get('failure')?.cause);
  };
  return (c, next) => {
    if (!isTracing()) return handle(c, next);
    const options = { kind: SpanKind.SERVER, parent: null };
    return inSpan(c.req.method, options, async () => {
      await handle(c, next);
    });
  };
}

async function finishResponse(c: ApiContext): Promise<void> {
  // A stream that is never read would stay open.
  if (c.req.method === 'HEAD') await c.res.body?.cancel();
  // The rest of the body would be taken for the next request of the connection.
  else if (c.env.hasUnreadBody?.()) c.res.headers.set('connection', 'close');
}

function lineOf(c: ApiContext, durationMs: number): AccessLine {
  return {
    requestId: c.get('requestId'),
    method: c.req.method,
    route: c.get('route'),
    status: c.res.status,
    durationMs,
    apiKeyId: c.get('knownKey')?.id,
    code: c.get('failure')?.code,
  };
}

function note(to: Observers, line: AccessLine, cause: unknown): void {
  const { requestId, method, route, status, durationMs } = line;
  observeRequest(method, route, status, durationMs / 1000);
  if (line.apiKeyId !== undefined) to.keyUsage?.note(line.apiKeyId, status >= 400);
  if (isTracing()) {
    describeSpan(`${method} ${route ?? 'none'}`, {
      'http.request.method': method,
      'http.route': route ?? 'none',
      'http.response.status_code': status,
      'crossbook.request_id': requestId,
    });
  }
  line.durationMs = Math.round(durationMs * 10) / 10;
  if (status >= 500) to.log.error({ ...line, err: cause }, 'request failed');
  else if (!to.log.isLevelEnabled('info')) return;
  else if (to.accessLog) to.accessLog(line);
  else to.log.info(line, 'request');
}
