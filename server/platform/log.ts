import {
  type DestinationStream,
  type Logger,
  type LoggerOptions,
  pino,
  stdSerializers,
} from 'pino';
import { traceFields } from './tracing/spans.ts';

export type Log = Logger;

const SECRET_NAMES = [
  'authorization',
  'apiKey',
  'databaseUrl',
  'password',
  'privateKey',
  'privateKeyPem',
  'secret',
  'signature',
  'token',
];
const SECRET_PATHS = [
  ...SECRET_NAMES.flatMap((name) => [name, `*.${name}`]),
  'headers["x-api-key"]',
  '*["x-api-key"]',
];

/** A failed query as the driver tells it: with its text, and with what was to be written. */
const QUERY_PARAMETERS = /\nparams: [\s\S]*?(?=\n {4}at |\ncaused by:|: [a-z]|$)/g;

/** Nodes are often told apart by a key in their address, and databases by a password. */
const ADDRESS = /\b(https?|wss?|postgres(?:ql)?):\/\/[^\s"'`<>)\]]+/g;

function withoutPath(address: string): string {
  const url = URL.parse(address);
  if (!url) return 'an address';
  const isPlain = url.pathname.length <= 1 && url.search === '';
  return `${url.protocol}//${url.host}${isPlain ? '' : '/…'}`;
}

/**
 * An error without what is nobody's business in a log: the values of a query, what stands in an
 * address beside its host, and the objects that a driver hangs on to its errors.
 */
export function describeError(error: Error): Record<string, unknown> {
  const { type, message, stack, code } = stdSerializers.err(error);
  const clean = (text: string | undefined) =>
    text?.replaceAll(QUERY_PARAMETERS, '').replaceAll(ADDRESS, withoutPath);
  return { type, message: clean(message), stack: clean(stack), ...(code ? { code } : {}) };
}

/**
 * One JSON line per event on standard output, or to `destination`; fields that may hold a secret
 * are blanked.
 */
export function createLog(process: string, level: string, destination?: DestinationStream): Log {
  const options: LoggerOptions = {
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    mixin: traceFields,
  };
  return destination ? pino(options, destination) : pino(options);
}
