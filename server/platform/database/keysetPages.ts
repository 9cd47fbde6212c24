import { and, type Column, eq, lt, lte, or, type SQL } from 'drizzle-orm';
import { ServiceError } from '../errors.ts';
import { descending } from './descending.ts';

/** Pages of lists, newest first, that stay stable while new rows arrive. */

type Position = { createdAt: Date; id: string };
type Columns = { createdAt: Column; id: Column };

export const newestFirst = ({ createdAt, id }: Columns): SQL[] => [
  descending(createdAt),
  descending(id),
];

/**
 * The rows after the cursor, or all without one.
 * @throws {ServiceError} invalid_request for a cursor that this service did not issue
 */
export function olderThan(columns: Columns, cursor: string | undefined): SQL | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const { createdAt, id } = readPosition(cursor);
  // The second condition implies the first, which lets an index start at the cursor.
  return and(
    lte(columns.createdAt, createdAt),
    or(lt(columns.createdAt, createdAt), and(eq(columns.createdAt, createdAt), lt(columns.id, id))),
  );
}

/** The page from its rows and one more, with the cursor to the next page; '' at the end. */
export function pageOf<Row extends Position>(
  rows: readonly Row[],
  limit: number,
): { page: Row[]; cursor: string } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, cursor: rows.length > limit && last ? writePosition(last) : '' };
}

function writePosition({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');
}

function readPosition(cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const [, time, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(text) ?? [];
  if (time === undefined || id === undefined) {
    throw new ServiceError('invalid_request', 'The cursor is not valid.', {
      errors: [{ pointer: '/query/cursor', detail: 'must come from an earlier response' }],
    });
  }
  return { createdAt: new Date(Number(time)), id };
}
