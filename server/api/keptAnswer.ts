import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ApiRequest, ApiResponse } from './message.ts';
import { pairsOf, type ReadyContent, readyContent } from './readyContent.ts';

/** Shorter ones are not worth compressing. */
const COMPRESSED_FROM_BYTES = 1_024;
const BROTLI_QUALITY = 5;
const TEXT_UP_TO_BYTES = 16 * 1024;

type Coding = 'br' | 'gzip' | 'identity';

/**
 * An answer as bytes, with its validator; compressed once, when somebody first wants it so. Never
 * changed once it is made.
 */
export class KeptResponse {
  private readonly digest: string;
  private readonly forms = new Map<Coding, Form>();
  private readonly json: string;
  private readonly plain: Uint8Array<ArrayBuffer>;

  constructor(json: string) {
    this.json = json;
    this.plain = Buffer.from(json);
    this.digest = createHash('sha256').update(this.plain).digest('base64url').slice(0, 22);
  }

  /** What it takes up at most: as text, as bytes and, in all likelihood, once compressed. */
  get weight(): number {
    return 2 * this.plain.length + (this.plain.length >> 2) + 500;
  }

  /** The answer to a request: 304 to whoever has it already. */
  respond(request: ApiRequest, status: number): ApiResponse {
    const { body, headers } = this.form(codingFor(request, this.plain.length));
    const known = request.header('if-none-match');
    if (known !== undefined && this.isKnown(known)) {
      const { 'cache-control': cacheControl, etag, vary } = headers;
      return { status: 304, headers: { 'cache-control': cacheControl, etag, vary }, body: null };
    }
    return { status, headers: { ...headers }, body };
  }

  /** The same, with nothing left to do but to send it. */
  ready(request: ApiRequest, status: number): ReadyContent {
    const form = this.form(codingFor(request, this.plain.length));
    const known = request.header('if-none-match');
    if (known === undefined || !this.isKnown(known)) return { status, ...form.ready };
    const { 'cache-control': cacheControl, etag, vary } = form.headers;
    const pairs = pairsOf({ 'cache-control': cacheControl, etag, vary });
    return { status: 304, pairs, body: null, encoding: 'latin1' };
  }

  private form(coding: Coding): Form {
    const made = this.forms.get(coding);
    if (made) return made;
    // A short text leaves together with the head, in one write; bytes would be another.
    const isText = coding === 'identity' && this.plain.length <= TEXT_UP_TO_BYTES;
    const body = isText ? this.json : compressed(this.plain, coding);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
      etag: `"${this.digest}${coding === 'identity' ? '' : `-${coding}`}"`,
      vary: 'origin, accept-encoding',
      ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
    };
    const form: Form = { body, headers, ready: readyContent(headers, body) };
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

type Form = {
  body: string | Uint8Array<ArrayBuffer>;
  headers: Headers;
  ready: Omit<ReadyContent, 'status'>;
};

type Headers = {
  'content-type': string;
  'cache-control': string;
  etag: string;
  vary: string;
  'content-encoding'?: string;
};

function codingFor(request: ApiRequest, length: number): Coding {
  const accepted = request.header('accept-encoding');
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

function compressed(plain: Uint8Array<ArrayBuffer>, coding: Coding): Uint8Array<ArrayBuffer> {
  if (coding === 'br') {
    return brotliCompressSync(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    });
  }
  return coding === 'gzip' ? gzipSync(plain) : plain;
}
