import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './trader.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

test('two markets are opened and one is traded by keyboard in the workspace', {
  tag: '@long',
}, async ({ trader, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const [{ eventTicker }] = await trader.findSiblings();
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

  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(first.getByRole('heading', { name: 'Order book' })).toBeVisible();
  await page.keyboard.press('2');
  await expect(second).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
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
  await expect(second.getByText(/You hold/)).toBeVisible();
  await docked.getByText('Orders', { exact: true }).click();
  await expect(docked.getByRole('table', { name: /Your orders/ })).toContainText('Completed');
  const [, ticker = ''] = await shownTickers();
  expect(await trader.heldMicros(ticker, 'yes')).toBeGreaterThan(0n);

  await page.keyboard.press('Escape');
  const before = await shownTickers();
  await page.reload();
  await expect(first.getByRole('heading', { name: 'Order book' })).toBeVisible();
  await expect(second.getByRole('heading', { name: 'Order book' })).toBeVisible();
  expect(await shownTickers()).toEqual(before);
  await expect(page.locator('.skeleton')).toHaveCount(0);
  const axe = new AxeBuilder({ page }).withTags(TAGS);
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();

  async function shownTickers(): Promise<string[]> {
    const stored = await page.evaluate(() => localStorage.getItem('crossbook.workspace'));
    return (JSON.parse(stored ?? '{}') as { tiles: string[] }).tiles;
  }
});
