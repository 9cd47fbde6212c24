import type { ExchangeTiming } from '../../platform/config/exchange.ts';
import type { Log } from '../../platform/log.ts';
import type {
  ExchangeFill,
  ExchangeOrder,
  ExchangePosition,
  ExchangeSettlement,
  ExchangeShards,
  ExchangeTrading,
  FindOrderOutcome,
} from '../port.ts';
import { createOwnLists, pages } from './archive.ts';
import type { SocketOptions } from './channels.ts';
import type { HttpClient } from './httpClient.ts';
import { createOrderBatcher } from './orderBatcher.ts';
import { createOwnFeed } from './ownFeed.ts';
import { readFill, readOrder, readSettlement } from './ownRecords.ts';
import { readsKnownThrough, withMargin } from './readTime.ts';
import { createRestingOrders } from './restingOrders.ts';
import { moment, signedCountMicros, text } from './wire.ts';

/** Timeout for fills on the feed after the response to an order. */
const FEED_TIMEOUT_MS = 150;
/** What the exchange takes no orders for without a valid attestation of the account's location. */
const ATTESTED_CATEGORIES = ['Sports', 'Elections', 'Entertainment'] as const;

/** Trading over Orders V2: every order is a limit order on the Yes book. */
export function createTrading(
  { http, socket, timing }: { http: HttpClient; socket: SocketOptions; timing: ExchangeTiming },
  log: Log,
  now = Date.now,
): Omit<ExchangeTrading, keyof ExchangeShards> {
  const feed = createOwnFeed(socket);
  const own = createOwnLists(http);

  return {
    timing,
    ...createRestingOrders({ http, own, feed, timing }, log, now),
    placeOrder: createOrderBatcher(http),

    async findOrder({ ticker, clientOrderId, sentAt, since }): Promise<FindOrderOutcome> {
      const ended = feed.endedAttempt(clientOrderId);
      if (ended) return ended;
      // Read before the scan, so that the scan is at least as new.
      const { theirs, ours } = await readsKnownThrough(http, now);
      const earliest = withMargin(since ?? sentAt);
      for await (const order of own.orders(earliest, { ticker })) {
        if (text(order, 'client_order_id') !== clientOrderId) continue;
        const found = readOrder(order);
        if (!found) log.error({ clientOrderId }, 'an order of ours cannot be read');
        return found ?? { kind: 'not_yet_known' };
      }
      // The exchange checks signatures by its own clock; ours guards against a jump of that clock.
      const isOver = Math.min(theirs, ours) >= sentAt.getTime() + timing.absenceMs;
      return isOver ? { kind: 'absent' } : { kind: 'not_yet_known' };
    },

    subscribeFills: (signal) => feed.follow(signal),

    async bufferedFills({ exchangeOrderId, side, filledContractMicros }) {
      const wires = await feed.whenComplete(exchangeOrderId, filledContractMicros, FEED_TIMEOUT_MS);
      const fills = wires?.flatMap((wire) => readFill(wire, side) ?? []);
      return fills?.length === wires?.length ? fills?.toSorted(byTime) : undefined;
    },

    async listFills({ ticker, exchangeOrderId, side, sentAt }) {
      const query = { ticker, order_id: exchangeOrderId };
      const fills = new Map<string, ExchangeFill>();
      for await (const wire of own.fills(withMargin(sentAt), query)) {
        const fill = readFill(wire, side);
        if (!fill) log.error({ exchangeOrderId }, 'a fill of ours cannot be read');
        // The same fill may be listed twice under one id, as on both sides of the archive.
        if (fill?.exchangeOrderId === exchangeOrderId) fills.set(fill.fillId, fill);
      }
      return [...fills.values()].sort(byTime);
    },

    async getReadsKnownThrough() {
      return new Date((await readsKnownThrough(http, now)).ours);
    },

    async getRegionAttestation() {
      const body = await http.get('/api_keys', {}, { isKeyed: true });
      const expiresAt = moment(body.api_key_region_expiration_ts);
      return expiresAt && { expiresAt, categories: ATTESTED_CATEGORIES };
    },

    async listPositions() {
      const positions: ExchangePosition[] = [];
      const rows = pages(http, '/portfolio/positions', {}, 'market_positions');
      for await (const wire of rows) {
        const ticker = text(wire, 'ticker', 'market_ticker');
        const netContractMicros = signedCountMicros(wire, 'position');
        if (ticker === '' || netContractMicros === undefined) {
          log.error({ ticker }, 'a position of ours cannot be read');
        } else if (netContractMicros !== 0n) positions.push({ ticker, netContractMicros });
      }
      return positions;
    },

    async listOrders({ since }) {
      const orders = new Map<string, ExchangeOrder>();
      for await (const wire of own.orders(since)) {
        const clientOrderId = text(wire, 'client_order_id');
        const ticker = text(wire, 'ticker', 'market_ticker');
        const order = readOrder(wire);
        if (order?.kind !== 'found')
          log.error({ clientOrderId }, 'an order of ours cannot be read');
        else {
          const { exchangeOrderId, filledContractMicros } = order;
          orders.set(exchangeOrderId, { clientOrderId, ticker, filledContractMicros });
        }
      }
      return [...orders.values()];
    },

    async listSettlements({ since, ticker }) {
      const query = {
        min_ts: unixSeconds(since.getTime()),
        ...(ticker === undefined ? {} : { ticker }),
      };
      const settlements: ExchangeSettlement[] = [];
      for await (const wire of pages(http, '/portfolio/settlements', query, 'settlements')) {
        const settlement = readSettlement(wire);
        if (settlement) settlements.push(settlement);
        else log.error({ ticker: text(wire, 'ticker') }, 'a settlement of ours cannot be read');
      }
      return settlements;
    },
  };
}

function byTime(a: ExchangeFill, b: ExchangeFill): number {
  return a.at.getTime() - b.at.getTime();
}

function unixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
