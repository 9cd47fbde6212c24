import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawTokenImage, wrapText } from './tokenImage.ts';

const picture = {
  title: 'Will it rain in San Francisco on December 1?',
  subtitle: 'December 1',
  side: 'yes',
  sideLabel: 'Yes',
  ticker: 'KXRAIN-26DEC01-SF',
  backgroundColor: '#265CFF',
} as const;

it('draws the question, the side and the ticker', () => {
  const svg = drawTokenImage(picture);
  for (const text of ['Will it rain in San', '>Yes<', 'KXRAIN-26DEC01-SF', '#265CFF']) {
    expect(svg).toContain(text);
  }
});

it('lets no text become markup', () => {
  const hostile = '"/><script>alert(1)</script>&\u0000';
  const svg = drawTokenImage({
    ...picture,
    title: hostile,
    subtitle: hostile,
    sideLabel: hostile,
    ticker: hostile,
    backgroundColor: hostile,
  });
  expect(svg).not.toMatch(/<script|&(?!amp;|lt;|gt;|quot;|#39;)/);
  expect(svg).not.toContain('\u0000');
  expect(svg.match(/<svg|<\/svg>/g)).toHaveLength(2);
});

it('wraps any text into lines that fit', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 2, max: 40 }), (text, width) => {
      const lines = wrapText(text, width, 4);
      expect(lines.length).toBeLessThanOrEqual(4);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    }),
  );
});
