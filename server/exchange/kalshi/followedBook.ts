import type { BookLevel, OrderBook, OutcomeSide } from '../port.ts';
import type { LevelDelta } from './orderBook.ts';

type Sizes = Map<bigint, bigint>;

/**
 * One market's book, kept by the exchange's messages. It is stale until a snapshot, and again after
 * anything that it cannot follow.
 */
export class FollowedBook {
  readonly ticker: string;
  isCurrent = false;
  private readonly sizes: Record<OutcomeSide, Sizes> = { yes: new Map(), no: new Map() };
  private sorted: OrderBook | undefined;

  constructor(ticker: string) {
    this.ticker = ticker;
  }

  /** The whole book, best first; the same object until it changes. */
  read(): OrderBook {
    this.sorted ??= {
      ticker: this.ticker,
      yesBids: bestFirst(this.sizes.yes),
      noBids: bestFirst(this.sizes.no),
    };
    return this.sorted;
  }

  /** Takes a snapshot. Returns whether the book was stale or different before. */
  replace(book: OrderBook): boolean {
    const differs = !this.isCurrent || differences(this.read(), book).length > 0;
    this.isCurrent = true;
    if (!differs) return false;
    this.sizes.yes = sizesOf(book.yesBids);
    this.sizes.no = sizesOf(book.noBids);
    this.sorted = undefined;
    return true;
  }

  /**
   * Applies a signed change of one level. Returns the level's new size; undefined when the change
   * does not fit this book, which is stale then: a size below zero proves an earlier loss.
   */
  apply({ side, priceMicros, contractMicros }: LevelDelta): BookLevel | undefined {
    const sizes = this.sizes[side];
    const size = (sizes.get(priceMicros) ?? 0n) + contractMicros;
    if (size < 0n) {
      this.isCurrent = false;
      return undefined;
    }
    if (size === 0n) sizes.delete(priceMicros);
    else sizes.set(priceMicros, size);
    this.sorted = undefined;
    return { priceMicros, contractMicros: size };
  }
}

function sizesOf(levels: readonly BookLevel[]): Sizes {
  return new Map(levels.map((level) => [level.priceMicros, level.contractMicros]));
}

function bestFirst(sizes: Sizes): BookLevel[] {
  return [...sizes]
    .map(([priceMicros, contractMicros]) => ({ priceMicros, contractMicros }))
    .sort((a, b) => (a.priceMicros > b.priceMicros ? -1 : 1));
}

/** The levels in which two books differ, with both sizes, as texts that can be compared. */
export function differences(one: OrderBook, other: OrderBook): string[] {
  const between = (side: OutcomeSide, a: readonly BookLevel[], b: readonly BookLevel[]) => {
    const [ours, theirs] = [sizesOf(a), sizesOf(b)];
    return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((price) => {
      const [left, right] = [ours.get(price) ?? 0n, theirs.get(price) ?? 0n];
      return left === right ? [] : [`${side} ${price}: ${left}, ${right}`];
    });
  };
  return [
    ...between('yes', one.yesBids, other.yesBids),
    ...between('no', one.noBids, other.noBids),
  ];
}
