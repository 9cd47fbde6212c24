import { expect, expectHydrated, test } from './trader.ts';

test('list filters are reflected in the URL', { tag: '@phone-long' }, async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Ending soon' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Categories' }).getByText('Crypto').click();
  await expect(page).toHaveURL(/category=Crypto/);
  await page.getByRole('link', { name: 'Table' }).click();
  await expect(page).toHaveURL(/view=table/);
  await expect(page.getByRole('table', { name: /Events/ })).toContainText('Bitcoin');
  await page.reload();
  await expect(page.getByRole('link', { name: 'Table' })).toHaveAttribute('aria-current', 'true');
});

test('the first HTML of a list includes the last day of prices', { tag: '@phone-long' }, async ({
  page,
  request,
}) => {
  // Hours from before the sandbox began are fetched when a list is first opened.
  await expect
    .poll(async () => (await (await request.get('/')).text()).split('class="spark"').length)
    .toBeGreaterThan(12);
  for (const [path, row] of [
    ['/', 'article li'],
    ['/?view=table', 'tbody tr'],
  ] as const) {
    await page.goto(path);
    await expectHydrated(page);
    const drawn = page.locator(row).filter({ has: page.getByTestId('sparkline') });
    const line = drawn.first().getByTestId('sparkline');
    await expect(line).toHaveAttribute('aria-hidden', 'true');
    await expect(line.locator('path').first()).toHaveAttribute('d', /^M\d+ [\d.]+(L\d+ [\d.]+)+$/);
    const [inner, outer] = [await line.boundingBox(), await drawn.first().boundingBox()];
    if (!inner || !outer) throw new Error('the line is not drawn');
    expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width);
    expect(inner.y).toBeGreaterThanOrEqual(outer.y);
    expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height);
  }
});

test('public pages name their address, and the sitemap lists them', async ({ request }) => {
  const sitemap = await (await request.get('/sitemap.xml')).text();
  expect(await (await request.get('/robots.txt')).text()).toContain('/sitemap.xml');
  for (const path of ['/how-it-works', '/fees', '/help', '/privacy', '/terms']) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(200);
    const html = await response.text();
    expect(html, path).toMatch(new RegExp(`<link rel="canonical" href="[^"]+${path}"`));
    expect(html, path).toContain('property="og:description"');
    expect(sitemap, path).toContain(`${path}</loc>`);
  }
});

test('the first HTML of a list is complete', async ({ request }) => {
  for (const path of ['/', '/?view=table', '/search?query=bitcoin']) {
    const page = await (await request.get(path)).text();
    expect(page.includes('Bitcoin'), path).toBe(true);
    // React's marker for streamed content.
    expect(page.includes('<!--$?-->'), path).toBe(false);
  }
});

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

test('navigation keeps the old page with a loading notice until the new one is ready', {
  tag: ['@phone', '@long'],
}, async ({ page }) => {
  await page.goto('/');
  await expectHydrated(page);
  const held = Promise.withResolvers<void>();
  await page.route(/[?&]_rsc=/, async (route) => {
    await held.promise;
    await route.continue();
  });
  const coming = page.getByRole('status').filter({ hasText: 'Loading the page' });
  await page.getByRole('navigation', { name: 'Categories' }).getByText('Crypto').click();
  await expect(coming).toBeAttached();
  await expect(page.getByRole('region', { name: 'Ending soon' })).toBeVisible();
  held.resolve();
  await expect(page).toHaveURL(/category=Crypto/);
  await expect(coming).not.toBeAttached();
});

test('the list grows on scroll and is restored on back', { tag: ['@phone', '@long'] }, async ({
  page,
}) => {
  await page.goto('/');
  const cards = page.getByRole('article');
  await expectHydrated(page);
  const before = await cards.count();
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect(page).toHaveURL(/pages=[2-9]/, { timeout: 2_000 });
  }).toPass();
  await expect.poll(() => cards.count()).toBeGreaterThan(before);
  const title = (await cards.nth(before).getByRole('heading').textContent()) ?? '';
  await page.getByRole('link', { name: title, exact: true }).first().click();
  await expect(page).not.toHaveURL(/pages=/);
  await page.goBack();
  await expect(page).toHaveURL(/pages=[2-9]/);
  await expect(page.getByRole('link', { name: title, exact: true }).first()).toBeVisible();
});

