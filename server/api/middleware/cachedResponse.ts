import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ApiContext } from './env.ts';

/** Shorter ones are not worth compressing. */
const COMPRESSED_FROM_BYTES = 1_024;
const BROTLI_QUALITY = 5;
/** A short text leaves with its head in one write; a longer one would be encoded for each. */
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

  /** What it takes up at most: as text, as bytes and, in all likelihood, once compressed. */
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
