import type { Page } from 'playwright/test';
import { expect, type Trader } from './trader.ts';

/** A visitor without an account. */
export const OTHER = '0x00000000000000000000000000000000000000Aa';

/** Longer than a page may take, shorter than the page's wallet timeout. */
export const LAG_MS = 65_000;

export const askedFor = (page: Page, method: string) => () =>
  page.evaluate((name) => window.crossbookDemoWallet?.asked?.[name] ?? 0, method);

/** From now on the wallet responds only once its owner confirms. */
export async function holdWallet(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    window.addEventListener('confirmed-in-wallet', () => resolve(), { once: true });
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.hold = promise;
  });
  return async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('confirmed-in-wallet')));
  };
}

/** The wallet rejects its next request. */
export async function declineNext(page: Page): Promise<void> {
  await declineAfter(page, 0);
}

/** The wallet accepts so many requests, and rejects the next one. */
export async function declineAfter(page: Page, accepted: number): Promise<void> {
  await page.evaluate((position) => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.rejectIn = position;
  }, accepted + 1);
}

/** Presses a button that needs the wallet, which does not respond. */
export async function askInVain(
  page: Page,
  press: () => Promise<void>,
  method: string,
): Promise<void> {
  await page.evaluate(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.ignoreNext = true;
  });
  await press();
  await expect.poll(askedFor(page, method)).toBe(1);
}

/** The wallet's accounts change meanwhile, or disconnect; the page reports that and the result. */
export async function changeMidway(
  trader: Trader,
  page: Page,
  accounts: string[],
  words: string,
): Promise<void> {
  await trader.tellOfWallet('accountsChanged', accounts);
  await expect(page.getByText(words)).toBeVisible();
  await expect(page.getByText('disconnected or switched accounts')).toBeVisible();
}

/** Changes the page's session in its browser, as another tab would. */
async function changeSession(page: Page, change: Record<string, unknown>): Promise<void> {
  await page.evaluate((fields) => {
    const session = JSON.parse(localStorage.getItem('crossbook.session') ?? '{}');
    localStorage.setItem('crossbook.session', JSON.stringify({ ...session, ...fields }));
    window.dispatchEvent(new StorageEvent('storage', { key: 'crossbook.session' }));
  }, change);
}

/** As after thirty days. */
export const expireSession = (page: Page) =>
  changeSession(page, { expiresAtMs: 0, renewableUntilMs: 0 });

/** The service refuses the page's token from now on, as after ten minutes. */
export const spoilToken = (page: Page) => changeSession(page, { token: 'a.b.c' });

export const isSignedIn = (page: Page) => () =>
  page.evaluate(() => localStorage.getItem('crossbook.session') !== null);

/** Holds the service's response, after it has processed the request, until released. */
export async function holdResponse(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    const response = await route.fetch();
    await promise;
    await route.fulfill({ response: response });
  });
  return resolve;
}
