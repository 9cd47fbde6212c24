import { expect, it } from 'vitest';
import { readDisplayStyle } from './metadata.ts';
import { METADATA } from './testing/payloads.ts';

const OWN = 'http://127.0.0.1:7000';

it('reads images and colours', () => {
  expect(readDisplayStyle(METADATA, OWN)).toEqual({
    imageUrl: 'https://images.example.org/rain.webp',
    markets: {
      'KXRAIN-26NOV30-SEA': { imageUrl: 'https://images.example.org/sea.webp', color: '#265CFF' },
    },
  });
});

it.each([
  [{}],
  [{ image_url: null, market_details: null }],
  [{ image_url: 'javascript:alert(1)', market_details: [null, 3, {}] }],
  [{ image_url: 'http://plain.example.org/a.png', market_details: {} }],
  [{ market_details: [{ market_ticker: 'M', color_code: 'red; background: url(x)' }] }],
])('leaves %o to the defaults', (wire) => {
  expect(readDisplayStyle(wire, OWN)).toEqual({});
});

it('accepts plain http from the exchange itself', () => {
  expect(readDisplayStyle({ image_url: `${OWN}/a.svg` }, OWN)).toEqual({
    imageUrl: `${OWN}/a.svg`,
  });
});

it.each([
  ['#abc', '#AABBCC'],
  ['265cff', '#265CFF'],
  ['#265CFF80', '#265CFF'],
])('reads the colour %s', (given, expected) => {
  const details = [{ market_ticker: 'M', color_code: given }];
  const looks = readDisplayStyle({ market_details: details }, OWN);
  expect(looks.markets?.M?.color).toBe(expected);
});
