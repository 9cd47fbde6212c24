import type { Log } from '../../platform/log.ts';
import type { ExchangeCatalogue, ExchangeTrade } from '../catalogue.ts';
import { ExchangeResponseError } from '../errors.ts';
import { createTradeArchive } from './archive.ts';
import type { HttpClient } from './httpClient.ts';
import { nextCursor } from './nextCursor.ts';
import { readEach } from './readEach.ts';
import { asList, asWire, countMicros, moment, priceMicros, text, type Wire } from './wire.ts';

/** Marks a cursor of ours, which continues in the archive. */
const IN_ARCHIVE = 'archive.';
/** A cursor has a limited length. */
const MOST_SHOWN = 10;
const PATH = '/historical/trades';

/** Where a list continues in the archive. */
type Place = {
  cursor: string;
  /** The oldest live trade's time, unix milliseconds, and the ids that it shares it with. */
  before: number | null;
  shown: string[];
};

/** Trades of a market, newest first: live ones, then those of the archive. */
export function createTradeReads(
  http: HttpClient,
  log: Log,
): Pick<ExchangeCatalogue, 'listTrades'> {
  const mayBeArchived = createTradeArchive(http);

  async function listArchived(ticker: string, limit: number, place: Place) {
    const { before, cursor } = place;
    const body = await http.get(PATH, {
      ticker,
      limit,
      ...(before === null ? {} : { max_ts: Math.floor(before / 1000) + 1 }),
      ...(cursor === '' ? {} : { cursor }),
    });
    const read = readEach(body.trades, 'trade', log, readTrade);
    const next = nextCursor(body, cursor);
    return {
      // A trade that was archived since the live page was read is on both sides.
      trades: read.filter(
        ({ tradeId, at }) =>
          !place.shown.includes(tradeId) && (before === null || at.getTime() <= before),
      ),
      cursor: next === '' ? '' : cursorAt({ ...place, cursor: next }),
    };
  }

  return {
    async listTrades({ ticker, limit, cursor, openedAt }) {
      if (cursor?.startsWith(IN_ARCHIVE)) return await listArchived(ticker, limit, placeAt(cursor));
      const body = await http.get('/markets/trades', {
        ticker,
        limit,
        ...(cursor ? { cursor } : {}),
      });
      const trades = readEach(body.trades, 'trade', log, readTrade);
      const next = nextCursor(body, cursor);
      if (next !== '' || !(await mayBeArchived(openedAt))) return { trades, cursor: next };
      const end = endOf(trades);
      if (trades.length >= limit) return { trades, cursor: cursorAt(end) };
      const older = await listArchived(ticker, limit - trades.length, end);
      return { trades: [...trades, ...older.trades], cursor: older.cursor };
    },
  };
}

function endOf(trades: readonly ExchangeTrade[]): Place {
  const before = trades.at(-1)?.at.getTime() ?? null;
  const last = trades.filter(({ at }) => at.getTime() === before).slice(-MOST_SHOWN);
  const shown = last.map(({ tradeId }) => tradeId);
  return { cursor: '', before, shown };
}

function cursorAt(place: Place): string {
  return `${IN_ARCHIVE}${Buffer.from(JSON.stringify(place)).toString('base64url')}`;
}

/** @throws {ExchangeResponseError} for a cursor that is not ours */
function placeAt(cursor: string): Place {
  try {
    const wire = asWire(
      JSON.parse(Buffer.from(cursor.slice(IN_ARCHIVE.length), 'base64url').toString()),
    );
    const { before } = wire;
    if (before !== null && !Number.isSafeInteger(before)) throw new TypeError('no time');
    const shown = asList(wire.shown).filter((id) => typeof id === 'string');
    return { cursor: text(wire, 'cursor'), before: before === null ? null : Number(before), shown };
  } catch {
    throw new ExchangeResponseError(400, 'invalid_cursor', PATH);
  }
}

/** A public trade of a list or of the feed; undefined when it cannot be read. */
export function readTrade(wire: Wire): ExchangeTrade | undefined {
  const tradeId = text(wire, 'trade_id');
  const contractMicros = countMicros(wire, 'count');
  const yesPriceMicros = priceMicros(wire, 'yes_price');
  const at = moment(wire.created_time) ?? moment(wire.ts_ms) ?? moment(wire.ts);
  if (tradeId === '' || contractMicros === undefined || yesPriceMicros === undefined || !at) {
    return undefined;
  }
  const taker = text(wire, 'taker_outcome_side', 'taker_side');
  const book = text(wire, 'taker_book_side');
  const takerSide = taker === 'no' || (taker === '' && book === 'ask') ? 'no' : 'yes';
  return {
    tradeId,
    ticker: text(wire, 'ticker', 'market_ticker'),
    contractMicros,
    yesPriceMicros,
    takerSide,
    at,
  };
}
