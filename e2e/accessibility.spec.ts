import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { expect, test } from './trader.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function expectNoViolations(page: Page, where: string): Promise<void> {
  await expect(page.locator('.skeleton')).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(' ')}`);
  expect(told, where).toEqual([]);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`${colorScheme} theme, without accessibility violations:`, () => {
    test.use({ colorScheme });
    // The checker goes through every element of long lists.
    test.slow();

    test('markets', { tag: '@phone' }, async ({ trader, page }) => {
      const market = await trader.findMarket(0);
      const paths = ['/', `/markets/${market.ticker}`, `/events/${market.eventTicker}`];
      for (const path of paths) {
        await page.goto(path);
        await expectNoViolations(page, path);
      }
    });

    test('lists, search and documents', async ({ page }) => {
      const paths = [
        '/?status=settled',
        '/?view=table',
        '/search?query=rate',
        '/watchlist',
        '/developers',
        '/developers/components',
        '/status',
        '/nowhere',
      ];
      for (const path of paths) {
        await page.goto(path);
        await expectNoViolations(page, path);
      }
    });

    test('pages that ask for a wallet', async ({ page }) => {
      for (const path of ['/portfolio', '/orders', '/activity', '/account', '/deposit']) {
        await page.goto(path);
        await expectNoViolations(page, path);
      }
    });

    test('the ticket, the order and the account', { tag: '@phone' }, async ({ trader, page }) => {
      const market = await trader.findMarket(0);
      await trader.openMarket(market.ticker);
      await expectNoViolations(page, 'connect');
      await trader.getReady();
      await trader.enterContracts('1');
      await trader.expectStep('place');
      await expectNoViolations(page, 'ready');
      await trader.button.click();
      await trader.followToEnd();
      const paths = [page.url(), '/portfolio', '/orders', '/activity', '/account', '/withdraw'];
      for (const path of [...paths, '/deposit', '/developers/keys', '/developers/webhooks']) {
        await page.goto(path);
        await expectNoViolations(page, path);
      }
    });

    test('what opens over the page', async ({ page }) => {
      await page.goto('/');
      await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeVisible();
      await page.keyboard.press('/');
      await page.getByRole('combobox').fill('rain');
      await expect(page.getByRole('option').nth(1)).toBeVisible();
      await expectNoViolations(page, 'palette');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await expect(page.getByRole('button', { name: /Demo wallet 1/ })).toBeVisible();
      await expectNoViolations(page, 'wallets');
    });
  });
}
