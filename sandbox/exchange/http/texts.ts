import type { ExchangeEvent, ExchangeMarket } from '../market.ts';
import type { Exchange } from '../state.ts';
import { type MarketFields, marketFields, marketWire } from './marketWire.ts';
import { eventWire } from './wire.ts';

/**
 * Records as JSON. Long lists are requested repeatedly while little of them changes: a market's
 * JSON is cached until one of its fields changes.
 */
const kept = new WeakMap<ExchangeMarket, { facts: MarketFields; text: string }>();

export function marketText(market: ExchangeMarket, now: number): string {
  const facts = marketFields(market, now);
  const known = kept.get(market);
  if (known && isSame(known.facts, facts)) return known.text;
  const text = JSON.stringify(marketWire(market, facts));
  kept.set(market, { facts, text });
  return text;
}

function isSame(before: MarketFields, facts: MarketFields): boolean {
  for (const name in before) {
    if (before[name as keyof MarketFields] !== facts[name as keyof MarketFields]) return false;
  }
  return true;
}

/** @param markets the JSON of the included markets; undefined when none are requested */
export function eventText(exchange: Exchange, event: ExchangeEvent, markets?: string[]): string {
  const text = JSON.stringify(eventWire(exchange, event));
  return markets ? `${text.slice(0, -1)},"markets":${listText(markets)}}` : text;
}

export function listText(texts: string[]): string {
  return `[${texts.join(',')}]`;
}
