import type { CatalogueChange, CataloguePrices, ExchangeCatalogue } from '../catalogue.ts';
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
      const prices = readPrices(msg);
      return [prices ? { kind: 'prices', ...prices } : { kind: 'market', ticker }];
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

/** The prices in a `ticker` message; undefined when one is missing, which is no empty side. */
export function readPrices(msg: Wire): CataloguePrices | undefined {
  const bid = priceMicros(msg, 'yes_bid');
  const ask = priceMicros(msg, 'yes_ask');
  if (bid === undefined || ask === undefined) return undefined;
  return {
    ticker: text(msg, 'market_ticker', 'ticker'),
    yesBidMicros: levelOrNull(bid),
    yesAskMicros: levelOrNull(ask),
    lastPriceMicros: priceMicros(msg, 'price') || null,
    volumeContractMicros: countMicros(msg, 'volume'),
    openInterestContractMicros: countMicros(msg, 'open_interest'),
  };
}
