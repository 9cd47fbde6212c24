import { expect, expectHydrated, test } from './trader.ts';

test('the first HTML of a market includes chart, book and trades', async ({ trader, request }) => {
  const { ticker } = await trader.findMarket(0);
  // The server limits its exchange requests: a page opened right after another fetches the data in
  // the browser.
  await expect(async () => {
    const text = await (await request.get(`/markets/${ticker}`)).text();
    for (const part of ['<caption>', 'Asks and bids for Yes', '>Bought<']) {
      expect(text, part).toContain(part);
    }
  }).toPass({ timeout: 20_000 });
});

test('an event shows the rules of the selected outcome', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const [one, other] = await trader.findSiblings();
  const rules = page.getByRole('region', { name: /^Rules/ });
  await page.goto(`/events/${one.eventTicker}?market=${one.ticker}`);
  await expect(rules).toContainText(one.rulesPrimary);
  await expectHydrated(page);
  const label = page.getByRole('link', { name: other.yesSubTitle, exact: true });
  const outcomes = page.getByRole('list', { name: 'Outcomes' }).getByRole('listitem');
  await outcomes.filter({ has: label }).getByRole('button', { name: /^No/ }).click();
  await expect(rules).toContainText(other.rulesPrimary);
});

test('the ticket follows the selected outcome', { tag: '@phone-long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(0);
  await page.goto(`/events/${market.eventTicker}`);
  await expectHydrated(page);
  const rows = page.getByRole('list', { name: 'Outcomes' }).getByRole('listitem');
  const row = rows.filter({ has: page.getByRole('button', { name: /^No \d/ }) }).last();
  const label = (await row.getByRole('link').textContent()) ?? '';
  await row.getByRole('button', { name: /^No/ }).click();
  const ticket = page.getByRole('dialog', { name: `Trade ticket, ${label}` });
  await expect(ticket).toBeVisible();
  await expect(ticket.getByRole('radio', { name: /^No/ })).toBeChecked();
  await expect(page).toHaveURL(/side=no/);
});

test('the smallest phone shows every outcome with its name', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const market = await trader.findMarket(8);
  for (const path of ['/', `/events/${market.eventTicker}`, `/markets/${market.ticker}`]) {
    await page.goto(path);
    await expect(page.locator('.skeleton')).toHaveCount(0);
    const widths = () =>
      page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    await expect.poll(widths, path).toEqual([320, 320]);
  }
  for (const path of ['/', '/search?query=rain', '/orders', '/activity']) {
    await page.goto(path);
    for (const menu of await page.locator('details[name="list-choice"]').all()) {
      await menu.locator('summary').click();
      const box = await menu.locator('ul').boundingBox();
      expect(box?.x, path).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0), path).toBeLessThanOrEqual(320);
    }
  }
  await page.goto(`/events/${market.eventTicker}`);
  const label = page.getByRole('link', { name: market.yesSubTitle, exact: true });
  const cut = (element: Element) => element.scrollHeight > element.clientHeight + 2;
  expect(await label.evaluate(cut)).toBe(false);
});

test('prices move on the page as they move at the exchange', async ({ trader, page }) => {
  const market = await trader.findMarket(7);
  await page.goto(`/markets/${market.ticker}`);
  await expectHydrated(page);
  const price = market.yesAsk > 50 ? '0.2300' : '0.7700';
  await trader.controlExchange('market', { ticker: market.ticker, priceDollars: price });
  await expect(
    page.getByText(price === '0.2300' ? /^2[2-4](\.5)?%$/ : /^7[6-8](\.5)?%$/).first(),
  ).toBeVisible();
  await trader.controlExchange('market', { ticker: market.ticker, priceDollars: null });
});

test('a market shows only the book and event data that exist', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.takeMarket();
  const facts = page.getByRole('region', { name: 'Details' });
  await page.goto(`/markets/${market.ticker}`);
  await expect(facts).toContainText('Liquidity');
  await trader.controlExchange('settle', { ticker: market.ticker, result: 'yes' });
  await expect
    .poll(async () => (await trader.api.getMarket(market.ticker)).market.status)
    .toBe('settled');
  await page.goto(`/markets/${market.ticker}`);
  await expect(facts).toContainText('Open interest');
  await expect(facts).not.toContainText('Liquidity');

  const { markets } = await trader.api.listMarkets({ limit: 200 });
  const others = page.getByRole('link', { name: 'All outcomes' });
  const seen = new Map<boolean, string>();
  for (const { ticker, title, eventTicker } of markets) {
    const { event } = await trader.api.getEvent(eventTicker);
    if (event.title === title) seen.set(event.markets.length > 1, ticker);
    if (seen.size === 2) break;
  }
  await page.goto(`/markets/${seen.get(true)}`);
  await expect(others).toBeVisible();
  await page.goto(`/markets/${seen.get(false)}`);
  await expect(facts).toBeVisible();
  await expect(others).toHaveCount(0);
});

test('the score of a game changes on lists and on its market’s page without a reload', {
  tag: ['@phone-long', '@long'],
}, async ({ trader, page, context, isMobile }) => {
  // The hourly league always plays; the next game begins as one ends.
  const readScores = async () => {
    const found = await trader.api.search({ query: 'Three-a-Side', status: 'open', page_size: 50 });
    const { scores } = await trader.api.listScores(
      found.current_page.map(({ event_ticker }) => event_ticker),
    );
    return scores.sort((one, other) => (one.eventTicker < other.eventTicker ? -1 : 1));
  };
  // Two games are on at a time, one for each project.
  await expect.poll(async () => (await readScores()).length).toBeGreaterThan(1);
  const score = (await readScores())[isMobile ? 1 : 0];
  if (!score) throw new Error('no game is on');
  const { eventTicker, teams } = score;
  const { markets } = (await trader.api.getEvent(eventTicker)).event;
  const playOn = async (leftMs: number) => {
    for (const { ticker } of markets) {
      await trader.controlExchange('market', { ticker, reopenMs: leftMs });
    }
  };
  await playOn(55 * 60_000);
  const isAtStart = async () => (await trader.api.listScores([eventTicker])).scores[0]?.statusText;
  await expect.poll(isAtStart).toMatch(/^Q1/);
  const list = await context.newPage();
  await list.goto('/search?series=KXTRIGAME');
  await page.goto(`/markets/${markets[0]?.ticker}`);
  const onMarket = page.getByText(
    new RegExp(`^${teams.map(({ name }) => `${name} \\d+`).join(', ')}$`),
  );
  const onCard = list.locator(`[data-live-score="${eventTicker}"]`);
  await expect(page.getByText(/^Q1 \d/)).toBeVisible();
  await expect(onMarket).toHaveAttribute('aria-live', 'polite');
  await expect(onCard).toContainText('Q1');
  let loads = 0;
  for (const one of [page, list]) one.on('load', () => (loads += 1));
  const before = await onMarket.textContent();
  await playOn(5 * 60_000);
  await expect(page.getByText(/^Q4 \d/)).toBeVisible();
  await expect(onMarket).not.toHaveText(before ?? '');
  await list.bringToFront();
  await expect(onCard).toContainText('Q4');
  expect(loads).toBe(0);
  // For a journey that is repeated within the hour.
  await playOn(30 * 60_000);
});
