import { LRUCache } from 'lru-cache';
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
  OutcomeSide,
} from '../port.ts';
import { createOwnLists, pages } from './archive.ts';
import { followChannels, type SocketOptions } from './channels.ts';
import { createFillBuffer } from './fillBuffer.ts';
import type { HttpClient } from './httpClient.ts';
import { createOrderBatcher } from './orderBatcher.ts';
import { priceOfSide } from './sides.ts';
import {
  asWire,
  countMicros,
  decimalMicros,
  moment,
  priceMicros,
  signedCountMicros,
  text,
  type Wire,
} from './wire.ts';

/** How far the exchange's clock may be from ours when it filters by time. */
export const CLOCK_MARGIN_MS = 60_000;
/** Timeout for fills on the feed after the response to an order. */
const FEED_TIMEOUT_MS = 150;
/** What the exchange takes no orders for without a valid attestation of the account's location. */
const ATTESTED_CATEGORIES = ['Sports', 'Elections', 'Entertainment'] as const;
/** Orders of other processes come on the feed too. */
const MOST_ENDED_ORDERS = 2_000;
const ENDED = ['canceled', 'cancelled', 'executed'];

/** Trading over Orders V2: every order is an immediate-or-cancel limit on the Yes book. */
export function createTrading(
  { http, socket, timing }: { http: HttpClient; socket: SocketOptions; timing: ExchangeTiming },
  log: Log,
  now = Date.now,
): Omit<ExchangeTrading, keyof ExchangeShards> {
  const received = createFillBuffer();
  const own = createOwnLists(http);
  /** By client order id: what the feed says of an ended order is final and needs no read. */
  const endedOrders = new LRUCache<string, FindOrderOutcome>({ max: MOST_ENDED_ORDERS });

  function receiveOrder(wire: Wire): void {
    const order = readOrder(wire);
    const clientOrderId = text(wire, 'client_order_id');
    if (clientOrderId !== '' && order?.kind === 'found' && order.ended) {
      endedOrders.set(clientOrderId, order);
    }
  }

  return {
    timing,
    placeOrder: createOrderBatcher(http),

    async findOrder({ ticker, clientOrderId, sentAt, since }): Promise<FindOrderOutcome> {
      const ended = endedOrders.get(clientOrderId);
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

    subscribeFills(signal) {
      followChannels(socket, {
        channels: ['fill', 'user_orders'],
        onMessage: ({ type, msg }) => {
          if (type === 'fill') received.add(asWire(msg));
          if (type === 'user_order') receiveOrder(asWire(msg));
        },
        onGap: () => received.setHearing(true),
        onClose: () => received.setHearing(false),
        signal,
      });
    },

    async bufferedFills({ exchangeOrderId, side, filledContractMicros }) {
      const wires = await received.whenComplete(
        exchangeOrderId,
        filledContractMicros,
        FEED_TIMEOUT_MS,
      );
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

/** Undefined without the paid amount. Revenue and value are whole cents. */
export function readSettlement(wire: Wire): ExchangeSettlement | undefined {
  const ticker = text(wire, 'ticker', 'market_ticker');
  const revenueCents = decimalMicros(wire.revenue);
  const settledAt = moment(wire.settled_time);
  if (ticker === '' || revenueCents === undefined || !settledAt) return undefined;
  return {
    ticker,
    netContractMicros:
      (countMicros(wire, 'yes_count') ?? 0n) - (countMicros(wire, 'no_count') ?? 0n),
    revenueMicros: revenueCents / 100n,
    payoutYesMicros: priceMicros(wire, 'value'),
    settledAt,
  };
}

/** Undefined without the filled quantity. */
function readOrder(wire: Wire): FindOrderOutcome | undefined {
  const exchangeOrderId = text(wire, 'order_id');
  const filledContractMicros = countMicros(wire, 'fill_count') ?? filledByRest(wire);
  if (exchangeOrderId === '' || filledContractMicros === undefined) return undefined;
  const ended = ENDED.includes(text(wire, 'status').toLowerCase());
  return { kind: 'found', exchangeOrderId, ended, filledContractMicros };
}

/** An executed order has filled its whole quantity. */
function filledByRest(wire: Wire): bigint | undefined {
  const isExecuted = text(wire, 'status').toLowerCase() === 'executed';
  return isExecuted ? countMicros(wire, 'initial_count') : undefined;
}

/** A fill in terms of the traded side; undefined when it cannot be recorded. */
export function readFill(wire: Wire, side: OutcomeSide): ExchangeFill | undefined {
  const fillId = text(wire, 'fill_id', 'trade_id');
  const contractMicros = countMicros(wire, 'count');
  const yesPrice = yesPriceOf(wire);
  const at = moment(wire.created_time) ?? moment(wire.ts_ms) ?? moment(wire.ts);
  const feeMicros = decimalMicros(wire.fee_cost) ?? decimalMicros(wire.fee_cost_dollars);
  if (fillId === '' || !contractMicros || yesPrice === undefined || !at) return undefined;
  // A missing fee is not a zero fee.
  if (feeMicros === undefined || feeMicros < 0n) return undefined;
  return {
    fillId,
    exchangeOrderId: text(wire, 'order_id'),
    contractMicros,
    priceMicros: priceOfSide(side, yesPrice),
    feeMicros,
    at,
  };
}

function byTime(a: ExchangeFill, b: ExchangeFill): number {
  return a.at.getTime() - b.at.getTime();
}

function yesPriceOf(wire: Wire): bigint | undefined {
  const yes = priceMicros(wire, 'yes_price');
  if (yes !== undefined) return yes;
  const no = priceMicros(wire, 'no_price');
  return no === undefined ? undefined : 1_000_000n - no;
}

/**
 * The time up to which the exchange's reads of our own orders are complete, by its clock and by
 * ours: now, less the lag of its user data.
 */
export async function readsKnownThrough(
  http: HttpClient,
  now: () => number,
): Promise<{ theirs: number; ours: number }> {
  const { body, date } = await http.getDated('/exchange/user_data_timestamp');
  const asOf = moment(body.as_of_time)?.getTime();
  if (asOf === undefined) return { theirs: 0, ours: 0 };
  const theirNow = date?.getTime() ?? now();
  return { theirs: Math.min(asOf, theirNow), ours: now() - Math.max(theirNow - asOf, 0) };
}

/** The clocks of the two sides differ. */
function withMargin(at: Date): Date {
  return new Date(at.getTime() - CLOCK_MARGIN_MS);
}

function unixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
