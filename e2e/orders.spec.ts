import { dollars } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { readOrder } from './database.ts';
import { expect, test } from './trader.ts';

test('a failed order links back to its ticket', { tag: '@long' }, async ({ trader, page }) => {
  const market = await trader.findMarket(37);
  await trader.arrive();
  const { intent } = await trader.issueDirectly(market.ticker, '2');
  await (await trader.newToken()).cancelOrder(intent.id);
  await page.goto(`/orders/${intent.id}`);
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page).toHaveURL(new RegExp(`/markets/${market.ticker}\\?side=yes&action=buy$`));
});

test('the orders CSV contains the filtered list', { tag: '@long' }, async ({ trader, page }) => {
  const market = await trader.findMarket(33);
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '1');
  await page.goto('/orders?type=order&status=completed');
  const asked = page.waitForRequest(/\/exports\/orders\.csv/);
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const query = new URL((await asked).url()).searchParams;
  expect(Object.fromEntries(query)).toMatchObject({ type: 'order', status: 'completed' });
});

test('order notifications appear on every page', { tag: '@phone-long' }, async ({
  trader,
  page,
  isMobile,
}) => {
  const market = await trader.findMarket(28);
  await trader.arrive();
  await page.goto('/portfolio');
  await expect(page.getByText('No positions')).toBeVisible();
  await trader.buyDirectly(market.ticker, '3');
  const toast = page.getByRole('status', { name: 'Your orders' });
  await expect(toast).toContainText('Buy 3 Yes');
  await expect(toast).toContainText('Completed');
  const box = await toast.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  // Below the header on a phone, in the lower corner of a desktop's window.
  expect(box?.y).toBeGreaterThan(isMobile ? 60 : height / 2);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
  // The result is visible without another press.
  await expect(page.getByRole('row', { name: /Yes/ })).toContainText('3');
  await toast.getByRole('link').click();
  await expect(page.getByTestId('order-status')).toHaveText('Completed');
  await expect(toast.getByRole('link')).toHaveCount(0);
});

test('orders and activity show amounts, prices and status', { tag: ['@phone', '@long'] }, async ({
  trader,
  page,
  isMobile,
}) => {
  const market = await trader.findMarket(44);
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '3');
  await trader.issueDirectly(market.ticker, '2');
  const { orders } = await (await trader.newToken()).listOrders({ userAddress: trader.address });
  const filled = orders.find(({ status }) => status === 'completed');
  const price = (Number(filled?.quoteAmount) - Number(filled?.feeQuoteAmount)) / 3;
  await page.goto('/orders');
  const row = (name: RegExp) => page.getByRole('row', { name });
  const bought = row(/Buy 3 Yes/);
  await expect(bought).toContainText('Completed');
  await expect(bought).toContainText(dollars(parseMicros(filled?.quoteAmount ?? '')));
  await expect(bought).toContainText(`${Math.round(price * 1_000) / 10}¢`);
  await expect(row(/Buy 2 Yes/)).toContainText('at most $2.00');
  if (!isMobile) {
    const heads = ['Market', 'Type', 'Contracts', 'Avg price', 'Total', 'Status', 'Time'];
    await expect(page.getByRole('columnheader')).toHaveText(heads);
  }
  // The whole row is a link, not only its text.
  await bought.click({ position: { x: 5, y: 5 } });
  await page.waitForURL(`/orders/${filled?.id}`);
  // Each outcome has its own title, and so has each kind of order.
  await expect(page).toHaveTitle(/^.+ · Buy 3 Yes · Crossbook$/);
  await page.goto('/activity');
  await expect(row(/Buy 2 Yes/)).toContainText('Waiting for your signature');
  await page.locator('summary', { hasText: 'Status' }).click();
  await page.getByRole('link', { name: 'In progress', exact: true }).click();
  await expect(page).toHaveURL('/activity?status=under_way');
  await expect(row(/Bought 3 Yes/)).toHaveCount(0);
  await expect(row(/Buy 2 Yes/)).toBeVisible();
  await page.goto('/activity?status=failed');
  await expect(page.getByText('No matching activity')).toBeVisible();
});

test('a receipt can be shared as text or picture and printed', {
  tag: ['@phone', '@long'],
}, async ({ trader, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const market = await trader.findMarket(28);
  await trader.arrive();
  await trader.buyDirectly(market.ticker, '3');
  await page.goto('/orders');
  await page.getByRole('link', { name: /Buy 3 Yes/ }).click();
  await page.getByRole('button', { name: 'Share receipt' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  const row = await readOrder(trader.orderId());
  expect(text).toContain('Buy 3 Yes');
  expect(text).toContain('Contracts bought: 3');
  expect(text).toContain(`Paid: ${dollars(row.quoteUsdcMicros)}`);
  expect(text).toContain(`Crossbook order: ${trader.orderId()}`);
  await page.getByRole('button', { name: 'Share picture' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this position' });
  const picture = dialog.getByRole('img');
  await expect
    .poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth))
    .toBe(1200);
  expect(await picture.getAttribute('src')).not.toContain('contracts=');
  await dialog.getByText('Show the number of contracts').click();
  await expect(picture).toHaveAttribute('src', /contracts=3$/);
  await dialog.getByText('Show return in percent').click();
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(link).pathname).toBe(`/share/${market.ticker}`);
  expect(new URL(link).search).toBe('?side=yes&contracts=3');
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-printed', '');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('region', { name: 'Receipt' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.getByRole('banner')).toBeHidden();
});

test('numbers follow the browser’s language', { tag: '@long' }, async ({ browser, trader }) => {
  const market = await trader.findMarket(30);
  await trader.arrive();
  const context = await browser.newContext({ locale: 'de-DE' });
  const page = await context.newPage();
  await page.goto(`/markets/${market.ticker}`);
  await page.getByRole('textbox', { name: 'Amount' }).fill('12,5');
  await expect(page.getByText(/^\$1[12],\d\d$/).first()).toBeVisible();
  await context.close();
});
