import type { CatalogueChange, ExchangeCatalogue } from '../catalogue.ts';
import { followChannels, type SocketOptions } from './channels.ts';
import { levelOrNull } from './market.ts';
import { asWire, countMicros, priceMicros, text, type Wire } from './wire.ts';

/** Subscribes to the exchange's public feed of markets, prices and events. */
export function createFeed(options: SocketOptions): ExchangeCatalogue['watch'] {
  return ({ onChange, onGap, signal }) => {
    followChannels(options, {
      channels: ['ticker', 'market_lifecycle_v2'],
      onMessage(message) {
        for (const change of changesOf(message)) onChange(change);
      },
      onGap,
      signal,
    });
  };
}

/** The catalogue changes in a message; none for an unknown message. */
export function changesOf(message: Wire): CatalogueChange[] {
  const msg = asWire(message.msg);
  const ticker = text(msg, 'market_ticker', 'ticker');
  switch (message.type) {
    case 'ticker': {
      if (ticker === '') return [];
      const bid = priceMicros(msg, 'yes_bid');
      const ask = priceMicros(msg, 'yes_ask');
      // A missing field does not mean an empty side.
      if (bid === undefined || ask === undefined) return [{ kind: 'market', ticker }];
      const last = priceMicros(msg, 'price');
      return [
        {
          kind: 'prices',
          ticker,
          yesBidMicros: levelOrNull(bid),
          yesAskMicros: levelOrNull(ask),
          lastPriceMicros: last ? last : null,
          volumeContractMicros: countMicros(msg, 'volume'),
          openInterestContractMicros: countMicros(msg, 'open_interest'),
        },
      ];
    }
    case 'market_lifecycle_v2':
    case 'market_lifecycle':
      return ticker === '' ? [] : [{ kind: 'market', ticker }];
    case 'event_lifecycle':
    case 'event_fee_update': {
      const eventTicker = text(msg, 'event_ticker');
      return eventTicker === '' ? [] : [{ kind: 'event', eventTicker }];
    }
    default:
      return [];
  }
}
