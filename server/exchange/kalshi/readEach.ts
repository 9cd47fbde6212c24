import type { Log } from '../../platform/log.ts';
import { ExchangeUnavailableError } from '../errors.ts';
import { asList, asWire, text, type Wire } from './wire.ts';

/**
 * Reads every item of a list. Skips and logs unreadable items, so that one does not lose the rest
 * of its page.
 */
export function readEach<Item>(
  list: unknown,
  what: string,
  log: Log,
  read: (wire: Wire) => Item | undefined,
): Item[] {
  const items: Item[] = [];
  const unread: unknown[] = [];
  for (const given of asList(list)) {
    const item = tryRead(asWire(given), read);
    if (item === undefined) unread.push(given);
    else items.push(item);
  }
  if (unread.length > 0) {
    const first = asWire(unread[0]);
    log.warn(
      { what, left: unread.length, first: text(first, 'ticker', 'event_ticker', 'fill_id') },
      'the exchange listed something unreadable',
    );
  }
  return items;
}

/**
 * Like {@link readEach}, for lists that are stored permanently: a response without the list, or with
 * nothing readable in it, is not an empty list.
 * @throws {ExchangeUnavailableError}
 */
export function readWhole<Item>(
  list: unknown,
  what: string,
  log: Log,
  read: (wire: Wire) => Item | undefined,
): Item[] {
  const items = readEach(list, what, log, read);
  const isReadable = Array.isArray(list) && (items.length > 0 || list.length === 0);
  if (!isReadable) throw new ExchangeUnavailableError('unreadable', what);
  return items;
}

function tryRead<Item>(wire: Wire, read: (wire: Wire) => Item | undefined): Item | undefined {
  try {
    return read(wire);
  } catch {
    return undefined;
  }
}
