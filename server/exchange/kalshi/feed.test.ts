import { describe, expect, it } from 'vitest';
import { changesOf } from './feed.ts';

describe('changesOf', () => {
  it('reads prices, with empty sides at zero and at a dollar', () => {
    const msg = {
      market_ticker: 'T',
      price_dollars: '0.0000',
      yes_bid_dollars: '0.0000',
      yes_ask_dollars: '0.5500',
      volume_fp: '10.00',
    };
    expect(changesOf({ type: 'ticker', msg })).toEqual([
      {
        kind: 'prices',
        ticker: 'T',
        yesBidMicros: null,
        yesAskMicros: 550_000n,
        lastPriceMicros: null,
        volumeContractMicros: 10_000_000n,
        openInterestContractMicros: undefined,
      },
    ]);
  });

  it('requests a new read of what changed, and ignores unknown messages', () => {
    const lifecycle = { market_ticker: 'T', event_type: 'invented_yesterday' };
    expect(changesOf({ type: 'market_lifecycle_v2', msg: lifecycle })).toEqual([
      { kind: 'market', ticker: 'T' },
    ]);
    expect(changesOf({ type: 'event_fee_update', msg: { event_ticker: 'E' } })).toEqual([
      { kind: 'event', eventTicker: 'E' },
    ]);
    expect(changesOf({ type: 'something_else', msg: { market_ticker: 'T' } })).toEqual([]);
    expect(changesOf({ type: 'ticker' })).toEqual([]);
  });
});
