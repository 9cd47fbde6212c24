import fc from 'fast-check';
import { positionView } from '../positionView.ts';
import { portfolioEntry } from './portfolioEntry.ts';

const cents = fc.integer({ min: 0, max: 100 }).map((count) => (count / 100).toFixed(4));
const name = fc.constantFrom('Rain', 'rain', 'Snow above 9 cm', 'Snow above 10 cm', 'Äpfel');

const entry = fc.record({
  market: fc.record({
    marketId: fc.constantFrom('A-1', 'A-2', 'B-1', 'B-2', 'C-1', 'UNKNOWN'),
    side: fc.constantFrom('yes' as const, 'no' as const),
    name,
    subtitle: fc.constantFrom('', 'Yes', 'No change'),
    bidPriceDollars: cents,
  }),
  item: fc.record({
    amount: fc.integer({ min: 1, max: 500 }).map((hundredths) => (hundredths / 100).toFixed(2)),
    averageFillCost: fc.option(cents),
  }),
});

/** Arbitrary holdings, each of a distinct token, in any order. */
export const anyPositions = fc
  .array(entry, { maxLength: 12 })
  .map((entries) =>
    entries.map((one, index) => positionView(portfolioEntry({ ...one, tokenId: `${index}` }))),
  );
