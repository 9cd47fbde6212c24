import type { MarketView } from '../marketView.ts';

/** An open market without prices, for tests. */
export function marketView(fields: Partial<MarketView> = {}): MarketView {
  return {
    ticker: 'RAIN',
    eventTicker: 'WEATHER',
    title: 'Will it rain?',
    label: 'Will it rain?',
    strikeGroup: null,
    status: 'open',
    shard: 0,
    isScalar: false,
    openTime: '2026-11-23T09:00:00Z',
    closeTime: '2026-11-24T09:00:00Z',
    expectedEndTime: '2026-11-24T09:00:00Z',
    proposedResult: null,
    yesBidMicros: null,
    yesAskMicros: null,
    noBidMicros: null,
    noAskMicros: null,
    lastPriceMicros: null,
    volumeContractMicros: 0n,
    previousPriceMicros: null,
    payoutYesMicros: null,
    ...fields,
  };
}
