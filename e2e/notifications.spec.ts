import type { Page } from 'playwright/test';
import { expect, expectHydrated, type Trader, test } from './trader.ts';

/** The maximum time of the sandbox from a result to its payout. */
const signal = (page: Page) => page.getByRole('button', { name: /^Notifications/ });
const panel = (page: Page) => page.getByRole('region', { name: 'Notifications', exact: true });

/** A new trader whose first deposit the service has recorded. */
async function arriveFunded(trader: Trader): Promise<void> {
  await trader.arrive();
  await expect
    .poll(async () => {
      const { items } = await trader.api.listActivity({ address: trader.address });
      return items.map(({ kind }) => kind);
    })
    .toContain('deposit');
}

/** Waits until this browser has its read marks: earlier events are not new. */
async function beginCounting(page: Page, path = '/portfolio'): Promise<void> {
  await page.goto(path);
  await page.waitForFunction(() => localStorage.getItem('crossbook.readNews') !== null);
  await expect(signal(page)).toHaveAccessibleName('Notifications');
}

test('the bell counts new notifications until they are opened', { tag: '@phone-long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(12);
  await arriveFunded(trader);
  await beginCounting(page);
  await trader.buyDirectly(market.ticker, '3');
  await expect(signal(page)).toHaveAccessibleName('Notifications, 1 new');
  await expect(signal(page)).toHaveText('1');
  await page.reload();
  await expect(signal(page)).toHaveAccessibleName('Notifications, 1 new');

  await signal(page).focus();
  await page.keyboard.press('Enter');
  const news = panel(page).getByRole('listitem');
  await expect(news.first()).toContainText(/New: Bought 3 Yes for \$\d/);
  await expect(news.filter({ hasText: 'New:' })).toHaveCount(1);
  await expect(signal(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(signal(page)).toHaveAccessibleName('Notifications');
  await page.keyboard.press('Tab');
  await expect(panel(page).getByRole('link', { name: 'All activity' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(signal(page)).toBeFocused();

  await signal(page).click();
  await expect(news.filter({ hasText: 'New:' })).toHaveCount(0);
  await news.first().getByRole('link').click();
  await expect(page).toHaveURL(/\/orders\/[0-9a-f-]{36}$/);
  await expect(panel(page)).toBeHidden();
});

test('on a phone the header shows the bell instead of the name', {
  tag: ['@phone-only', '@long'],
}, async ({ trader, page }) => {
  await trader.arrive();
  await page.goto('/');
  const name = page.getByRole('banner').getByText('Crossbook');
  await expect(signal(page)).toBeVisible();
  await expect.poll(async () => (await name.boundingBox())?.width).toBeLessThanOrEqual(1);
});

test('a sound plays at the end of an order if turned on', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await page.addInitScript(() => {
    window.OscillatorNode = class extends OscillatorNode {
      override start(when?: number) {
        const { dataset } = document.documentElement;
        dataset.notes = String(Number(dataset.notes ?? 0) + 1);
        super.start(when);
      }
    };
  });
  const market = await trader.findMarket(14);
  await arriveFunded(trader);
  await beginCounting(page);
  const root = page.locator('html');
  const done = page.getByRole('status', { name: 'Your orders' }).getByText('Completed');
  await trader.buyDirectly(market.ticker, '2');
  await expect(done).toBeVisible();
  await expect(root).not.toHaveAttribute('data-notes');
  await signal(page).click();
  await panel(page)
    .getByRole('switch', { name: 'Play a sound when an order completes or fails' })
    .check();
  await expect(root).toHaveAttribute('data-notes', '2');
  await page.keyboard.press('Escape');
  await trader.buyDirectly(market.ticker, '2');
  await expect(root).toHaveAttribute('data-notes', '4');
});

test('a deposit shows a notification', { tag: '@long' }, async ({ trader, page }) => {
  await arriveFunded(trader);
  await beginCounting(page, '/');
  await trader.api.requestFunds(trader.address);
  await expect(signal(page)).toHaveAccessibleName('Notifications, 1 new');
  await signal(page).click();
  await expect(panel(page).getByRole('listitem').first()).toContainText(/New: \$[\d,.]+ received/);
});

test('a result shows a notification that leads to its payout', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  const market = await trader.takeMarket();
  await arriveFunded(trader);
  await trader.buyDirectly(market.ticker, '5');
  await beginCounting(page, '/activity');
  await trader.controlExchange('settle', { ticker: market.ticker, result: 'yes' });
  await expect(signal(page)).toHaveAccessibleName('Notifications, 1 new');
  await signal(page).click();
  const received = panel(page).getByRole('link', {
    name: /Your 5 Yes resolved; \$5\.00 to redeem/,
  });
  await received.click();
  await expect(page).toHaveURL(/\/portfolio$/);
});

test('a watched market that closes soon shows a notification', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const { markets } = await trader.api.listMarkets({ limit: 1_000 });
  const hour = 3_600_000;
  const upcoming = markets.find(({ expectedEndTime }) => {
    const left = Date.parse(expectedEndTime) - Date.now();
    return left > hour && left < 23 * hour;
  });
  if (!upcoming) throw new Error('No market of the sandbox closes within a day.');
  await trader.signInDirectly();
  await beginCounting(page, `/events/${upcoming.eventTicker}`);
  await page.getByRole('button', { name: /^Watch / }).click();
  await expect(signal(page)).toHaveAccessibleName('Notifications, 1 new');
  await signal(page).click();
  const received = panel(page).getByRole('listitem').first();
  await expect(received).toContainText('Closing soon');
  await expect(received).toContainText(/in \d+ (h|min)/);
});

test('without a wallet there are no notifications and no error', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await page.goto('/');
  await expectHydrated(page);
  await expect(signal(page)).toHaveCount(0);
  await trader.signInDirectly();
  await beginCounting(page, '/');
  await signal(page).click();
  await expect(panel(page)).toContainText('No notifications yet');
});
