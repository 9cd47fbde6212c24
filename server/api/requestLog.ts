import type { KeyUsage } from '../domain/auth/keyUsage.ts';
import type { Log } from '../platform/log.ts';
import { observeRequest } from '../platform/metrics/requests.ts';
import { describeSpan, isTracing } from '../platform/tracing/spans.ts';
import type { AccessLine, AccessLog } from './accessLog.ts';

export type NotedIn = {
  log: Log;
  accessLog?: AccessLog | undefined;
  keyUsage?: Pick<KeyUsage, 'note'> | undefined;
};

/** Counts an answered request, describes its span and writes its line. */
export function noteAnswered(to: NotedIn, line: AccessLine, cause?: unknown): void {
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
