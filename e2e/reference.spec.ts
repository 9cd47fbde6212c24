import { expect, test } from 'playwright/test';
import { sandbox } from './sandbox.ts';

test('the reference shows every path, tries one out and loads no third-party content', {
  tag: '@long',
}, async ({ page }) => {
  const { baseUrl } = sandbox();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(baseUrl) && !url.startsWith('data:')) complaints.push(url);
  });
  await page.goto('/v1/reference');
  const description = await (await page.request.get('/v1/openapi.json')).json();
  const { paths, webhooks } = description as Record<'paths' | 'webhooks', Record<string, object>>;
  const operations = Object.values({ ...paths, ...webhooks }).flatMap((path) => Object.keys(path));
  await expect(page.locator('.opblock')).toHaveCount(operations.length);

  const markets = page.locator('#operations-Markets-listMarkets');
  await markets.locator('.opblock-summary-control').click();
  await markets.getByRole('button', { name: 'Try it out' }).click();
  await markets.getByRole('button', { name: 'Execute' }).click();
  await expect(markets.locator('.live-responses-table .response-col_status').last()).toContainText(
    '200',
  );
  const listed = markets.locator('.live-responses-table .highlight-code').last();
  await expect(listed).toContainText('"ticker"');

  const quote = page.locator('#operations-Markets-getQuote');
  await quote.locator('.opblock-summary-control').click();
  await quote.getByRole('button', { name: 'Try it out' }).click();
  await quote.getByRole('button', { name: 'Execute' }).click();
  await expect(quote.locator('.live-responses-table .response-col_status').last()).toContainText(
    '200',
  );
  expect(complaints).toEqual([]);
});

test('the reference follows the chosen theme and links back', { tag: '@long' }, async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/v1/reference');
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).background);
  const dark = await ground();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(ground).not.toBe(dark);
  await page.evaluate(() => localStorage.setItem('crossbook.theme', 'dark'));
  await page.reload();
  expect(await ground()).toBe(dark);
  const places = page.getByRole('navigation', { name: 'Developers' });
  await expect(places.getByRole('link', { name: 'Reference' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await places.getByRole('link', { name: 'API keys' }).click();
  await expect(page.getByRole('heading', { name: 'API keys', exact: true })).toBeVisible();
});
