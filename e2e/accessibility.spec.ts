import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './trader.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`${colorScheme} theme`, () => {
    test.use({ colorScheme });

    test('pages have no accessibility violations', { tag: '@phone' }, async ({ trader, page }) => {
      const market = await trader.findMarket(0);
      const paths = [
        '/',
        '/?status=settled',
        `/markets/${market.ticker}`,
        `/events/${market.eventTicker}`,
        '/search?query=a',
        '/portfolio',
        '/orders',
        '/account',
        '/deposit',
        '/withdraw',
        '/developers',
        '/nowhere',
      ];
      for (const path of paths) {
        await page.goto(path);
        await expect(page.getByRole('main')).toBeVisible();
        await page.waitForLoadState('networkidle');
        const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
        expect(violations, path).toEqual([]);
      }
    });

    test('the ticket has none at any of its steps', { tag: '@phone' }, async ({ trader, page }) => {
      const check = async (step: string) => {
        const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
        expect(violations, step).toEqual([]);
      };
      const market = await trader.findMarket(0);
      await trader.openMarket(market.ticker);
      await check('connect');
      await trader.getReady();
      await trader.enterContracts('1');
      await trader.expectStep('place');
      await check('ready');
      await trader.button.click();
      await trader.followToEnd();
      await check('order');
      await page.goto('/portfolio');
      await expect(page.getByRole('heading', { name: 'Positions' })).toBeVisible();
      await check('portfolio');
      await page.goto('/account');
      await expect(page.getByText('Per order')).toBeVisible();
      await check('account');
    });
  });
}
