import { type Logger, pino, stdSerializers } from 'pino';
import { traceFields } from './tracing/spans.ts';

export type Log = Logger;

const SECRET_PATHS = [
  'authorization',
  'apiKey',
  'token',
  'privateKey',
  'signature',
  'headers.authorization',
  'headers["x-api-key"]',
  '*.authorization',
  '*.apiKey',
  '*.token',
  '*.privateKey',
  '*.signature',
];

/** A failed query as the driver tells it: with its text, and with what was to be written. */
const QUERY_PARAMETERS = /\nparams: [\s\S]*?(?=\n {4}at |\ncaused by:|: [a-z]|$)/g;

/**
 * An error without what is nobody's business in a log: the values of a query, and the objects that
 * a driver hangs on to its errors.
 */
export function describeError(error: Error): Record<string, unknown> {
  const { type, message, stack, code } = stdSerializers.err(error);
  const clean = (text: string | undefined) => text?.replaceAll(QUERY_PARAMETERS, '');
  return { type, message: clean(message), stack: clean(stack), ...(code ? { code } : {}) };
}

/** One JSON line per event on standard output; fields that may hold a secret are blanked. */
export function createLog(process: string, level: string): Log {
  return pino({
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    mixin: traceFields,
  });
}
