/** How far back the value of an account is shown. */
export const VALUE_RANGES = [
  { value: '1d', label: '1D' },
  { value: '1w', label: '1W' },
  { value: '1m', label: '1M' },
  { value: 'all', label: 'All' },
] as const;

type ValueRange = (typeof VALUE_RANGES)[number]['value'];

export const FIRST_VALUE_RANGE: ValueRange = '1d';
