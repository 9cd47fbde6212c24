import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../platform/log.ts';
import { ExchangeResponseError, ExchangeUnavailableError } from '../errors.ts';
import type { RateLimits } from './rateLimits.ts';
import type { SendMessage, WriteMethod } from './sendWhenConnected.ts';
import type { Signer } from './signer.ts';
import type { TokenBucket } from './tokenBucket.ts';
import { asWire, text, type Wire } from './wire.ts';

/** The response, or why there is none. */
export type HttpResponseBody =
  | { kind: 'answered'; status: number; body: Wire; isJson: boolean; date: Date | undefined }
  | { kind: 'unheard'; code: 'timeout' | 'network' | 'not_sent' };

export type HttpClient = {
  /**
   * Reads with a few retries. @throws {ExchangeUnavailableError} @throws {ExchangeResponseError}
   */
  get(path: string, query?: Query, options?: GetOptions): Promise<Wire>;
  /** Like `get`, with the time of the exchange's server. */
  getDated(path: string, query?: Query, options?: GetOptions): Promise<Dated>;
  /** One attempt, without interpreting the response. */
  post(path: string, message: Message): Promise<HttpResponseBody>;
  /** The same for cancellations, which leave before anything else that waits for the rate limit. */
  delete(path: string, message: Message): Promise<HttpResponseBody>;
  /** The most requests that one message to this path may count as. */
  mostTogether(method: WriteMethod, path: string): number;
};

export type Message = {
  /** The time it is signed with, however long it waits; if not given, when its wait is over. */
  signedAt?: Date;
  query?: Query;
  /** The number of single requests it costs. */
  requests: number;
  /**
   * Called when nothing else is left to wait for; undefined when it must no longer be sent, empty
   * when it has no body.
   */
  body: () => Promise<object | '' | undefined>;
};

export type GetOptions = {
  isKeyed?: boolean;
  /** Recognises a body that is a valid response despite a 5xx. */
  isResponse?: (body: Wire) => boolean;
};
export type Dated = { body: Wire; date: Date | undefined };
export type Query = Record<string, string | number | boolean | string[] | undefined>;

const READ_TIMEOUT_MS = 8_000;
const WRITE_TIMEOUT_MS = 10_000;
const READ_ATTEMPTS = 4;
/**
 * Timeout of all attempts of one read together, in units of one attempt's timeout, because its
 * caller waits too.
 */
const READ_TIMEOUT = 1.25;
const READ_PRIORITY = 1;
const WRITE_PRIORITY: Record<WriteMethod, number> = { POST: 10, DELETE: 20 };

type Options = {
  url: string;
  signer: Signer;
  limits: RateLimits;
  onResponse?: (response: { isRejected: boolean }) => void;
  fetch: typeof fetch;
  sendMessage: SendMessage;
  log: Log;
  timeouts?: { readMs?: number; writeMs?: number };
};

export function createHttpClient(options: Options): HttpClient {
  const getDated = createReads(options);
  const send = createWrites(options);
  const { limits } = options;
  return {
    getDated,
    async get(path, query, getOptions) {
      return (await getDated(path, query, getOptions)).body;
    },
    mostTogether: (method, path) =>
      Math.max(1, Math.floor(limits.write.capacity() / limits.costOf(method, path))),
    post: (path, message) => send('POST', path, message),
    delete: (path, message) => send('DELETE', path, message),
  };
}

