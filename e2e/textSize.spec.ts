import { GUIDE_PATHS } from '#lib/guidePages.ts';
import { expectTermsUncovered } from './permission.ts';
import { test as base, expect, expectHydrated } from './trader.ts';

/** The pages of a signed-in user. */
const OWN_PATHS = [
  '/portfolio',
  '/orders',
  '/activity',
  '/deposit',
  '/withdraw',
  '/account',
  '/watchlist',
];

/** A browser with text at twice the size. */
const test = base.extend<object, { launchOptions: { args?: string[] } }>({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const { args = [] } = launchOptions;
      await use({ ...launchOptions, args: [...args, '--blink-settings=defaultFontSize=32'] });
    },
    { scope: 'worker' },
  ],
});

/** Text that is cut off, overflows its button or leaves the screen, in words. */
function misfits(): string[] {
  const found: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const isOnPurpose = (style: CSSStyleDeclaration) =>
    style.textOverflow === 'ellipsis' ||
    style.webkitLineClamp !== 'none' ||
    style.clipPath !== 'none' ||
    /auto|scroll/.test(style.overflowX);
  const holderOf = (text: Element): Element | undefined => {
    for (let one: Element | null = text; one && one !== document.body; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (isOnPurpose(style)) return undefined;
      if (style.overflowX !== 'visible' || one.matches('a, button, summary, td, th')) return one;
    }
    return document.documentElement;
  };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || !node.textContent?.trim() || !parent.checkVisibility()) continue;
    const holder = holderOf(parent);
    if (!holder) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const [text, box] = [range.getBoundingClientRect(), holder.getBoundingClientRect()];
    if (text.right > box.right + 1 || text.left < box.left - 1) {
      found.push(
        `“${node.textContent.trim()}” in <${holder.localName} class="${holder.className}">`,
      );
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) {
    const wide = [...document.querySelectorAll('main *, footer *')].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 1,
    );
    found.push(
      `the page scrolls sideways: ${wide.map(({ outerHTML }) => outerHTML.slice(0, 120)).join(' ')}`,
    );
  }
  return found;
}

/** Neighbouring elements that overlap. */
function overlaps(): string[] {
  return ['body > header > div', 'nav.fixed'].flatMap((bar) => {
    const boxes = [...document.querySelectorAll(`${bar} :is(a, button)`)]
      .filter((element) => element.checkVisibility())
      .map((element) => [element.textContent, element.getBoundingClientRect()] as const);
    return boxes.flatMap(([name, box], index) =>
      boxes
        .slice(index + 1)
        .filter(([, next]) => box.right > next.left + 1 && next.right > box.left + 1)
        .filter(([, next]) => box.bottom > next.top + 1 && next.bottom > box.top + 1)
        .map(([other]) => `“${name}” over “${other}”`),
    );
  });
}

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  test(`text at twice the size fits a screen of ${width}`, { tag: '@long' }, async ({
    trader,
    page,
  }) => {
    base.slow();
    await page.setViewportSize({ width, height });
    const market = await trader.findMarket(2);
    await trader.arrive();
    await trader.buyDirectly(market.ticker, '2');
    const fits = async (name: string) => {
      await expect(page.locator('.skeleton')).toHaveCount(0);
      await expect.poll(() => page.evaluate(misfits), name).toEqual([]);
      expect(await page.evaluate(overlaps), name).toEqual([]);
    };
    const paths = [
      '/',
      '/?view=table',
      '/search?query=bitcoin',
      `/events/${market.eventTicker}`,
      `/markets/${market.ticker}`,
      ...OWN_PATHS,
      '/status',
      '/developers',
      '/docs/errors',
      ...GUIDE_PATHS,
    ];
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByTestId('header-cash')).toBeVisible();
      await fits(path);
    }
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('30px');
    await trader.prepareOwnSigning(market.ticker, '2');
    await fits('the ticket');
    await expect(trader.button).toBeInViewport({ ratio: 1 });
    await page.goto('/orders');
    await page
      .getByRole('link', { name: /Buy 2 Yes/ })
      .last()
      .click();
    await expect(page.getByTestId('order-status')).toHaveText('Completed');
    await fits('the order');
    await page.goto(`/embed/${market.ticker}`);
    await fits('the card for other sites');
  });

  test(`text at twice the size covers no term of the permission on a screen of ${width}`, {
    tag: '@long',
  }, async ({ trader, page }) => {
    await page.setViewportSize({ width, height });
    await trader.signInDirectly();
    await trader.openMarket((await trader.findMarket(2)).ticker);
    await trader.expectStep('signGrant');
    await expectTermsUncovered(page);
  });
}

base(
  'no page scrolls sideways on the smallest phone, nor with type scaled by the page',
  {
    tag: '@long',
  },
  async ({ trader, page }) => {
    base.slow();
    const market = await trader.findMarket(2);
    const widthOf = () => page.evaluate(() => document.documentElement.scrollWidth);
    const visit = async (paths: string[]) => {
      for (const path of paths) {
        await page.setViewportSize({ width: 320, height: 700 });
        await page.goto(path);
        await expectHydrated(page);
        await expect(page.locator('.skeleton')).toHaveCount(0);
        expect(await widthOf(), `${path} at 320`).toBe(320);
        // Media queries keep the browser's type size: the layout stays that of a phone.
        await page.setViewportSize({ width: 390, height: 844 });
        await page.evaluate(() => {
          document.documentElement.style.fontSize = '200%';
        });
        expect(await widthOf(), `${path} with large type`).toBe(390);
      }
    };
    const markets = [
      '/',
      '/?view=table',
      `/events/${market.eventTicker}`,
      `/markets/${market.ticker}`,
    ];
    await visit([
      ...markets,
      '/portfolio',
      '/deposit',
      '/docs/errors',
      '/developers',
      '/status',
      '/nowhere',
      ...GUIDE_PATHS,
    ]);
    await page.setViewportSize({ width: 320, height: 700 });
    await page.goto(`/embed/${market.ticker}`);
    await expect(page.getByRole('article')).toBeVisible();
    expect(await widthOf(), 'the card for other sites').toBe(320);
    await trader.arrive();
    await trader.buyDirectly(market.ticker, '2');
    await visit([...markets, ...OWN_PATHS]);
  },
);
