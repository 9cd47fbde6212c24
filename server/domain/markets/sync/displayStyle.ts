import { createHash } from 'node:crypto';
import { categoryIcon } from '#lib/market/pictures.ts';
import type { EventMetadata } from '#server/platform/database/schema/markets.ts';

/** The look of a listing without metadata of the exchange. */
export type DisplayStyle = {
  iconUrlLightMode: string;
  iconUrlDarkMode: string;
  backgroundColorLightMode: string;
  backgroundColorDarkMode: string;
};

/** Pairs of one hue: a light one behind dark shapes, a dark one behind light shapes. */
const COLORS: readonly [light: string, dark: string][] = [
  ['#DCE7F5', '#1E3A5F'],
  ['#E3EEDF', '#27472C'],
  ['#F4E3D7', '#5A3520'],
  ['#EADFF2', '#432A5C'],
  ['#F3DEE4', '#5B2438'],
  ['#DDEEEE', '#174547'],
  ['#F2EBD3', '#4F4214'],
  ['#E4E4EC', '#33354A'],
];

/** The icon of the category, and a colour that is constant for a series. */
export function displayStyleOf(category: string, seriesTicker: string): DisplayStyle {
  const [first = 0] = createHash('sha256').update(seriesTicker).digest();
  const [light, dark] = COLORS[first % COLORS.length] ?? ['#E4E4EC', '#33354A'];
  return {
    iconUrlLightMode: categoryIcon(category, 'light'),
    iconUrlDarkMode: categoryIcon(category, 'dark'),
    backgroundColorLightMode: light,
    backgroundColorDarkMode: dark,
  };
}

/**
 * Prefers the exchange's image and colour over the defaults: the market's, else the event's. One
 * image serves light and dark.
 */
export function withMetadata(
  style: DisplayStyle,
  metadata: EventMetadata | null,
  marketTicker?: string,
): DisplayStyle {
  const own = marketTicker === undefined ? undefined : metadata?.markets?.[marketTicker];
  const imageUrl = own?.imageUrl ?? metadata?.imageUrl;
  const color = own?.color;
  return {
    iconUrlLightMode: imageUrl ?? style.iconUrlLightMode,
    iconUrlDarkMode: imageUrl ?? style.iconUrlDarkMode,
    backgroundColorLightMode: color ?? style.backgroundColorLightMode,
    backgroundColorDarkMode: color ?? style.backgroundColorDarkMode,
  };
}
