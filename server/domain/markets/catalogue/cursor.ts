import { ServiceError } from '#server/platform/errors.ts';

/** An opaque position in a sorted list: the sort values of the last row returned. */
export function writeCursor(values: readonly (string | bigint | number)[]): string {
  return Buffer.from(JSON.stringify(values.map(String))).toString('base64url');
}

/**
 * Decodes `length` values.
 * @throws {ServiceError} invalid_request for a cursor that this service did not issue
 */
export function readCursor(cursor: string, length: number): string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (
      Array.isArray(values) &&
      values.length === length &&
      values.every((value): value is string => typeof value === 'string' && value.length < 300)
    ) {
      return values;
    }
  } catch {
    // A foreign cursor: rejected below.
  }
  throw foreignCursor();
}

export function foreignCursor(): ServiceError {
  return new ServiceError('invalid_request', 'The cursor is not valid.', {
    errors: [{ pointer: '/query/cursor', detail: 'must come from an earlier response' }],
  });
}
