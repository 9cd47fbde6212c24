import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { GUIDE_PATHS } from '#lib/guidePages.ts';
import { expect, expectHydrated, test } from './trader.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Further cards and rows of a list, which are like its first ones. */
const REPEATED = 'article:nth-of-type(n+4), tbody tr:nth-of-type(n+6), li:nth-of-type(n+9)';

async function violations(page: Page, narrow: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  const { violations: found } = await narrow(new AxeBuilder({ page }).exclude(REPEATED)).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(' ')}`);
}

/** Switches the theme and waits until the page is painted in it. */
async function showTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate(
    (wanted) =>
      new Promise<void>((painted) => {
        const look = () => {
          if (!matchMedia(`(prefers-color-scheme: ${wanted})`).matches) requestAnimationFrame(look);
          else requestAnimationFrame(() => requestAnimationFrame(() => painted()));
        };
        look();
      }),
    colorScheme,
  );
}

/** Checks the visible page, including its width, in both themes, which differ in colours. */
async function expectNoViolations(page: Page, where: string): Promise<void> {
  await expect(page.locator('.skeleton')).toHaveCount(0);
  await showTheme(page, 'light');
  expect(await violations(page, (axe) => axe.withTags(TAGS)), `${where}, light`).toEqual([]);
  await showTheme(page, 'dark');
  const dark = await violations(page, (axe) => axe.withRules(['color-contrast']));
  expect(dark, `${where}, dark`).toEqual([]);
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways, `${where} scrolls sideways`).toBe(0);
}

async function expectPages(page: Page, paths: string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expectNoViolations(page, path);
  }
}

test.describe('no accessibility violations in either theme:', () => {
  // The checker visits every element of long lists.
  test.slow();

  test('markets', { tag: '@phone-long' }, async ({ trader, page }) => {
    const market = await trader.findMarket(0);
    await expectPages(page, ['/', `/markets/${market.ticker}`, `/events/${market.eventTicker}`]);
  });

  test('lists, search and documents', { tag: '@long' }, async ({ page }) => {
    await expectPages(page, [
      '/?status=settled',
      '/?view=table',
      '/search?query=rate',
      '/watchlist',
      '/workspace',
      '/developers',
      '/developers/components',
      '/docs/errors',
      ...GUIDE_PATHS,
      '/status',
      '/nowhere',
      '/offline.html',
    ]);
  });

  test('the API reference with a tried-out operation and the authorization dialog', {
    tag: ['@phone', '@long'],
  }, async ({ page }) => {
    await page.goto('/v1/reference');
    // One section represents the others; checking all takes minutes.
    await page.getByPlaceholder('Filter by tag or path').fill('Orders');
    await expect(page.locator('#operations-Markets-listMarkets')).toHaveCount(0);
    await page.locator('#operations-Orders-createOrder .opblock-summary-control').click();
    await expect(page.locator('#operations-Orders-createOrder pre').first()).toBeVisible();
    await expectNoViolations(page, 'an order in the reference');
    await page.getByPlaceholder('Filter by tag or path').fill('Markets');
    await expect(page.locator('#operations-Orders-createOrder')).toHaveCount(0);
    const markets = page.locator('#operations-Markets-listMarkets');
    await markets.locator('.opblock-summary-control').click();
    await markets.getByRole('button', { name: 'Try it out' }).click();
    await markets.getByRole('button', { name: 'Execute' }).click();
    await expect(
      markets.locator('.live-responses-table .response-col_status').last(),
    ).toBeVisible();
    await expectNoViolations(page, 'the reference');
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await expect(page.getByRole('heading', { name: 'Available authorizations' })).toBeVisible();
    await expectNoViolations(page, 'its keys');
  });

  test('pages that ask for a wallet', { tag: '@long' }, async ({ page }) => {
    await expectPages(page, ['/portfolio', '/orders', '/activity', '/account', '/deposit']);
  });

  test('the first-trade steps', { tag: ['@phone', '@long'] }, async ({ trader, page }) => {
    const market = await trader.findMarket(0);
    await trader.openMarket(market.ticker);
    await expectNoViolations(page, 'connect');
    await trader.connect();
    await trader.expectStep('signIn');
    await expectNoViolations(page, 'sign in');
    await trader.button.click();
    await trader.expectStep('signGrant');
    await expectNoViolations(page, 'permission');
  });

  test('a first order that the wallet pays', { tag: ['@phone', '@long'] }, async ({
    trader,
    page,
  }) => {
    const market = await trader.findMarket(0);
    await trader.receiveUsdc(20);
    await trader.openMarket(market.ticker);
    await trader.connect();
    await trader.expectStep('signIn');
    await trader.button.click();
    await trader.expectStep('enterAmount');
    await trader.enterContracts('5');
    await trader.expectStep('prepareCalls');
    await expectNoViolations(page, 'what the wallet pays');
    await trader.button.click();
    await trader.expectStep('signCalls');
    await expectNoViolations(page, 'two messages to sign');
  });

  test('the devices of a permission', { tag: ['@phone', '@long'] }, async ({ trader, page }) => {
    const market = await trader.findMarket(0);
    await trader.openMarket(market.ticker);
    await trader.getReady();
    await trader.enterContracts('1');
    await trader.expectStep('place');
    await trader.button.click();
    await trader.waitForPlaced();
    await trader.followToEnd();
    // The browser has evicted the key of this device.
    await page.goto('/account');
    await page.evaluate(() => indexedDB.deleteDatabase('crossbook'));
    await trader.openMarket(market.ticker);
    await trader.expectStep('signGrant');
    await expectNoViolations(page, 'another device');
    await trader.button.click();
    await trader.expectStep('enterAmount');
    await page.goto('/account');
    const devices = page.getByRole('region', { name: 'Devices' });
    await expect(devices.getByRole('listitem')).toHaveCount(2);
    await expectNoViolations(page, 'devices');
    const row = devices.getByRole('listitem').filter({ hasNotText: 'this device' });
    await row.getByRole('button', { name: /^Remove/ }).click();
    await expectNoViolations(page, 'a device that is removed');
  });

  test('the ticket, the order and the account', { tag: ['@phone', '@long'] }, async ({
    trader,
    page,
  }) => {
    const market = await trader.findMarket(0);
    await trader.arrive();
    await trader.fillTicket(market.ticker, '1');
    await expectNoViolations(page, 'ready');
    await trader.button.click();
    await trader.followToEnd();
    const portfolios = ['', '?show=closed', '?group=event&sort=name', '?small=hidden&order=asc'];
    const paths = portfolios.map((query) => `/portfolio${query}`);
    const others = ['/orders', '/activity', '/account', '/withdraw', '/deposit'];
    await expectPages(page, [page.url(), ...paths, ...others]);
    await page.goto('/account');
    await page.getByRole('button', { name: 'Change limits' }).click();
    await expectNoViolations(page, 'trading permission limits');
    await page.goto('/portfolio');
    await expect(page.getByRole('row', { name: /Yes/ })).toBeVisible();
    await trader.buyDirectly(market.ticker, '1');
    await expect(page.getByRole('status', { name: 'Your orders' })).toContainText('Completed');
    await expectNoViolations(page, 'news of an order');
    await page.getByRole('button', { name: /^Notifications, \d+ new/ }).click();
    const news = page.getByRole('region', { name: 'Notifications', exact: true });
    await expect(news.getByText('New:').first()).toBeAttached();
    await expectNoViolations(page, 'notifications');
  });

  test('developer pages with a key and a webhook', { tag: '@long' }, async ({ trader, page }) => {
    await trader.signInDirectly();
    for (const [path, button] of [
      ['/developers/keys', 'New API key'],
      ['/developers/webhooks', 'New webhook'],
    ] as const) {
      await page.goto(path);
      await expectNoViolations(page, path);
      await page.getByRole('button', { name: button }).click();
      await expectNoViolations(page, button);
    }
    await page.goto('/developers/keys');
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByLabel('Name').fill('Counted');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByText('Usage of Counted').click();
    await expect(page.getByText('requests in 30 days')).toBeVisible();
    await expectNoViolations(page, 'usage of a key');
  });

  test('a first withdrawal to a mistyped address', { tag: '@long' }, async ({ trader, page }) => {
    await trader.signInDirectly();
    await page.goto('/withdraw');
    await page.getByRole('textbox', { name: 'Amount' }).fill('1');
    await page
      .getByRole('combobox', { name: 'To' })
      .fill('0x70997970C51812dc3A010C7d01b50e0d17dc79c8');
    await expect(page.getByText('This address has a typo')).toBeVisible();
    await expectNoViolations(page, 'a first withdrawal');
  });

  test('the address book', { tag: ['@phone', '@long'] }, async ({ trader, page }) => {
    await trader.arrive();
    await page.goto('/withdraw');
    const openBook = page.getByRole('button', { name: 'Address book' });
    await openBook.click();
    const book = page.getByRole('dialog', { name: 'Address book' });
    await expect(book).toContainText('No saved addresses');
    await expectNoViolations(page, 'an empty address book');
    await page.keyboard.press('Escape');
    await expect(openBook).toBeFocused();
    for (const [name, digit] of [
      ['Anna', '1'],
      ['My hardware wallet with quite a longname', '2'],
    ] as const) {
      await page.getByRole('combobox', { name: 'To' }).fill(`0x${digit.repeat(40)}`);
      await page.getByRole('button', { name: 'Save this address' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill(name);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
    }
    await page.getByRole('combobox', { name: 'To' }).fill(`0x1111${'2'.repeat(32)}1111`);
    await page.getByRole('button', { name: 'Save this address' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('anna');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Anna is already used for')).toBeVisible();
    await expectNoViolations(page, 'a name that is taken, a look-alike');
    await page.keyboard.press('Escape');
    await openBook.click();
    await expectNoViolations(page, 'the address book');
    await book.getByRole('button', { name: 'Remove Anna' }).click();
    await book.getByRole('button', { name: /^Rename My hardware/ }).click();
    await expectNoViolations(page, 'a name that is changed');
  });

  test('a ticket in an error state', { tag: ['@phone', '@long'] }, async ({
    trader,
    page,
    context,
  }) => {
    const market = await trader.findMarket(33);
    await trader.arrive();
    await trader.openMarket(market.ticker);
    await trader.enterContracts('90000');
    await expect(trader.button).toHaveAttribute('data-reason', /insufficientCash|notFillable/);
    await expectNoViolations(page, 'more than there is');
    await page.route('**/v1/order', (route) => route.abort());
    await trader.enterContracts('1');
    await trader.expectStep('place');
    await trader.button.click();
    await expect(page.getByText('it is not clear whether')).toBeVisible();
    await expectNoViolations(page, 'a lost response');
    await page.route(/\/quote\?/, () => undefined);
    await trader.enterContracts('2');
    await trader.expectStep('quoteLoading');
    await context.setOffline(true);
    await trader.expectStep('offline');
    await expectNoViolations(page, 'figures of another amount, offline');
    await context.setOffline(false);
  });

  test('a page that failed to load', { tag: ['@phone', '@long'] }, async ({ trader, page }) => {
    await trader.signInDirectly();
    await page.route(/\/v1\/account\?/, (route) => route.fulfill({ json: {} }));
    await page.goto('/status');
    await expect(
      page.getByRole('heading', { name: 'This page could not be loaded' }),
    ).toBeVisible();
    await expectNoViolations(page, 'failed');
  });

  test('calls to sign', { tag: ['@phone', '@long'] }, async ({ trader, page }) => {
    const market = await trader.findMarket(33);
    await trader.arrive();
    await trader.prepareOwnSigning(market.ticker, '1');
    await expectNoViolations(page, 'calls');
  });

  test('dialogs and menus', { tag: '@long' }, async ({ page }) => {
    await page.goto('/');
    await expectHydrated(page);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).fill('rain');
    await expect(page.getByRole('option').nth(1)).toBeVisible();
    await expectNoViolations(page, 'palette');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(page.getByRole('button', { name: /Demo wallet 1/ })).toBeVisible();
    await expectNoViolations(page, 'wallets');
  });
});
