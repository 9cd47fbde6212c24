import { minMicros } from '#lib/money.ts';

/**
 * One market's order book in YES terms, with price-time priority: a bid buys YES, an ask sells
 * YES (which is buying NO at the complement).
 */
export type BookSide = 'bid' | 'ask';

export type RestingOrder = {
  orderId: string;
  accountId: string;
  side: BookSide;
  priceMicros: bigint;
  remainingMicros: bigint;
};

export type Level = { priceMicros: bigint; totalMicros: bigint; orders: RestingOrder[] };

/** One match: the taker traded with `maker` at the maker's price. */
export type Match = { maker: RestingOrder; priceMicros: bigint; contractMicros: bigint };

export type MatchRequest = {
  accountId: string;
  side: BookSide;
  limitMicros: bigint;
  contractMicros: bigint;
  /** The behaviour on meeting an order of the same account. */
  selfTrade: 'taker_at_cross' | 'maker';
};

export type MatchResult = {
  matches: Match[];
  remainingMicros: bigint;
  /** The taker met its own order; its remainder is cancelled. */
  stoppedBySelf: boolean;
  /** Own resting orders that were cancelled instead. */
  cancelled: RestingOrder[];
};

export class Book {
  /** Best first: bids from the highest price, asks from the lowest. */
  readonly bids: Level[] = [];
  readonly asks: Level[] = [];
  private readonly byId = new Map<string, RestingOrder>();

  levels(side: BookSide): Level[] {
    return side === 'bid' ? this.bids : this.asks;
  }

  get(orderId: string): RestingOrder | undefined {
    return this.byId.get(orderId);
  }

  orders(): Iterable<RestingOrder> {
    return this.byId.values();
  }

  /** Puts an order at the end of its price's queue. */
  add(order: RestingOrder): void {
    const levels = this.levels(order.side);
    const index = this.indexOf(order.side, order.priceMicros);
    const level = levels[index];
    if (level && level.priceMicros === order.priceMicros) {
      level.orders.push(order);
      level.totalMicros += order.remainingMicros;
    } else {
      levels.splice(index, 0, {
        priceMicros: order.priceMicros,
        totalMicros: order.remainingMicros,
        orders: [order],
      });
    }
    this.byId.set(order.orderId, order);
  }

  /** Removes an order; undefined when it no longer rests. */
  remove(orderId: string): RestingOrder | undefined {
    const order = this.byId.get(orderId);
    if (!order) return undefined;
    this.byId.delete(orderId);
    const levels = this.levels(order.side);
    const index = this.indexOf(order.side, order.priceMicros);
    const level = levels[index];
    if (level) {
      level.orders.splice(level.orders.indexOf(order), 1);
      level.totalMicros -= order.remainingMicros;
      if (level.orders.length === 0) levels.splice(index, 1);
    }
    return order;
  }

  /** Reduces an order without moving it in the queue. */
  shrink(orderId: string, byMicros: bigint): void {
    const order = this.byId.get(orderId);
    if (!order) return;
    order.remainingMicros -= byMicros;
    const level = this.levels(order.side)[this.indexOf(order.side, order.priceMicros)];
    if (level) level.totalMicros -= byMicros;
  }

  /** What {@link match} would trade at most; without an account, against the orders of all. */
  availableMicros(
    side: BookSide,
    limitMicros: bigint,
    taker?: Pick<MatchRequest, 'accountId' | 'selfTrade'>,
  ): bigint {
    let total = 0n;
    for (const level of this.levels(opposite(side))) {
      if (!crosses(side, limitMicros, level.priceMicros)) break;
      for (const order of level.orders) {
        if (order.accountId !== taker?.accountId) total += order.remainingMicros;
        else if (taker.selfTrade === 'taker_at_cross') return total;
      }
    }
    return total;
  }

  /** The contracts that trade before this order does, by price and time. */
  aheadMicros(orderId: string): bigint {
    const own = this.byId.get(orderId);
    if (!own) return 0n;
    let total = 0n;
    for (const level of this.levels(own.side)) {
      if (level.priceMicros !== own.priceMicros) {
        total += level.totalMicros;
        continue;
      }
      for (const order of level.orders) {
        if (order === own) return total;
        total += order.remainingMicros;
      }
    }
    return total;
  }

  /** Trades a resting order out of its turn. */
  take(orderId: string, contractMicros: bigint): Match | undefined {
    const maker = this.byId.get(orderId);
    const level = maker && this.levels(maker.side)[this.indexOf(maker.side, maker.priceMicros)];
    if (!maker || !level) return undefined;
    const result: Pick<MatchResult, 'matches' | 'remainingMicros'> = {
      matches: [],
      remainingMicros: contractMicros,
    };
    this.trade(level, maker, result);
    return result.matches[0];
  }

  /** Trades an incoming order against the book, best price first, oldest order first. */
  match(request: MatchRequest): MatchResult {
    const result: MatchResult = {
      matches: [],
      remainingMicros: request.contractMicros,
      stoppedBySelf: false,
      cancelled: [],
    };
    const levels = this.levels(opposite(request.side));
    while (result.remainingMicros > 0n && !result.stoppedBySelf) {
      const level = levels[0];
      const maker = level?.orders[0];
      if (!level || !maker) break;
      if (!crosses(request.side, request.limitMicros, level.priceMicros)) break;
      if (maker.accountId === request.accountId) this.meetSelf(request, maker, result);
      else this.trade(level, maker, result);
    }
    return result;
  }

  private meetSelf(request: MatchRequest, own: RestingOrder, result: MatchResult): void {
    if (request.selfTrade === 'taker_at_cross') {
      result.stoppedBySelf = true;
      return;
    }
    this.remove(own.orderId);
    result.cancelled.push(own);
  }

  private trade(
    level: Level,
    maker: RestingOrder,
    result: Pick<MatchResult, 'matches' | 'remainingMicros'>,
  ): void {
    const contractMicros = minMicros(maker.remainingMicros, result.remainingMicros);
    result.matches.push({ maker, priceMicros: level.priceMicros, contractMicros });
    result.remainingMicros -= contractMicros;
    if (contractMicros === maker.remainingMicros) {
      this.remove(maker.orderId);
      maker.remainingMicros = 0n;
      return;
    }
    maker.remainingMicros -= contractMicros;
    level.totalMicros -= contractMicros;
  }

  /** The index of a price among the best-first levels of a side. */
  private indexOf(side: BookSide, priceMicros: bigint): number {
    const levels = this.levels(side);
    let low = 0;
    let high = levels.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = levels[middle]?.priceMicros ?? 0n;
      const better = side === 'bid' ? at > priceMicros : at < priceMicros;
      if (better) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function opposite(side: BookSide): BookSide {
  return side === 'bid' ? 'ask' : 'bid';
}

function crosses(side: BookSide, limitMicros: bigint, priceMicros: bigint): boolean {
  return side === 'bid' ? priceMicros <= limitMicros : priceMicros >= limitMicros;
}
