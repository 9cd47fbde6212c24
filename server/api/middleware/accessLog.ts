import { pino } from 'pino';
import { traceFields } from '../../platform/tracing/spans.ts';

/**
 * What is noted of a request that was answered. Nothing in it can be a secret, and every text is one
 * of ours: ids, names of routes and codes, and methods that node:http knows.
 */
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
 * One line for each answered request, in the form of the process' other lines, written some at a
 * time: at thousands of requests a second, a write for each costs more than the answer. What a
 * killed process has not written is at most a moment old.
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
    // Joined by hand: none of it holds anything to escape, and this is done for every request.
    const { requestId, method, route, status, durationMs, apiKeyId, code } = line;
    const { traceId } = traceFields();
    unwritten += `${head}${field('traceId', traceId)},"requestId":"${requestId}","method":"${method}"${field('route', route)},"status":${status},"durationMs":${durationMs}${field('apiKeyId', apiKeyId)}${field('code', code)},"msg":"request"}\n`;
    if (unwritten.length >= FLUSH_FROM_LENGTH) write();
  };
}

const field = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`;
