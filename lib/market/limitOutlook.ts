import type { OrderBook } from '#lib/api/schemas/market.ts';
import { minMicros } from '#lib/money.ts';
import { ladderOf, type Side } from './ladder.ts';

/** What a limit order meets in the book now. */
export type LimitOutlook = {
  /** Contracts that match on arrival; 0 if the order only rests. */
  fillsContractMicros: bigint;
  /** The best price of these. */
  fillsFromMicros: bigint | undefined;
  /** Contracts that rest at the limit price or a better one already: they are filled first. */
  aheadContractMicros: bigint;
};

type Asked = { side: Side; action: 'buy' | 'sell'; priceMicros: bigint; contractMicros: bigint };

export function limitOutlook(
  book: Pick<OrderBook, 'yesBids' | 'yesAsks'>,
  { side, action, priceMicros, contractMicros }: Asked,
): LimitOutlook {
  const { asks, bids } = ladderOf(book, side, 1n);
  const [against, beside] = action === 'buy' ? [asks, bids] : [bids, asks];
  const crossed = against.filter((level) =>
    action === 'buy' ? level.priceMicros <= priceMicros : level.priceMicros >= priceMicros,
  );
  const offered = crossed.at(-1)?.totalContractMicros ?? 0n;
  const ahead = beside.filter((level) =>
    action === 'buy' ? level.priceMicros >= priceMicros : level.priceMicros <= priceMicros,
  );
  return {
    fillsContractMicros: minMicros(offered, contractMicros),
    fillsFromMicros: crossed[0]?.priceMicros,
    aheadContractMicros: ahead.at(-1)?.totalContractMicros ?? 0n,
  };
}
