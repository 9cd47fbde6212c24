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

/** The values that the driver adds to the message of a failed query. */
const QUERY_PARAMETERS = /\nparams: [\s\S]*?(?=\n {4}at |\ncaused by:|: [a-z]|$)/g;

/** Addresses of nodes often contain a key, those of databases a password. */
const ADDRESS = /\b(https?|wss?|postgres(?:ql)?):\/\/[^\s"'`<>)\]]+/g;

/** The start and the end of a longer text: a node's error repeats the whole request before its reason. */
const LONGEST_TEXT = 4_000;

function shortened(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  const half = LONGEST_TEXT / 2;
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}

function withoutPath(address: string): string {
  const url = URL.parse(address);
  if (!url) return 'an address';
  const isPlain = url.pathname.length <= 1 && url.search === '';
  return `${url.protocol}//${url.host}${isPlain ? '' : '/…'}`;
}

/**
 * An error without private data: no query values, no part of an address but its host, no objects
 * that a driver attaches. Long texts lose their middle.
 */
export function describeError(error: Error): Record<string, unknown> {
  const { type, message, stack, code } = stdSerializers.err(error);
  const clean = (text = '') =>
    shortened(text.replaceAll(QUERY_PARAMETERS, '').replaceAll(ADDRESS, withoutPath));
  return { type, message: clean(message), stack: clean(stack), ...(code ? { code } : {}) };
}

/**
 * One JSON line per event on standard output, or to `destination`, without the values of secret
 * fields.
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