function createReads(options: Options): HttpClient['getDated'] {
  const { limits } = options;
  const basePath = basePathOf(options);
  const readTimeout = options.timeouts?.readMs ?? READ_TIMEOUT_MS;

  async function getOnce(
    path: string,
    init: { query?: Query | undefined; isKeyed: boolean; timeoutMs: number },
  ): Promise<HttpResponseBody> {
    const signal = AbortSignal.timeout(init.timeoutMs);
    try {
      const response = await options.fetch(`${options.url}${path}${queryText(init.query)}`, {
        method: 'GET',
        signal,
        headers: {
          accept: 'application/json',
          ...(init.isKeyed ? await options.signer('GET', `${basePath}${path}`) : {}),
        },
      });
      const { status, headers } = response;
      return respondedWith(status, headers.get('date'), await response.text());
    } catch {
      return { kind: 'unheard', code: signal.aborted ? 'timeout' : 'network' };
    }
  }

  return async (path, query, { isKeyed = false, isResponse } = {}) => {
    let last = 'network';
    const patientUntil = performance.now() + readTimeout * READ_TIMEOUT;
    for (let attempt = 1; attempt <= READ_ATTEMPTS; attempt += 1) {
      await limits.read.take(limits.costOf('GET', path), READ_PRIORITY);
      const leftMs = Math.ceil(patientUntil - performance.now());
      if (leftMs <= 0) break;
      const timeoutMs = Math.min(readTimeout, leftMs);
      const response = await getOnce(path, { query, isKeyed, timeoutMs });
      note(options, response, limits.read);
      if (response.kind === 'answered') {
        const isGood = response.status < 300 && response.isJson;
        if (isGood || (response.status >= 500 && isResponse?.(response.body))) {
          return { body: response.body, date: response.date };
        }
        last = errorCodeOf(response.body) || `http_${response.status}`;
        const isPassing =
          response.status === 429 || response.status >= 500 || response.status < 300;
        if (!isPassing) throw new ExchangeResponseError(response.status, last, path);
      } else last = response.code;
      options.log.debug({ path, attempt, code: last }, 'exchange read failed');
      if (attempt < READ_ATTEMPTS) await pause(100 * 3 ** (attempt - 1));
    }
    throw new ExchangeUnavailableError(last, path);
  };
}

function createWrites(
  options: Options,
): (method: WriteMethod, path: string, message: Message) => Promise<HttpResponseBody> {
  const { limits } = options;
  const basePath = basePathOf(options);
  const writeTimeout = options.timeouts?.writeMs ?? WRITE_TIMEOUT_MS;

  async function sendOnce(
    method: WriteMethod,
    path: string,
    { signedAt, query, body }: Message,
  ): Promise<HttpResponseBody> {
    let signal: AbortSignal | undefined;
    try {
      const signature = await options.signer(method, `${basePath}${path}`, signedAt);
      signal = AbortSignal.timeout(writeTimeout);
      const sent = await options.sendMessage(`${options.url}${path}${queryText(query)}`, {
        method,
        headers: { accept: 'application/json', 'content-type': 'application/json', ...signature },
        body: async () => {
          const content = await body();
          return content && JSON.stringify(content);
        },
        signal,
      });
      if (!sent) return { kind: 'unheard', code: 'not_sent' };
      return respondedWith(sent.status, sent.date, sent.text);
    } catch {
      return { kind: 'unheard', code: signal?.aborted ? 'timeout' : 'network' };
    }
  }

  return async (method, path, message) => {
    const cost = limits.costOf(method, path) * message.requests;
    await limits.write.take(cost, WRITE_PRIORITY[method]);
    const response = await sendOnce(method, path, message);
    note(options, response, limits.write);
    return response;
  };
}

function basePathOf({ url }: Options): string {
  return new URL(url).pathname.replace(/\/$/, '');
}

/** Counts the response; after a 429 nothing is sent until the rate limit has refilled. */
function note({ onResponse }: Options, response: HttpResponseBody, bucket: TokenBucket): void {
  const isRejected = response.kind === 'answered' && response.status === 429;
  if (isRejected) bucket.drain();
  onResponse?.({ isRejected });
}

/** The code of an error body: nested, flat, or plain text. */
export function errorCodeOf(body: Wire): string {
  const { error } = body;
  if (typeof error === 'string') return error.trim().replaceAll(' ', '_');
  return text(asWire(error), 'code') || text(body, 'code');
}

/** The explanation of an error body, for logs. */
export function errorDetailOf(body: Wire): string {
  const nested = asWire(body.error);
  const parts = [nested, body].flatMap((wire) => [text(wire, 'message'), text(wire, 'details')]);
  return parts.filter((part) => part !== '').join(': ');
}

function parse(raw: string): { body: Wire; isJson: boolean } {
  try {
    return { body: asWire(JSON.parse(raw)), isJson: true };
  } catch {
    return { body: {}, isJson: false };
  }
}

function respondedWith(status: number, date: string | null, raw: string): HttpResponseBody {
  const at = new Date(date ?? '');
  const isKnown = !Number.isNaN(at.getTime());
  return { kind: 'answered', status, ...parse(raw), date: isKnown ? at : undefined };
}

function queryText(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value])
      parameters.append(name, String(item));
  }
  const encoded = parameters.toString();
  return encoded === '' ? '' : `?${encoded}`;
}

/** Waits about that long; the jitter keeps clients that failed together from retrying together. */
async function pause(milliseconds: number): Promise<void> {
  await delay(milliseconds * (0.5 + Math.random()));
}
