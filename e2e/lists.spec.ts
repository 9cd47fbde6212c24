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

test('the first HTML of a list is complete', async ({ request }) => {
  for (const path of ['/', '/?view=table', '/search?query=bitcoin']) {
    const page = await (await request.get(path)).text();
    expect(page.includes('Bitcoin'), path).toBe(true);
    // React's marker for streamed content.
    expect(page.includes('<!--$?-->'), path).toBe(false);
  }
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
