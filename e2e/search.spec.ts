import { expect, expectHydrated, test } from './trader.ts';

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
