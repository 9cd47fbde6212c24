import type { Page } from 'playwright/test';
import { expect, type Trader, test } from './trader.ts';

// Only phones have the sheet, and a small phone shows little of it at once.
test.use({ viewport: { width: 360, height: 640 } });

const sheetOf = (page: Page) => page.getByRole('dialog', { name: /^Trade ticket/ });

/** The text to sign is fully visible between the sheet's head and its button. */
async function expectReadable(trader: Trader, region: string): Promise<void> {
  const sheet = sheetOf(trader.page);
  await expect(async () => {
    const [close, words, footer] = await Promise.all([
      sheet.getByRole('button', { name: 'Close' }).boundingBox(),
      sheet.getByRole('region', { name: region }).boundingBox(),
      trader.button.locator('..').boundingBox(),
    ]);
    if (!close || !words || !footer) throw new Error('The sheet is not there.');
    expect(words.y).toBeGreaterThanOrEqual(close.y + close.height);
    expect(words.y + words.height).toBeLessThanOrEqual(footer.y);
  }).toPass({ timeout: 5_000 });
}

test('a long review keeps the close button in view', { tag: ['@phone-only', '@long'] }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(38);
  await trader.arrive();
  await trader.prepareOwnSigning(market.ticker, '1');
  const sheet = sheetOf(page);
  expect(await sheet.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
  await expectReadable(trader, 'What you sign');
  const close = sheet.getByRole('button', { name: 'Close' });
  await expect(close).toBeInViewport({ ratio: 1 });
  await close.click();
  await expect(sheet).toBeHidden();
});

test('the end of the page is not behind the bar of prices, which names the outcome of an event', {
  tag: ['@phone-only', '@long'],
}, async ({ trader, page }) => {
  const [market] = await trader.findSiblings();
  for (const path of [`/markets/${market.ticker}`, `/events/${market.eventTicker}`]) {
    await page.goto(path);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    // Fails where something else would receive the press.
    await page
      .getByRole('contentinfo')
      .getByRole('link', { name: 'Status' })
      .click({ trial: true });
  }
  const name = await page.locator('[data-ticket-bar] p').textContent();
  const dialog = page.locator('dialog[aria-label^="Trade ticket"]');
  await expect(dialog).toHaveAttribute('aria-label', `Trade ticket, ${name}`);
});

test('a new trader sees in the sheet what they sign', { tag: '@phone-only' }, async ({
  trader,
}) => {
  const market = await trader.findMarket(39);
  await trader.signInDirectly();
  await trader.openMarket(market.ticker);
  await trader.expectStep('signGrant');
  await expectReadable(trader, 'Trading permission');
});

test('a trader with an expired permission sees in the sheet what they sign', {
  tag: ['@phone-only', '@long'],
}, async ({ trader, page }) => {
  const market = await trader.findMarket(39);
  await trader.arrive();
  await page.route(/\/v1\/account\?/, async (route) => {
    const account = await trader.api.getAccount(trader.address);
    const grant = account.grant && { ...account.grant, status: 'expired' };
    await route.fulfill({ json: { ...account, grant } });
  });
  await trader.openMarket(market.ticker);
  await trader.expectStep('signGrant');
  await expect(page.getByText('Your trading permission has expired')).toBeVisible();
  await expectReadable(trader, 'Trading permission');
});
