import { impliedChance, type MarketPrices } from '#lib/market/marketView.ts';
import { MICROS } from '#lib/money.ts';

/** The position of a price on a scale from 0 to 100. For drawing only. */
function percent(micros: bigint): number {
  return Number((micros * 10_000n) / MICROS) / 100;
}

type ChanceBarProps = { market: MarketPrices & { payoutYesMicros?: bigint | null } };

/** The bar spans the gap between best bid and best offer: its width shows the uncertainty. */
export function ChanceBar({ market }: ChanceBarProps) {
  const chance = impliedChance(market);
  const bid = market.yesBidMicros;
  const ask = market.yesAskMicros;
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      className="block h-2.5 w-full overflow-visible"
    >
      <path d="M0 5H100M0 3V7M25 3V7M50 3V7M75 3V7M100 3V7" className="rule-line" />
      {chance !== null && (
        <line x1="0" x2={percent(chance)} y1="5" y2="5" className="rule-filled" />
      )}
      {bid !== null && ask !== null && (
        <line x1={percent(bid)} x2={percent(ask)} y1="5" y2="5" className="rule-spread" />
      )}
      {chance !== null && (
        <line x1={percent(chance)} x2={percent(chance)} y1="0" y2="10" className="rule-mark" />
      )}
    </svg>
  );
}
