import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright/test';
import { GUIDE_PATHS } from '#lib/guidePages.ts';
import { refusals } from './refusals.ts';
import { sandbox } from './sandbox.ts';
import { expect, expectHydrated, type Trader, test } from './trader.ts';

/** Compressed JavaScript that a page asks for before anything else, in KiB. */
const BUDGETS_KIB = { list: 150, market: 190, other: 200 };

test('pages stay within their JavaScript budgets', async ({ trader, request }) => {
  const firstLoadKib = async (path: string): Promise<number> => {
    const html = await (await request.get(path)).text();
    const scripts = [...html.matchAll(/<script[^>]*src="([^"]+)"[^>]*>/g)]
      .filter(([tag]) => !/nomodule/i.test(tag))
      .map(([, source = '']) => source.replaceAll('&amp;', '&'));
    expect(scripts.length, path).toBeGreaterThan(5);
    let bytes = 0;
    for (const source of new Set(scripts)) {
      bytes += gzipSync(await (await request.get(source)).body(), { level: 9 }).length;
    }
    return bytes / 1024;
  };
  const market = await trader.findMarket(0);
  expect(await firstLoadKib('/')).toBeLessThanOrEqual(BUDGETS_KIB.list);
  expect(await firstLoadKib(`/markets/${market.ticker}`)).toBeLessThanOrEqual(BUDGETS_KIB.market);
  const others = ['/portfolio', '/orders', '/activity', '/withdraw', '/developers/webhooks'];
  for (const path of [`/events/${market.eventTicker}`, ...others]) {
    expect(await firstLoadKib(path), path).toBeLessThanOrEqual(BUDGETS_KIB.other);
  }
});

/** The maximum layout shift while a page loads and updates. */
const MOST_SHIFT = 0.02;
/** The same where the browser loads what only it knows. */
const MOST_SHIFT_OWN = 0.05;

test('no page shifts its layout or violates its content security policy while it loads', {
  tag: '@phone-long',
}, async ({ trader, page }) => {
  test.slow();
  const refused = refusals(page);
  const market = await trader.findMarket(3);
  await watchShifts(page);
  const event = `/events/${market.eventTicker}`;
  await expectSteady(page, ['/', `/markets/${market.ticker}`, event], MOST_SHIFT);
  const others = ['/?category=Sports', '/?view=table', '/search?query=rate', '/developers'];
  const prompts = ['/portfolio', '/orders', '/activity', '/deposit', '/withdraw', '/account'];
  const rest = [
    `/share/${market.ticker}?side=yes&price=0.5`,
    '/watchlist',
    '/workspace',
    '/status',
    '/developers/components',
    '/docs/errors',
    '/docs/errors/not_found',
    '/nowhere',
  ];
  await expectSteady(page, [...others, ...GUIDE_PATHS, ...prompts, ...rest], MOST_SHIFT_OWN);
  await page.goto(`/embed/${market.ticker}`);
  await expect(page.getByRole('article')).toBeVisible();
  await expectShift(page, 'the card for other sites', MOST_SHIFT);
  expect(refused).toEqual([]);
});

test('no layout shift on the pages of a returning trader', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  test.slow();
  await trader.arrive();
  const market = await trader.findMarket(5);
  await trader.buyDirectly(market.ticker, '2');
  await trader.buyDirectly((await trader.findMarket(6)).ticker, '1');
  await trader.fillWallet(25);
  await withdrawContract(trader, market.ticker);
  const [order] = (await (await trader.newToken()).listOrders({ limit: 1 })).orders;
  await watchShifts(page);
  await page.goto('/portfolio');
  await expect(page.getByTestId('portfolio-cash')).toBeVisible();
  await expect(page.locator('.skeleton')).toHaveCount(0);
  await expectShift(page, '/portfolio', MOST_SHIFT);
  const markets = ['/', `/markets/${market.ticker}`, `/events/${market.eventTicker}`];
  const own = ['/orders', `/orders/${order?.id}`, '/activity', '/deposit', '/withdraw', '/account'];
  const rest = ['/watchlist', '/status', '/developers/keys', '/developers/webhooks', '/workspace'];
  await expectSteady(
    page,
    [...markets, ...own, ...rest, ...GUIDE_PATHS],
    MOST_SHIFT_OWN,
    'header-cash',
  );
});

/** Moves a contract of Yes to the wallet: lists look up its market by the token. */
async function withdrawContract(trader: Trader, ticker: string): Promise<void> {
  const { properties } = await trader.api.getTokenByMarket(ticker, 'yes');
  const api = await trader.newToken();
  await api.withdraw({
    intentType: 'Withdraw',
    destinationAddress: trader.address,
    amount: '1',
    tokenType: 'erc1155',
    tokenAddress: sandbox().contracts.outcomeToken,
    tokenId: properties.tokenId,
  });
}

/** Opens each page until it is complete and, if given, shows this element. */
async function expectSteady(page: Page, paths: string[], mostShift: number, shown?: string) {
  for (const path of paths) {
    await page.goto(path);
    await expectHydrated(page);
    if (shown) await expect(page.getByTestId(shown)).toBeVisible();
    await expect(page.locator('.skeleton')).toHaveCount(0);
    await expectShift(page, path, mostShift);
  }
}

test('a returning trader sees no connect prompt while the page loads', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await page.route('**/_next/static/chunks/**.js', (route) => route.abort());
  await page.goto('/portfolio');
  const prompt = page.getByRole('heading', { name: 'Connect a wallet to see your portfolio' });
  await expect(prompt).toBeVisible();
  await page.unrouteAll();
  await trader.arrive();
  await page.route('**/_next/static/chunks/**.js', (route) => route.abort());
  await page.goto('/portfolio');
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  await expect(prompt).toBeHidden();
});

type Shifts = { sum: number; moved: string[] };

declare global {
  interface Window {
    shifts: Shifts;
  }
}

/** Of the Layout Instability API, which TypeScript does not know. */
type LayoutShift = PerformanceEntry & {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
};

/** Sums up the layout shift from the next page on, and names what moved. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shifts = { sum: 0, moved: [] };
    window.shifts = shifts;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
        if (hadRecentInput) continue;
        shifts.sum += value;
        for (const { node, previousRect: from, currentRect: to } of sources) {
          const words = node?.textContent?.slice(0, 40);
          shifts.moved.push(`“${words}” from ${from.x},${from.y} to ${to.x},${to.y}`);
        }
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

async function expectShift(page: Page, what: string, most: number): Promise<void> {
  const { sum, moved } = await page.evaluate(() => window.shifts);
  expect(sum, [what, ...moved].join('\n')).toBeLessThanOrEqual(most);
}
