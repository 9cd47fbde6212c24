import { bodyLimit } from 'hono/body-limit';
import { ServiceError } from '../../platform/errors.ts';
import type { ApiContext, Middleware } from './env.ts';

export const BODY_LIMIT_BYTES = 64 * 1024;

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const limited = bodyLimit({
  maxSize: BODY_LIMIT_BYTES,
  onError() {
    throw new ServiceError('body_too_large', `The maximum body size is ${BODY_LIMIT_BYTES} bytes.`);
  },
});

/** Reads and parses a JSON body. */
export const readJsonBody: Middleware = async (c, next) => {
  requireJson(c);
  const bytes = await bytesOf(c);
  try {
    c.set('body', JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch (cause) {
    throw new ServiceError(
      'malformed_json',
      bytes.byteLength === 0 ? 'The body is empty.' : 'The body is not valid JSON in UTF-8.',
      { cause },
    );
  }
  await next();
};

function requireJson(c: ApiContext): void {
  if (!JSON_TYPE.test(c.req.header('content-type') ?? '')) {
    throw new ServiceError(
      'unsupported_media_type',
      'Send the body as JSON with the header Content-Type: application/json.',
    );
  }
  if ((c.req.header('content-encoding') ?? 'identity') !== 'identity') {
    throw new ServiceError('unsupported_media_type', 'Send the body uncompressed.');
  }
}

async function bytesOf(c: ApiContext): Promise<ArrayBuffer> {
  let bytes = new ArrayBuffer(0);
  try {
    await limited(c, async () => {
      bytes = await c.req.arrayBuffer();
    });
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    // The sender went away, or was cut off for being slow.
    throw new ServiceError('malformed_json', 'The body is incomplete.', { cause });
  }
  return bytes;
}