test('a watched event appears in the watchlist and in other tabs', { tag: '@long' }, async ({
  page,
  context,
}) => {
  await page.goto('/');
  const star = page.getByRole('button', { name: /^Watch / }).first();
  const name = (await star.getAttribute('aria-label'))?.replace('Watch ', '') ?? '';
  const other = await context.newPage();
  await other.goto('/watchlist');
  await expect(other.getByText('Your watchlist is empty')).toBeVisible();
  await star.click();
  await expect(star).toHaveAttribute('aria-pressed', 'true');
  await expect(other.getByRole('heading', { name, exact: true })).toBeVisible();
});

test('a view is saved, opened and removed', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await page.goto('/?category=Crypto&sort=closing');
  const menu = page.locator('summary').filter({ hasText: 'Saved' });
  await menu.click();
  await page.getByRole('button', { name: 'Save this view' }).click();
  await expect(page.getByRole('button', { name: 'Remove saved view' })).toBeVisible();

  await page.goto('/search?query=rain');
  await menu.click();
  await page.getByRole('link', { name: 'Crypto, Closing soon', exact: true }).click();
  await expect(page).toHaveURL(/category=Crypto&sort=closing$/);
  await expect(page.getByRole('button', { name: 'Save this view' })).toBeHidden();
  await menu.click();
  await page.getByRole('button', { name: 'Remove saved view' }).click();
  await expect(page.getByRole('link', { name: 'Crypto, Closing soon' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Watchlist' }).click();
  await expect(page).toHaveURL(/watchlist$/);
});

test('a printed list or full-page screenshot shows its cards', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.getByRole('article').last()).toHaveCSS('content-visibility', 'visible');
});

test('j and k walk the events of a list, Enter opens one', { tag: '@long' }, async ({ page }) => {
  await page.goto('/');
  await expectHydrated(page);
  const titles = page.getByRole('article').locator('h2 a');
  await page.keyboard.press('j');
  await expect(titles.first()).toBeFocused();
  await page.keyboard.press('j');
  await expect(titles.nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await expect(titles.first()).toBeFocused();
  const href = (await titles.first().getAttribute('href')) ?? '';
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`${href}$`));
});

test('the palette finds a market by keyboard alone', async ({ page }) => {
  await page.goto('/');
  await expectHydrated(page);
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search' });
  await expect(field).toBeFocused();
  await field.pressSequentially('bitcion end 2026');
  await expect(page.getByText('Showing results for “bitcoin end 2026”')).toBeVisible();
  await expect(page.getByRole('option', { name: /How high will Bitcoin end 2026/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/events\//);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option', { name: 'bitcion end 2026' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
});

test('a mistyped search says what it shows, and leads back to the typed words', async ({
  page,
}) => {
  await page.goto('/search?q=bitcion');
  await expect(page.getByText(/^Showing results for “bitcoin”: \d+ results?$/)).toBeVisible();
  await expect(page.getByRole('article').first()).toContainText('Bitcoin');
  await page.getByRole('link', { name: 'Search for “bitcion” instead' }).click();
  await expect(page).toHaveURL(/query=bitcion&spelling=exact$/);
  await expect(page.getByText('0 results for “bitcion”')).toBeVisible();
});

test('a search shows one event of each series, and the others of it behind a link', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto('/search?query=temperature');
  const more = page.getByRole('link', { name: /^\d+ more events? like/ }).first();
  const others = Number.parseInt((await more.textContent()) ?? '', 10);
  await more.click();
  await expect(page).toHaveURL(/query=temperature&series=KX/);
  const found = new RegExp(`^${others + 1} results for “temperature” in `);
  await expect(page.getByText(found)).toBeVisible();
  await page.getByRole('link', { name: 'All results for “temperature”' }).click();
  await expect(page).toHaveURL(/query=temperature$/);
});

test('Enter searches for the typed words before results arrive', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto('/');
  const search = page.getByRole('combobox', { name: /^Search markets/ });
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(search).toBeFocused({ timeout: 2_000 });
  }).toPass();
  await search.fill('bitcoin');
  await expect(page.getByRole('option', { name: /Bitcoin/ }).first()).toBeVisible();
  // The response never arrives: the results for the previous words stay listed.
  await page.route(/prediction-market\/search\?.*temperature/, () => undefined);
  await search.fill('temperature');
  await search.press('Enter');
  await page.waitForURL(/\/search\?query=temperature$/);
});

