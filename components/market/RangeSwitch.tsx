import { Segmented } from '#components/ui/Segmented.tsx';
import type { PriceHistoryRange } from '#lib/api/schemas/market.ts';

const LABELS: Record<PriceHistoryRange, string> = {
  '1h': '1H',
  '6h': '6H',
  '1d': '1D',
  '1w': '1W',
  '1m': '1M',
  all: 'All',
};

type RangeSwitchProps = {
  ranges: PriceHistoryRange[];
  value: PriceHistoryRange;
  onChange: (range: PriceHistoryRange) => void;
};

export function RangeSwitch({ ranges, value, onChange }: RangeSwitchProps) {
  return (
    <Segmented
      legend="Time range"
      size="s"
      value={value}
      onChange={onChange}
      options={ranges.map((range) => ({ value: range, label: LABELS[range] }))}
    />
  );
}
