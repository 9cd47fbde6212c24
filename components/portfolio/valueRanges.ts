/** The ranges of the account's value chart. */
export const VALUE_RANGES = [
  { value: '1d', label: '1D', words: 'past day' },
  { value: '1w', label: '1W', words: 'past week' },
  { value: '1m', label: '1M', words: 'past month' },
  { value: 'all', label: 'All', words: 'all time' },
] as const;

type ValueRange = (typeof VALUE_RANGES)[number]['value'];

export const FIRST_VALUE_RANGE: ValueRange = '1d';
