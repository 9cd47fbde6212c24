import type { ExchangeTiming } from '../../platform/config/exchange.ts';
import type { Log } from '../../platform/log.ts';
import type { ExchangeFill, ExchangeShards, ExchangeTrading, FindOrderOutcome } from '../port.ts';
import { createAccountLists } from './accountLists.ts';
import { createOwnLists } from './archive.ts';
import type { SocketOptions } from './channels.ts';
import type { HttpClient } from './httpClient.ts';
import { createOrderBatcher } from './orderBatcher.ts';
import { createOwnFeed } from './ownFeed.ts';
import { readFill, readOrder } from './ownRecords.ts';
import { readsKnownThrough, withMargin } from './readTime.ts';
import { createRestingOrders } from './restingOrders.ts';
import { moment, text } from './wire.ts';

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

    ...createAccountLists(http, own, log),

    async getRegionAttestation() {
      const body = await http.get('/api_keys', {}, { isKeyed: true });
      const expiresAt = moment(body.api_key_region_expiration_ts);
      return expiresAt && { expiresAt, categories: ATTESTED_CATEGORIES };
    },
  };
}

function byTime(a: ExchangeFill, b: ExchangeFill): number {
  return a.at.getTime() - b.at.getTime();
}