test('the palette reports whether copying worked', { tag: '@long' }, async ({
  trader,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await trader.arrive();
  await page.goto('/');
  await expect(page.getByTestId('header-cash')).toBeVisible();
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: /^Search markets/ });
  await expect(field).toBeFocused();
  await field.pressSequentially('copy');
  await expect(page.getByRole('option', { name: /Copy deposit address/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Deposit address copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    await trader.smartAccount(),
  );
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
  });
  await page.keyboard.press('Enter');
  await expect(page.getByText('Copying was blocked')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
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

test('page-wide notices cover no content', { tag: ['@phone', '@long'] }, async ({
  trader,
  page,
  context,
}) => {
  const market = await trader.findMarket(1);
  await page.goto(`/markets/${market.ticker}`);
  await expectHydrated(page);
  await context.setOffline(true);
  const banner = await page.getByTestId('offline-banner').boundingBox();
  const share = await page.getByRole('main').getByRole('button').first().boundingBox();
  expect(banner?.y).toBeGreaterThan(0);
  expect((banner?.y ?? 0) + (banner?.height ?? 0)).toBeLessThanOrEqual(share?.y ?? 0);
  await context.setOffline(false);
});

test('a page that fails to load says funds are safe and recovers', { tag: '@phone-long' }, async ({
  trader,
  page,
}) => {
  await trader.signInDirectly();
  await page.route(/\/v1\/account\?/, (route) => route.fulfill({ json: {} }));
  await page.goto('/status');
  await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  await expect(page.getByText('Your funds are safe')).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'System status' })).toBeVisible();
});

test('losing the network shows an offline notice', { tag: '@long' }, async ({
  trader,
  page,
  context,
}) => {
  const market = await trader.findMarket(1);
  await page.goto(`/markets/${market.ticker}`);
  await expect(page.getByText('Chart by')).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByTestId('offline-banner')).toBeVisible();
  await trader.expectStep('offline');
  await context.setOffline(false);
  await expect(page.getByTestId('offline-banner')).toBeHidden();
});

test('an offline notice appears before scripts have loaded', { tag: ['@phone', '@long'] }, async ({
  page,
  context,
}) => {
  const hold = Promise.withResolvers<void>();
  await page.route(/_next\/static\/.*\.js$/, async (route) => {
    await hold.promise;
    await route.abort().catch(() => undefined);
  });
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  const banner = page.getByTestId('offline-banner');
  await expect(banner).toBeHidden();
  await context.setOffline(true);
  await expect(banner).toBeVisible();
  await expect(banner).toHaveText(/^You are offline/);
  await context.setOffline(false);
  await expect(banner).toBeHidden();
  hold.resolve();
});

test('the not-found page has a valid preview image', async ({ request }) => {
  for (const path of ['/markets/NO-SUCH-MARKET', '/events/NO-SUCH-EVENT']) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(404);
    const [, picture = ''] =
      /<meta property="og:image" content="([^"]+)"/.exec(await response.text()) ?? [];
    const { pathname, search } = new URL(picture);
    const shown = await request.get(`${pathname}${search}`);
    expect(shown.status(), picture).toBe(200);
    expect(shown.headers()['content-type']).toBe('image/png');
  }
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
