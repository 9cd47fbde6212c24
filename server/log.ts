import { type Logger, pino } from 'pino';

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

/** One JSON line per event on standard output; fields that may hold a secret are blanked. */
export function createLog(process: string, level: string): Log {
  return pino({
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
  });
}
