import { expect, expectHydrated, test } from './trader.ts';

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
