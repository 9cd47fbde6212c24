import { text, type Wire } from './wire.ts';

/** The cursor of the next page; a page that points to itself is the last one. */
export function nextCursor(body: Wire, cursor: string | undefined): string {
  const next = text(body, 'cursor');
  return next === cursor ? '' : next;
}
