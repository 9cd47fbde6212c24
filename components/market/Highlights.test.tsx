import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { marketView } from '#lib/market/testing/marketView.ts';
import { type FrontLine, type FrontStrip, Highlights } from './Highlights.tsx';

const END = '2026-11-24T12:00:00Z';

function line(title: string, label: string, moreInSeries = 0): FrontLine {
  const market = marketView({
    ticker: `${title} ${label}`,
    title,
    label,
    expectedEndTime: END,
    lastPriceMicros: 620_000n,
    previousPriceMicros: 500_000n,
  });
  return { market, category: 'Economics', moreInSeries };
}

/** The text of each line, up to its figure. */
function namesOf(...lines: FrontLine[]): string[] {
  const strip = { title: 'Busy', href: '/', figure: 'age', lines } as const;
  const html = renderToStaticMarkup(
    <Highlights strips={[strip]} renderedAtMs={Date.parse(END)} sparks={new Map()} />,
  );
  return [
    ...html.matchAll(
      /href="\/markets\/.*?<span class="wrap-anywhere[^>]*>(.*?)<span class="flex flex-col/g,
    ),
  ].map(([, name = '']) =>
    name
      .replace(/<[^>]*>/g, '|')
      .replace(/\|+/g, '|')
      .replace(/^\||\|$/g, ''),
  );
}

test('given an outcome that the question does not name, the line begins with it', () => {
  expect(namesOf(line('What will rates do?', 'Cut of 25 bps', 4))).toEqual([
    'Cut of 25 bps|What will rates do? · |4 similar| events',
  ]);
});

test('given a question that names its outcome, the line says it once', () => {
  expect(namesOf(line('Miami Tides to win?', 'Miami Tides'), line('Will it rain?', 'Yes'))).toEqual(
    ['Miami Tides to win?', 'Will it rain?'],
  );
});

test('given two lines with one name, their dates tell them apart', () => {
  const later = line('Will it rain?', 'Yes');
  const market = { ...later.market, ticker: 'RAIN-2', expectedEndTime: '2026-11-25T12:00:00Z' };
  expect(namesOf(line('Will it rain?', 'Yes'), { ...later, market })).toEqual([
    'Will it rain?|2026-11-24',
    'Will it rain?|2026-11-25',
  ]);
});

test('given a strip without lines, it says so and keeps its place', () => {
  const strip: FrontStrip = { title: 'New', href: '/', figure: 'age', lines: [] };
  const html = renderToStaticMarkup(
    <Highlights strips={[strip]} renderedAtMs={0} sparks={new Map()} />,
  );
  expect(html).toContain('None right now.');
});
