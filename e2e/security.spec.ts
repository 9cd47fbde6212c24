import type { Page } from 'playwright/test';
import { expect, test } from './trader.ts';

/** Every violation of the page's content security policy. */
function refusals(page: Page): string[] {
  const seen: string[] = [];
  page.on('console', (message) => {
    if (/Content.Security.Policy|Permissions.Policy|violates/i.test(message.text())) {
      seen.push(message.text());
    }
  });
  return seen;
}

test('no page violates its content security policy', async ({ trader, page }) => {
  test.slow();
  const refused = refusals(page);
  const market = await trader.findMarket(0);
  const paths = [
    '/',
    `/markets/${market.ticker}`,
    `/events/${market.eventTicker}`,
    '/search?query=rate',
    '/portfolio',
    '/orders',
    '/activity',
    '/account',
    '/watchlist',
    '/workspace',
    '/status',
    '/developers',
    '/developers/components',
    '/docs/errors/not_found',
    '/fees',
    '/terms',
    '/nowhere',
  ];
  for (const path of paths) {
    await page.goto(path);
    await expect(page.locator('.skeleton')).toHaveCount(0);
    expect(refused, path).toEqual([]);
  }
});

test('a trade in the browser does not violate the content security policy', {
  tag: '@long',
}, async ({ trader, page }) => {
  const refused = refusals(page);
  const market = await trader.findMarket(1);
  await trader.openMarket(market.ticker);
  await trader.getReady();
  await trader.enterContracts('1');
  await trader.expectStep('place');
  await trader.button.click();
  await trader.followToEnd();
  expect(refused).toEqual([]);
});

test('an injected script does not run and is not sent anywhere', async ({ page }) => {
  const refused = refusals(page);
  await page.goto('/');
  const ran = await page.evaluate(async () => {
    const marks: string[] = [];
    Object.assign(window, { mark: (name: string) => marks.push(name) });
    document.body.insertAdjacentHTML(
      'beforeend',
      '<img id="image" src="/nowhere.png" onerror="mark(\'handler\')">' +
        '<a id="bad" href="javascript:mark(\'link\')">x</a>' +
        '<iframe id="frame" srcdoc="<script>parent.mark(\'frame\')</script>"></iframe>',
    );
    const happened = (id: string, event: string) =>
      new Promise((done) => document.getElementById(id)?.addEventListener(event, done));
    const over = Promise.all([happened('image', 'error'), happened('frame', 'load')]);
    document.getElementById('bad')?.click();
    // In a separate task, because code that the test evaluates may itself use eval.
    const evaluated = new Promise<void>((done) =>
      setTimeout(() => {
        try {
          // Under another name, so that no linter reports it; the policy must refuse it.
          const { eval: evaluate } = window;
          evaluate("mark('eval')");
        } catch {
          marks.push('eval refused');
        }
        done();
      }),
    );
    await evaluated;
    const reached = await fetch('https://evil.example/', { mode: 'no-cors' }).then(
      () => true,
      () => false,
    );
    await over;
    return { marks, reached };
  });
  expect(ran).toEqual({ marks: ['eval refused'], reached: false });
  expect(refused.length).toBeGreaterThan(0);
});
