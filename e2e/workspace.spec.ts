import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import type { ServiceStatus } from '#lib/api/schemas/status.ts';
import { labelOf } from '#lib/market/convertMarket.ts';
import { readOrder } from './database.ts';
import { goTo } from './focus.ts';
import { expect, test } from './trader.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function shownTickers(page: Page): Promise<string[]> {
  const stored = await page.evaluate(() => localStorage.getItem('crossbook.workspace'));
  return (JSON.parse(stored ?? '{}') as { tiles: string[] }).tiles;
}

test('two markets are opened and one is traded by keyboard in the workspace', {
  tag: '@long',
}, async ({ trader, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const siblings = await trader.findSiblings();
  const [{ eventTicker }] = siblings;
  await page.addInitScript(
    (watchlist) => localStorage.setItem('crossbook.watchlist', watchlist),
    JSON.stringify([eventTicker]),
  );
  await trader.arrive();
  await page.goto('/workspace');
  const rows = page.getByRole('region', { name: 'Watchlist' }).getByRole('listitem');
  const first = page.getByRole('region', { name: 'Market 1' });
  const second = page.getByRole('region', { name: 'Market 2' });
  await expect(rows.nth(1)).toBeVisible();
  // Other outcomes may have no sellers.
  const labels = siblings.map(labelOf);
  const texts = await rows.allTextContents();
  const tradedAt = texts.findLastIndex((text) => labels.some((label) => text.startsWith(label)));
  expect(tradedAt).toBeGreaterThan(0);

  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(first.getByRole('heading', { name: 'Order book' })).toBeVisible();
  await page.keyboard.press('2');
  await expect(second).toBeFocused();
  for (let row = 0; row <= tradedAt; row += 1) await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  // Side by side, a market of this width shows its chart or its book.
  await expect(second.getByRole('heading', { name: 'Order book' })).toBeHidden();
  await second.getByRole('radio', { name: 'Book' }).check({ force: true });
  await expect(second.getByRole('heading', { name: 'Order book' })).toBeVisible();

  await page.keyboard.press('b');
  await page.keyboard.type('3');
  await trader.expectStep('place');
  await expect(trader.button).toBeEnabled();
  await expect(trader.button).toContainText('$3.00');
  await trader.button.press('Enter');
  await trader.waitForPlaced();
  const docked = page.getByRole('region', { name: 'Positions and orders' });
  await expect(docked.getByRole('region', { name: 'Positions' }).getByRole('row')).toHaveCount(2);
  await second.getByRole('radio', { name: 'Chart' }).check({ force: true });
  await expect(second.getByText(/You hold/)).toBeVisible();
  await docked.getByText('Orders', { exact: true }).click();
  await expect(docked.getByRole('table', { name: /Your orders/ })).toContainText('Completed');
  const [, ticker = ''] = await shownTickers(page);
  expect(await trader.heldMicros(ticker, 'yes')).toBeGreaterThan(0n);

  await page.keyboard.press('Escape');
  const before = await shownTickers(page);
  await page.reload();
  await expect(first.getByRole('heading', { name: 'Chance over time' })).toBeVisible();
  await expect(second.getByRole('heading', { name: 'Chance over time' })).toBeVisible();
  expect(await shownTickers(page)).toEqual(before);
  await expect(page.locator('.skeleton')).toHaveCount(0);
  const axe = new AxeBuilder({ page }).withTags(TAGS);
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('a new order goes from the watchlist to its fill by keyboard alone, without a pause', {
  tag: '@long',
}, async ({ trader, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const [{ eventTicker }] = await trader.findSiblings();
  await page.addInitScript(
    (watchlist) => localStorage.setItem('crossbook.watchlist', watchlist),
    JSON.stringify([eventTicker]),
  );
  await trader.confirmPresses();
  await trader.arrive();
  const cashBefore = await trader.cashMicros();
  const histories: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/price-history')) histories.push(request.url());
  });
  await page.goto('/workspace');
  const row = page.getByRole('region', { name: 'Watchlist' }).getByRole('listitem').first();
  await expect(row).toBeVisible();
  // The change of the day comes with the market.
  await expect(row).toContainText(/in 24 hours/);
  expect(histories).toEqual([]);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.keyboard.press('n');
  await page.keyboard.type('25');
  const amount = page.getByRole('textbox', { name: 'Amount' });
  await expect(amount).toHaveValue('25');
  await expect(page.getByRole('radio', { name: /^No \d/ })).toBeChecked();
  // Before its price is there.
  await page.keyboard.press('Enter');
  await trader.expectStep('place');
  await expect(amount).toBeFocused();
  await page.keyboard.press('Enter');
  await trader.waitForPlaced();
  await expect(trader.placed).toHaveAttribute('data-status', 'completed');
  await expect(amount).toBeFocused();
  await expect(amount).toHaveValue('');
  const id = (await trader.placed.getAttribute('data-order')) ?? '';
  const order = await readOrder(id);
  expect(order).toMatchObject({ status: 'completed', quoteLimitUsdcMicros: 25_000_000n });
  expect(await trader.cashMicros()).toBe(cashBefore - order.quoteUsdcMicros);
  const [ticker = ''] = await shownTickers(page);
  const held = await trader.heldMicros(ticker, 'no');
  expect(held).toBe(order.filledContractMicros);
});

test('panels, markets, a resting order and its end, all by keyboard, and a reload keeps the layout', {
  tag: '@long',
}, async ({ trader, page }) => {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  const first = await trader.findMarket(23);
  await trader.arrive();
  const cashBefore = await trader.cashMicros();
  await page.addInitScript(() => {
    const pointed = () => document.documentElement.setAttribute('data-pointed', '');
    addEventListener('pointerdown', pointed, true);
  });
  await page.goto(`/workspace?market=${first.ticker}`);
  const tile = (number: number) => page.getByRole('region', { name: `Market ${number}` });
  await expect(tile(1).getByRole('heading', { name: 'Order book' })).toBeVisible();

  // “Add market” makes room beside the market that is there.
  await goTo(page, page.getByRole('button', { name: 'Add market' }));
  await page.keyboard.press('Enter');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('federal reserve rates');
  await expect(palette.getByRole('option').first()).toContainText('Federal Reserve');
  // Enter before the last results would not choose one of them.
  await expect(palette.getByRole('status').first()).toContainText('found');
  await page.keyboard.press('Enter');
  await expect(tile(2).getByRole('heading', { name: 'Chance over time' })).toBeVisible();
  const [, opened = ''] = await shownTickers(page);
  expect((await trader.api.getMarket(opened)).market.eventTicker).toMatch(/^KXFED/);

  // A resting order of the new market.
  await page.keyboard.press('2');
  await expect(tile(2)).toBeFocused();
  await page.keyboard.press('y');
  const amount = page.getByRole('textbox', { name: 'Amount' });
  await expect(amount).toBeFocused();
  await goTo(page, page.getByRole('radio', { name: 'Market', exact: true }), 'Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await goTo(page, page.getByRole('textbox', { name: 'Limit price' }));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('1');
  await goTo(page, amount);
  await page.keyboard.type('5');
  await trader.expectStep('place');
  await page.keyboard.press('Enter');
  await expect(trader.placed).toContainText('Resting at', { timeout: 30_000 });
  const id = (await trader.placed.getAttribute('data-order')) ?? '';
  const limit = (await readOrder(id)).quoteLimitUsdcMicros;
  expect(limit).toBeGreaterThan(0n);
  expect(limit).toBeLessThanOrEqual(5_000_000n);
  expect(await trader.cashMicros()).toBe(cashBefore - limit);

  // From the ticket to the market, to the open orders, and back.
  await page.keyboard.press('Escape');
  await expect(tile(2)).toBeFocused();
  await page.keyboard.press('o');
  const docked = page.getByRole('region', { name: 'Positions and orders' });
  await expect(docked).toBeFocused();
  await goTo(page, docked.getByRole('button', { name: /^Cancel: Buy/ }));
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await readOrder(id)).status, { timeout: 30_000 }).toBe('failed');
  await expect.poll(() => trader.cashMicros()).toBe(cashBefore);
  await expect(docked.getByText('No open orders')).toBeVisible();
  await page.keyboard.press('1');
  await expect(tile(1)).toBeFocused();

  await goTo(page, page.getByRole('button', { name: 'Watchlist', exact: true }), 'Shift+Tab');
  await page.keyboard.press('Space');
  const watchlist = page.getByRole('region', { name: 'Watchlist' });
  await expect(watchlist).toHaveCount(0);
  const before = await shownTickers(page);
  await page.reload();
  await expect(tile(1).getByRole('heading', { name: 'Chance over time' })).toBeVisible();
  await expect(tile(2).getByRole('heading', { name: 'Chance over time' })).toBeVisible();
  await expect(watchlist).toHaveCount(0);
  expect(await shownTickers(page)).toEqual(before);
  await expect(page.locator('html')).not.toHaveAttribute('data-pointed');
});

test('four markets stay within the window, and a paused part of the exchange shows in its tile', {
  tag: '@long',
}, async ({ trader, page }) => {
  const [first, second] = await trader.findSiblings();
  const others = await Promise.all([trader.findMarket(21), trader.findMarket(22)]);
  const markets = [first, second, ...others];
  const shards = [...new Set(markets.map(({ shard }) => shard))];
  const layout = { tiles: markets.map(({ ticker }) => ticker), focused: 0, hidden: [] };
  await page.addInitScript(
    (stored) => localStorage.setItem('crossbook.workspace', stored),
    JSON.stringify(layout),
  );
  await trader.arrive();
  // The exchange pauses a part for all its users: only this page sees it.
  let isPaused = false;
  await page.route('**/v1/status', async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as ServiceStatus;
    const shown = shards.map((shard) => ({
      shard,
      name: 'Sports',
      tradingActive: !isPaused || shard !== first.shard,
    }));
    await route.fulfill({
      response,
      json: { ...status, exchange: { ...status.exchange, shards: shown } },
    });
  });
  for (const width of [1440, 1920, 2560]) {
    await page.setViewportSize({ width, height: 1000 });
    await page.goto('/workspace');
    for (const tile of [1, 2, 3, 4]) {
      const shown = page.getByRole('region', { name: `Market ${tile}` });
      await expect(shown.getByRole('heading', { name: 'Chance over time' })).toBeVisible();
    }
    const isWider = () => document.documentElement.scrollWidth > innerWidth;
    expect(await page.evaluate(isWider), `${width}`).toBe(false);
    const button = await trader.button.boundingBox();
    expect((button?.x ?? width) + (button?.width ?? 0)).toBeLessThanOrEqual(width);
  }
  await expect(page.getByText('Trading is paused in')).toHaveCount(0);
  isPaused = true;
  await page.reload();
  const tile = page.getByRole('region', { name: 'Market 1' });
  await expect(tile.getByText('Trading is paused in: Sports')).toBeVisible();
  await expect(tile.getByText('Paused', { exact: true })).toBeVisible();
  await trader.expectStep('marketNotOpen');
  await expect(trader.button).toHaveText('Trading is paused');
});
