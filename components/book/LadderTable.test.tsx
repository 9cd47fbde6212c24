import { act } from 'react';
import { expect, test } from 'vitest';
import { testRoot } from '#components/testing/testRoot.ts';
import { followPickedPrice, type PickedPrice } from '#lib/browser/trade/pickedPrice.ts';
import { ladderOf, type OwnRest } from '#lib/market/ladder.ts';
import { LadderTable } from './LadderTable.tsx';

const { container, render } = testRoot();

const book = {
  yesBids: [
    { priceDollars: '0.4200', contracts: 120 },
    { priceDollars: '0.4100', contracts: 30 },
  ],
  yesAsks: [
    { priceDollars: '0.4400', contracts: 7 },
    { priceDollars: '0.4500', contracts: 50 },
  ],
};

const own: OwnRest = {
  id: 'o',
  side: 'yes',
  action: 'buy',
  priceMicros: 420_000n,
  remainingContractMicros: 12_000_000n,
  aheadContractMicros: 108_000_000n,
};

async function show(part: { rests?: OwnRest[]; staleSince?: string } = {}) {
  await render(
    <LadderTable
      ticker="RAIN"
      side="yes"
      ladder={ladderOf(book, 'yes', 10_000n)}
      groupMicros={10_000n}
      rests={part.rests ?? []}
      lastMicros={430_000n}
      staleSince={part.staleSince}
    />,
  );
}

const rowOf = (price: string) =>
  [...container.querySelectorAll('tr')].find(({ textContent }) => textContent?.includes(price));
const button = (price: string) => {
  const found = rowOf(price)?.querySelector('button');
  if (!found) throw new Error(`no level at ${price}`);
  return found;
};

test('given a book, shows levels with their totals, the spread and the last price', async () => {
  await show();
  expect(rowOf('41¢')?.textContent).toMatch(/Bid 41¢.*30150/);
  expect(rowOf('45¢')?.textContent).toMatch(/Ask 45¢.*5057/);
  expect(container.textContent).toContain('Spread 2¢');
  expect(container.textContent).toContain('Last 43¢');
});

test('given an own order, marks its level with its size and what is ahead', async () => {
  await show({ rests: [own] });
  expect(rowOf('42¢')?.textContent).toContain('your orders: 12 · 108 ahead');
  expect(container.querySelectorAll('[data-own]')).toHaveLength(1);
});

test('given a book that may be wrong, says since when', async () => {
  await show({ staleSince: '2026-11-21T05:00:01.000Z' });
  expect(container.querySelector('[role=status]')?.textContent).toContain('Out of date since');
});

test('given a press on a level, passes its price to the ticket of the market', async () => {
  const picked: PickedPrice[] = [];
  const stop = followPickedPrice('RAIN', (price) => picked.push(price));
  await show();
  await act(async () => button('44¢').click());
  stop();
  await act(async () => button('45¢').click());
  expect(picked).toEqual([{ ticker: 'RAIN', side: 'yes', priceMicros: 440_000n }]);
});

test('given arrow keys, moves between prices across the middle; one is a tab stop', async () => {
  await show();
  const stops = [...container.querySelectorAll('button')].filter(({ tabIndex }) => tabIndex === 0);
  expect(stops).toEqual([button('42¢')]);
  const press = (key: string) =>
    act(async () =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })),
    );
  button('42¢').focus();
  await press('ArrowUp');
  expect(document.activeElement).toBe(button('44¢'));
  await press('ArrowUp');
  expect(document.activeElement).toBe(button('45¢'));
  await press('ArrowDown');
  await press('ArrowDown');
  await press('ArrowDown');
  expect(document.activeElement).toBe(button('41¢'));
});
