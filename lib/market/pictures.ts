import type { Market } from '#lib/api/schemas/market.ts';

/** Pictures and colours of listings, as pages show them. */

export type PictureKind = 'events' | 'markets';

/** What the exchange gives to an outcome. */
export type OutcomeStyle = {
  /** Path of its picture. */
  picture?: string;
  /** A hex colour. */
  color?: string;
};

const CATEGORY_ICONS = '/icons/category/';

const CATEGORIES = new Set([
  'politics',
  'economics',
  'crypto',
  'financials',
  'sports',
  'climate-and-weather',
  'entertainment',
  'science-and-technology',
  'health',
  'world',
  'companies',
  'transportation',
]);

/** Path of a category's icon, in dark lines for light pages or the reverse. */
export function categoryIcon(category: string, mode: 'light' | 'dark'): string {
  const slug = category
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${CATEGORY_ICONS}${CATEGORIES.has(slug) ? slug : 'other'}-${mode}.svg`;
}

/**
 * Path of the exchange's picture of an event or market, given the address of its icon; undefined if
 * that is the category's. Browsers load no pictures from other origins.
 */
export function picturePath(kind: PictureKind, ticker: string, icon: string): string | undefined {
  if (icon === '' || icon.includes(CATEGORY_ICONS)) return undefined;
  return `/pictures/${kind}/${encodeURIComponent(ticker)}`;
}

/** The part of a market, stored or published, that its style depends on. */
type Styled = Pick<
  Market,
  'ticker' | 'iconUrlLightMode' | 'backgroundColorLightMode' | 'backgroundColorDarkMode'
>;

export function outcomeStyle(market: Styled): OutcomeStyle {
  const picture = picturePath('markets', market.ticker, market.iconUrlLightMode);
  const color = market.backgroundColorLightMode;
  // The exchange gives one colour for both modes; our own differ.
  const isGiven = color === market.backgroundColorDarkMode && /^#[0-9a-f]{6}$/i.test(color);
  return { ...(picture !== undefined && { picture }), ...(isGiven && { color }) };
}

/**
 * The styles of an event’s outcomes, by ticker. Without pictures and colours that several of them
 * share, which tell nothing about an outcome.
 */
export function stylesOfOutcomes(list: readonly Styled[]): ReadonlyMap<string, OutcomeStyle> {
  const icons = Map.groupBy(list, ({ iconUrlLightMode }) => iconUrlLightMode);
  const colors = new Set(list.map(({ backgroundColorLightMode }) => backgroundColorLightMode));
  return new Map(
    list.map((market) => {
      const { picture, color } = outcomeStyle(market);
      const isOwn = icons.get(market.iconUrlLightMode)?.length === 1;
      return [
        market.ticker,
        {
          ...(picture !== undefined && isOwn && { picture }),
          ...(color !== undefined && colors.size > 1 && { color }),
        },
      ];
    }),
  );
}

/**
 * Path of an event's picture, given the icons of its markets: the exchange's picture of an event
 * serves all of them; without one, some have their category's icon.
 */
export function eventPicture(eventTicker: string, icons: readonly string[]): string | undefined {
  const paths = icons.map((icon) => picturePath('events', eventTicker, icon));
  return paths.every((path) => path !== undefined) ? paths[0] : undefined;
}
