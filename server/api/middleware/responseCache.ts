import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { MarketFeed } from '../../domain/markets/catalogue/changes/marketFeed.ts';
import type { ApiContext } from './env.ts';

/** What a response is about: one market, or lists that change with any of them. */
export type About = { ticker: string } | 'catalogue';

/** Responses that are the same for every caller, until the markets they are about are written. */
export type ResponseCache = {
  /** The cached response, if it is still valid. */
  find(key: string): CachedResponse | undefined;
  /** Builds it once for concurrent callers, and caches it if that is safe. */
  make(key: string, about: About, json: () => Promise<string>): Promise<CachedResponse>;
};

/** The longest a change that the feed missed stays unseen. */
const OLDEST_MS = 5_000;
/** Lists change with every market; they are rebuilt at most this often. */
const LIST_HOLDS_MS = 1_000;
const MOST_BYTES = 64 * 1024 * 1024;

type Entry = { about: About; version: number; readAt: number; response: CachedResponse };

export function createResponseCache(
  feed: MarketFeed,
  options: { mostBytes?: number } = {},
): ResponseCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: options.mostBytes ?? MOST_BYTES,
    sizeCalculation: ({ response }) => response.weight,
  });
  const making = new Map<string, Promise<CachedResponse>>();

  feed.onChange((changed) => {
    // Responses in progress may predate the change: they are sent and not cached.
    making.clear();
    const tickers = changed === 'everything' ? undefined : new Set(changed);
    for (const [key, { about }] of entries.entries()) {
      if (about !== 'catalogue' && tickers?.has(about.ticker) !== false) entries.delete(key);
    }
  });

  function holds({ about, version, readAt }: Entry): boolean {
    const age = performance.now() - readAt;
    if (age > OLDEST_MS) return false;
    return about !== 'catalogue' || version === feed.version() || age < LIST_HOLDS_MS;
  }

  return {
    find(key) {
      if (!feed.isCurrent()) return undefined;
      const entry = entries.get(key);
      return entry && holds(entry) ? entry.response : undefined;
    },
    async make(key, about, json) {
      const underWay = making.get(key);
      if (underWay) return await underWay;
      const version = feed.version();
      const readAt = performance.now();
      const made = json().then((text) => new CachedResponse(text));
      making.set(key, made);
      try {
        const response = await made;
        const isUntouched = about === 'catalogue' || making.get(key) === made;
        if (isUntouched && feed.isCurrent()) entries.set(key, { about, version, readAt, response });
        return response;
      } finally {
        if (making.get(key) === made) making.delete(key);
      }
    },
  };
}

const COMPRESSED_FROM_BYTES = 1_024;
const BROTLI_QUALITY = 5;
/** Node sends a short text with its head in one write; longer ones are encoded once here. */
const TEXT_UP_TO_BYTES = 16 * 1024;

type Coding = 'br' | 'gzip' | 'identity';
type Body = string | Uint8Array<ArrayBuffer>;
type Form = { body: Body; headers: Record<string, string> };

/** A JSON response with its validator; compressed once, when it is first asked for so. */
export class CachedResponse {
  private readonly digest: string;
  private readonly forms = new Map<Coding, Form>();
  private readonly json: string;
  private readonly length: number;

  constructor(json: string) {
    this.json = json;
    this.length = Buffer.byteLength(json);
    this.digest = createHash('sha256').update(json).digest('base64url').slice(0, 22);
  }

  /** Estimated memory: text, bytes and one compressed form. */
  get weight(): number {
    return 2 * this.length + (this.length >> 2) + 500;
  }

  /** Responds to a request: with 304 where the caller has it already. */
  respond(c: ApiContext): Response {
    const { body, headers } = this.form(codingFor(c, this.length));
    const known = c.req.header('if-none-match');
    if (known === undefined || !this.isKnown(known)) return c.body(body, 200, headers);
    const { 'content-type': _type, 'content-encoding': _coding, ...validators } = headers;
    return c.body(null, 304, validators);
  }

  private form(coding: Coding): Form {
    const made = this.forms.get(coding);
    if (made) return made;
    const form: Form = {
      body: bodyOf(this.json, coding),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'private, no-cache',
        etag: `"${this.digest}${coding === 'identity' ? '' : `-${coding}`}"`,
        vary: 'origin, accept-encoding',
        ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
      },
    };
    this.forms.set(coding, form);
    return form;
  }

  /** By the weak comparison of RFC 9110: the same content in any coding. */
  private isKnown(header: string): boolean {
    return (
      header.trim() === '*' ||
      header.split(',').some((tag) => tag.trim().replace(/^W\//, '').startsWith(`"${this.digest}`))
    );
  }
}

function codingFor(c: ApiContext, length: number): Coding {
  const accepted = c.req.header('accept-encoding');
  if (accepted === undefined || length < COMPRESSED_FROM_BYTES) return 'identity';
  if (accepts(accepted, 'br')) return 'br';
  return accepts(accepted, 'gzip') ? 'gzip' : 'identity';
}

/** Named, and not with a weight of zero. */
function accepts(header: string, coding: string): boolean {
  return header.split(',').some((part) => {
    const [name = '', weight = ''] = part.split(';');
    return name.trim().toLowerCase() === coding && !/^\s*q=0(\.0*)?\s*$/.test(weight);
  });
}

function bodyOf(json: string, coding: Coding): Body {
  if (coding === 'br') {
    return brotliCompressSync(json, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    });
  }
  if (coding === 'gzip') return gzipSync(json);
  const bytes = Buffer.from(json);
  return bytes.length <= TEXT_UP_TO_BYTES ? json : bytes;
}
