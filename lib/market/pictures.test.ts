import { expect, it } from 'vitest';
import {
  categoryIcon,
  eventPicture,
  outcomeStyle,
  picturePath,
  stylesOfOutcomes,
} from './pictures.ts';

const CATEGORY = '/icons/category/sports-light.svg';
const styled = (ticker: string, icon: string, light: string, dark = light) => ({
  ticker,
  iconUrlLightMode: icon,
  backgroundColorLightMode: light,
  backgroundColorDarkMode: dark,
});

it('given a category, names its icon', () => {
  expect(categoryIcon('Climate and Weather', 'dark')).toBe(
    '/icons/category/climate-and-weather-dark.svg',
  );
  expect(categoryIcon('Mentions', 'light')).toBe('/icons/category/other-light.svg');
});

it('given the icon of a category, there is no picture', () => {
  expect(picturePath('events', 'A', CATEGORY)).toBeUndefined();
  expect(picturePath('events', 'A', `https://crossbook.test${CATEGORY}`)).toBeUndefined();
  expect(picturePath('events', 'A', 'https://images.example.org/a.webp')).toBe(
    '/pictures/events/A',
  );
  expect(eventPicture('A', ['https://images.example.org/a.webp', CATEGORY])).toBeUndefined();
  expect(eventPicture('A', [])).toBeUndefined();
});

it('given our own colours, which differ by theme, an outcome has none', () => {
  expect(outcomeStyle(styled('A', CATEGORY, '#DCE7F5', '#1E3A5F'))).toEqual({});
  expect(outcomeStyle(styled('A', CATEGORY, '#265CFF'))).toEqual({ color: '#265CFF' });
  expect(outcomeStyle(styled('A', CATEGORY, 'red;x'))).toEqual({});
});

it('given the same picture or colour for several outcomes, shows it for none', () => {
  const shared = 'https://images.example.org/event.webp';
  const alike = [styled('A', shared, '#265CFF'), styled('B', shared, '#265CFF')];
  expect([...stylesOfOutcomes(alike).values()]).toEqual([{}, {}]);
  const own = [
    styled('A', shared, '#265CFF'),
    styled('B', shared, '#AA0000'),
    styled('C', 'https://images.example.org/c.webp', '#AA0000'),
  ];
  expect([...stylesOfOutcomes(own).values()]).toEqual([
    { color: '#265CFF' },
    { color: '#AA0000' },
    { picture: '/pictures/markets/C', color: '#AA0000' },
  ]);
});
