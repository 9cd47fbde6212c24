import type { Page } from 'playwright/test';
import { expect, type Trader, test } from './trader.ts';

/** The maximum time of the sandbox from a result to its payout. */
/** Buys ten and three of two markets of one event, and one of a market of another. */
async function holdThree(trader: Trader) {
  const [first, second] = await trader.findSiblings();
  let other = await trader.takeMarket();
  while (other.eventTicker === first.eventTicker) other = await trader.takeMarket();
  await trader.arrive();
  await trader.buyDirectly(first.ticker, '10');
  await trader.buyDirectly(second.ticker, '3');
  await trader.buyDirectly(other.ticker, '1');
  return { first, other };
}

/** A column of all position rows at one moment: 1 for contracts, 4 for value. */
function column(page: Page, index: number): Promise<string[]> {
  return page
    .locator(`tbody tr:has(th[scope=row]) td:nth-of-type(${index}) > span:last-child`)
    .allTextContents();
}

const dollarsOf = (text: string | null | undefined) => Number(text?.replaceAll(/[$,]/g, ''));

test('a holder sorts by column heads with mouse and keyboard', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await holdThree(trader);
  await page.goto('/portfolio?sort=profit');
  const table = page.getByRole('region', { name: 'Positions', exact: true });
  const head = (name: string) => table.getByRole('columnheader', { name, exact: true });
  await expect(head('P&L')).toHaveAttribute('aria-sort', 'descending');
  await expect(table.locator('th[aria-sort]')).toHaveCount(1);

  await head('Contracts').getByRole('link').scrollIntoViewIfNeeded();
  const scrolledTo = await page.evaluate(() => window.scrollY);
  await head('Contracts').getByRole('link').click();
  await expect(page).toHaveURL(/\/portfolio\?sort=contracts$/);
  await expect(head('Contracts')).toHaveAttribute('aria-sort', 'descending');
  expect(await column(page, 1)).toEqual(['10', '3', '1']);
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolledTo);

  await expect(head('Contracts').getByRole('link')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/portfolio\?sort=contracts&order=asc$/);
  await expect(head('Contracts')).toHaveAttribute('aria-sort', 'ascending');
  expect(await column(page, 1)).toEqual(['1', '3', '10']);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(head('Market')).toHaveAttribute('aria-sort', 'ascending');

  for (const name of ['Avg cost', 'Price', 'Value', 'P&L']) {
    await head(name).getByRole('link').click();
    await expect(head(name)).toHaveAttribute('aria-sort', 'descending');
    await expect(table.locator('th[aria-sort]')).toHaveCount(1);
  }
  await head('Value').getByRole('link').click();
  await expect(page).toHaveURL(/\/portfolio$/);
  const values = (await column(page, 4)).map(dollarsOf);
  expect(values).toEqual(values.toSorted((a, b) => b - a));
});

test('a holder sorts with the menu on a phone', { tag: ['@phone-only', '@long'] }, async ({
  trader,
  page,
}) => {
  await holdThree(trader);
  await page.goto('/portfolio');
  await page.locator('summary', { hasText: 'Sort' }).click();
  await page.getByRole('link', { name: 'Contracts', exact: true }).click();
  await expect(page).toHaveURL(/\/portfolio\?sort=contracts$/);
  await expect.poll(() => column(page, 1)).toEqual(['10', '3', '1']);
  await page.getByRole('link', { name: 'Largest first, reverse' }).click();
  await expect(page.getByRole('link', { name: 'Smallest first, reverse' })).toBeVisible();
  expect(await column(page, 1)).toEqual(['1', '3', '10']);
});

test('a holder groups positions by event and hides small ones', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  const { first, other } = await holdThree(trader);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/portfolio');
  await page.getByRole('link', { name: 'By event' }).click();
  await expect(page).toHaveURL(/\/portfolio\?group=event$/);
  const table = page.getByRole('region', { name: 'Positions by event' });
  const group = table.locator('tbody', { hasText: '2 positions' });
  await expect(group.locator('th[scope=rowgroup] a')).toHaveAttribute(
    'href',
    `/events/${first.eventTicker}`,
  );
  await expect(table.locator(`a[href="/events/${other.eventTicker}"]`)).toBeVisible();
  const figures = await group.evaluate((body) => {
    const text = (cell: Element) => cell.querySelector('span:last-child')?.textContent;
    const cells = (selector: string) => [...body.querySelectorAll(selector)].map(text);
    return {
      sum: cells('tr:has(th[scope=rowgroup]) td:nth-of-type(1)')[0],
      values: cells('tr:has(th[scope=row]) td:nth-of-type(4)'),
    };
  });
  expect(figures.values).toHaveLength(2);
  const together = figures.values.reduce((sum, value) => sum + dollarsOf(value), 0);
  // Each of them is rounded to cents.
  expect(Math.abs(together - dollarsOf(figures.sum))).toBeLessThanOrEqual(0.02);
  expect(asked.filter((path) => path === '/v1/prediction-market/markets')).toHaveLength(1);

  await trader.controlExchange('settle', { ticker: other.ticker, result: 'no' });
  // A lost position leaves the held ones without an order, and is closed with its cost as the loss.
  await expect(table.locator('tbody')).toHaveCount(1);
  await page.getByRole('link', { name: 'Hide under 1¢' }).click();
  await expect(page).toHaveURL(/\/portfolio\?group=event&small=hidden$/);
  await expect(page.getByRole('link', { name: 'Hide under 1¢ (0 hidden)' })).toBeVisible();
  await page.reload();
  await expect(table.locator('tbody')).toHaveCount(1);
  await page.getByRole('link', { name: 'Closed' }).click();
  const closed = page.getByRole('region', { name: 'Closed' });
  await expect(closed.getByRole('row', { name: /^Yes ·/ })).toContainText('−100.0%');
});

test('positions awaiting a result are valued at the last price in list, total and chart', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  const market = await trader.takeMarket();
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '5');
  await page.goto(`/markets/${market.ticker}`);
  const mine = page.getByRole('region', { name: 'My position' });
  await expect(mine.getByRole('link', { name: /^Sell/ })).toBeVisible();
  await trader.controlExchange('market', { ticker: market.ticker, close: true });
  await expect(page.getByText('Closed, awaiting result')).toBeVisible();
  await expect(mine).toContainText('Awaiting result');
  await expect(mine.getByRole('link', { name: /^Sell/ })).toHaveCount(0);
  await page.goto('/portfolio');
  const awaiting = page.getByRole('region', { name: 'Awaiting result' });
  await expect(awaiting.getByRole('row', { name: /Yes/ })).toContainText(/\d¢last price/);
  await expect(
    page.getByText('Positions awaiting a result are valued at their last price'),
  ).toBeVisible();
  const [value] = (await column(page, 4)).map(dollarsOf);
  expect(value).toBeGreaterThan(0);
  const totals = page.getByRole('region', { name: 'Totals' });
  const sumOf = (label: string) => totals.locator('div', { hasText: label }).locator('p').nth(1);
  expect(dollarsOf((await sumOf('Positions').textContent()) ?? '')).toBe(value);
  const total = /\$[\d,.]+/.exec((await sumOf('Total value').textContent()) ?? '')?.[0] ?? '';
  await page.getByRole('region', { name: 'Profit over time' }).getByText('Value').click();
  await expect(page.getByRole('region', { name: 'Value over time' })).toContainText(total);
});
