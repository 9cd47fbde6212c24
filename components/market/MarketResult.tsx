import { MICROS } from '#lib/money.ts';

/** How a settled market ended. */
export function MarketResult({ payoutYesMicros }: { payoutYesMicros: bigint | null }) {
  if (payoutYesMicros === MICROS) return <span className="font-medium text-yes">Yes won</span>;
  if (payoutYesMicros === 0n) return <span className="font-medium text-no">No won</span>;
  return <span className="font-medium text-ink-2">Split</span>;
}
