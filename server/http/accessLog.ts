import { pino } from 'pino';
import { traceFields } from '../tracing/spans.ts';

/** What is noted of a request that was answered. Nothing in it can be a secret. */
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
  const write = (): void => {
    if (unwritten === '') return;
    const lines = unwritten;
    unwritten = '';
    destination.write(lines);
  };
  setInterval(write, FLUSH_EVERY_MS).unref();
  globalThis.process.on('exit', write);
  return (line) => {
    const head = { level: INFO, time: new Date().toISOString(), process, ...traceFields() };
    unwritten += `${JSON.stringify({ ...head, ...line, msg: 'request' })}\n`;
    if (unwritten.length >= FLUSH_FROM_LENGTH) write();
  };
}
