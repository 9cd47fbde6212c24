import { ServiceError } from '../platform/errors.ts';
import type { ApiRequest } from './message.ts';

export const BODY_LIMIT_BYTES = 64 * 1024;

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Reads and parses a JSON body. @throws {ServiceError} */
export async function readJsonBody(request: ApiRequest): Promise<unknown> {
  const contentType = request.header('content-type') ?? '';
  if (!JSON_TYPE.test(contentType)) {
    throw new ServiceError(
      'unsupported_media_type',
      'Send the body as JSON with the header Content-Type: application/json.',
    );
  }
  if ((request.header('content-encoding') ?? 'identity') !== 'identity') {
    throw new ServiceError('unsupported_media_type', 'Send the body uncompressed.');
  }
  const bytes = await request.readBody(BODY_LIMIT_BYTES);
  if (bytes === 'too_large') {
    throw new ServiceError('body_too_large', `The maximum body size is ${BODY_LIMIT_BYTES} bytes.`);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ServiceError(
      'malformed_json',
      bytes.length === 0 ? 'The body is empty.' : 'The body is not valid JSON in UTF-8.',
      { cause },
    );
  }
}
