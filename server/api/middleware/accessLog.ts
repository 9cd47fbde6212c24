import { pino } from 'pino';
import { traceFields } from '../../platform/tracing/spans.ts';

/** The log entry of a request. It holds no secret and only texts of ours: ids, routes, codes. */
export type AccessLine = {
  requestId: string;
  method: string;
  route: string | undefined;
  status: number;
  durationMs: number;
  apiKeyId: string | undefined;
  code: string | undefined;
};

export type AccessLog = (line: AccessLine) => void;

const FLUSH_EVERY_MS = 100;
const FLUSH_FROM_LENGTH = 16 * 1024;
/** pino's number for `info`. */
const INFO = 30;

/**
 * One line per request in the format of the other log lines, written in groups: a write per request
 * costs more than the response. A killed process loses at most the last 100 ms.
 */
export function openAccessLog(process: string): AccessLog {
  const destination = pino.destination({ dest: 1, sync: true });
  let unwritten = '';
  let writtenAt = 0;
  let head = '';
  const write = (): void => {
    if (unwritten === '') return;
    const lines = unwritten;
    unwritten = '';
    destination.write(lines);
  };
  setInterval(write, FLUSH_EVERY_MS).unref();
  globalThis.process.on('exit', write);
  return (line) => {
    const now = Date.now();
    if (now !== writtenAt) {
      writtenAt = now;
      head = `{"level":${INFO},"time":"${new Date(now).toISOString()}","process":"${process}"`;
    }
    // Joined by hand, since this runs for every request and nothing in it needs escaping.
    const { requestId, method, route, status, durationMs, apiKeyId, code } = line;
    const { traceId } = traceFields();
    unwritten += `${head}${field('traceId', traceId)},"requestId":"${requestId}","method":"${method}"${field('route', route)},"status":${status},"durationMs":${durationMs}${field('apiKeyId', apiKeyId)}${field('code', code)},"msg":"request"}\n`;
    if (unwritten.length >= FLUSH_FROM_LENGTH) write();
  };
}

const field = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`;
