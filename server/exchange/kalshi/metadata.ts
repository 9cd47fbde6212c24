import type { EventDisplayStyle } from '../catalogue.ts';
import { asList, asWire, text, type Wire } from './wire.ts';

const LONGEST_URL = 2_000;

/**
 * Images and colours of an event and its markets. Accepts only https URLs, or the exchange's own
 * origin, and colours that a page can show; defaults replace the rest.
 */
export function readDisplayStyle(wire: Wire, ownOrigin: string): EventDisplayStyle {
  const image = (from: Wire, ...names: string[]) => imageOf(from, ownOrigin, names);
  const markets: NonNullable<EventDisplayStyle['markets']> = {};
  for (const item of asList(wire.market_details)) {
    const detail = asWire(item);
    const ticker = text(detail, 'market_ticker', 'ticker');
    const looks = { ...image(detail, 'image_url'), ...color(detail) };
    if (ticker !== '' && Object.keys(looks).length > 0) markets[ticker] = looks;
  }
  return {
    ...image(wire, 'image_url', 'featured_image_url'),
    ...(Object.keys(markets).length > 0 ? { markets } : {}),
  };
}

function imageOf(wire: Wire, ownOrigin: string, names: string[]): { imageUrl?: string } {
  for (const name of names) {
    const given = text(wire, name);
    if (given === '' || given.length > LONGEST_URL || !URL.canParse(given)) continue;
    const { protocol, origin, href } = new URL(given);
    if (protocol === 'https:' || origin === ownOrigin) return { imageUrl: href };
  }
  return {};
}

function color(wire: Wire): { color?: string } {
  const [, long, short] =
    /^#?(?:([0-9a-f]{6})(?:[0-9a-f]{2})?|([0-9a-f]{3}))$/i.exec(text(wire, 'color_code')) ?? [];
  const digits = long ?? short?.replace(/./g, '$&$&');
  return digits === undefined ? {} : { color: `#${digits.toUpperCase()}` };
}
