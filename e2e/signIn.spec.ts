import type { Page } from 'playwright/test';
import { expect, expectHydrated, Trader, test } from './trader.ts';
import {
  askedFor,
  askInVain,
  changeMidway,
  declineNext,
  expireSession,
  holdResponse,
  holdWallet,
  isSignedIn,
  LAG_MS,
  OTHER,
  spoilToken,
} from './wallet.ts';

const signInButton = (page: Page) =>
  page.getByRole('button', { name: /^(Sign in with|Confirm in) your wallet$/ });

/** Connects a wallet on the orders page, which then requires a sign-in. */
async function connectAt({ page }: Trader, path: string, wallet = /Demo wallet 1/): Promise<void> {
  await page.goto(path);
  await page.getByRole('main').getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: wallet }).click();
}

async function begin(trader: Trader, wallet?: RegExp) {
  await connectAt(trader, '/orders', wallet);
  await expect(trader.page.getByText('Sign in to see your orders')).toBeVisible();
  return signInButton(trader.page);
}

test('given an expired token, the order is placed without another signature, and a second device shows what was saved', async ({
  trader,
  page,
  browser,
}) => {
  const market = await trader.findMarket(15);
  await trader.arrive();
  await trader.openMarket(market.ticker);
  await trader.enterContracts('2');
  await trader.expectStep('place');
  await spoilToken(page);
  await expect(page.getByRole('textbox', { name: 'Contracts' })).toHaveValue('2');
  await trader.button.click();
  await trader.followToEnd();
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(2_000_000n);
  expect(await askedFor(page, 'personal_sign')()).toBe(0);

  const context = await browser.newContext();
  const device = new Trader(await context.newPage(), trader.privateKey);
  await device.prepare();
  await device.openMarket(market.ticker);
  await device.connect();
  await device.expectStep('signIn');
  await expect(device.page.getByText('You are not signed in on this device.')).toBeVisible();
  await device.button.click();
  await device.expectStep('enterAmount');
  await device.page.goto('/watchlist');
  await expect(device.page.getByText('Your watchlist is empty')).toBeVisible();
  await page.goto('/');
  const star = page.getByRole('button', { name: /^Watch / }).first();
  const name = (await star.getAttribute('aria-label'))?.replace('Watch ', '') ?? '';
  await star.click();
  // By the open stream, without a reload.
  await expect(device.page.getByRole('heading', { name, exact: true })).toBeVisible();

  await saveAddress(page, OTHER.toLowerCase(), 'Savings');
  await expectSaved(device.page, 'Savings');
  await context.close();
});

async function saveAddress(page: Page, address: string, name: string): Promise<void> {
  await page.goto('/withdraw');
  await page.getByRole('combobox', { name: 'To' }).fill(address);
  await page.getByRole('button', { name: 'Save this address' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
}

async function expectSaved(page: Page, name: string): Promise<void> {
  await page.goto('/withdraw');
  await page.getByRole('button', { name: 'Address book' }).click();
  await expect(page.getByRole('dialog').getByText(name)).toBeVisible();
}

/** Stars an event; returns its name. */
async function watch(page: Page, index: number): Promise<string> {
  const name = await page
    .getByRole('main')
    .getByRole('button', { name: /^Watch / })
    .evaluateAll(
      (stars, at) => [...new Set(stars.map((star) => star.getAttribute('aria-label')))][at] ?? '',
      index,
    );
  await page.getByRole('button', { name, exact: true }).first().click();
  return name.replace('Watch ', '');
}

test('given changes on two devices, one of them offline, both keep all, alerts and preferences too; a sign-out clears the addresses there only', {
  tag: '@long',
}, async ({ trader, page, browser }) => {
  await trader.arrive();
  const context = await browser.newContext();
  const device = new Trader(await context.newPage(), trader.privateKey);
  await device.prepare();
  await device.signInDirectly();
  for (const one of [page, device.page]) {
    await one.goto('/');
    await expectHydrated(one);
    // The wallet of a test loads its key once; without it the visitor is not signed in.
    await expect(one.getByTestId('header-cash')).toBeVisible();
  }
  await context.setOffline(true);
  const names = [await watch(device.page, 0), await watch(page, 1)];
  await context.setOffline(false);
  for (const one of [page, device.page]) {
    await one.goto('/watchlist');
    for (const name of names) {
      await expect(one.getByRole('heading', { name, exact: true })).toBeVisible();
    }
  }

  // An alert and preferences, each set on one device.
  const { ticker } = await trader.findMarket(15);
  await (await trader.newToken()).createPriceAlert({
    ticker,
    side: 'yes',
    source: 'bid',
    direction: 'above',
    price: '0.99',
  });
  await page.goto('/portfolio');
  await page.getByRole('button', { name: 'Hide amounts' }).click();
  await device.page.goto('/portfolio');
  await expect(device.page.getByRole('button', { name: 'Hide amounts' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.goto('/account');
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await expect(device.page.locator('html')).toHaveAttribute('data-theme', 'dark');
  for (const one of [page, device.page]) {
    await one.getByRole('button', { name: /^Notifications/ }).click();
    const news = one.getByRole('region', { name: 'Notifications', exact: true });
    await news.getByText('Price alerts').click();
    await expect(news.getByText('Yes bid at 99¢ or higher')).toBeVisible();
  }

  await saveAddress(device.page, OTHER.toLowerCase(), 'Savings');
  await expectSaved(page, 'Savings');
  const stored = () => device.page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
  expect(await stored()).toContain('Savings');
  await device.page.goto('/account');
  await device.page
    .getByRole('region', { name: 'Wallet' })
    .getByRole('button', { name: 'Sign out' })
    .click();
  await expect.poll(stored).not.toContain('Savings');
  await expectSaved(page, 'Savings');
  await device.page
    .getByRole('region', { name: 'Wallet' })
    .getByRole('button', { name: 'Sign in' })
    .click();
  await expect.poll(stored).toContain('Savings');
  await context.close();
});

const expectIn = (page: Page) => expect(page.getByText('No orders yet')).toBeVisible();

for (const [wallet, tags] of [
  [/Demo wallet 1/, []],
  [/Demo smart wallet/, ['@long']],
] as const) {
  test(`a slow signature of a ${wallet.source} is waited for and requested once`, {
    tag: ['@phone', '@long'],
  }, async ({ trader, page }) => {
    await page.clock.install();
    const signIn = await begin(trader, wallet);
    const confirm = await holdWallet(page);
    await signIn.click();
    await expect.poll(askedFor(page, 'personal_sign')).toBe(1);
    await page.clock.fastForward(LAG_MS);
    await expect(signIn).toHaveText('Confirm in your wallet');
    await signIn.click({ force: true });
    await confirm();
    await expectIn(page);
    expect(await askedFor(page, 'personal_sign')()).toBe(1);
  });

  test(`a rejected request of a ${wallet.source} keeps the focus and can be retried`, {
    tag: ['@phone-long', ...tags],
  }, async ({ trader, page }) => {
    const signIn = await begin(trader, wallet);
    await declineNext(page);
    await signIn.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('You rejected the request in your wallet')).toBeVisible();
    await expect(signIn).toBeFocused();
    await page.keyboard.press('Enter');
    await expectIn(page);
  });
}

test('signing in works on any network and across network changes', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const signIn = await begin(trader);
  await trader.tellOfWallet('chainChanged', '0x1');
  const confirm = await holdWallet(page);
  await signIn.click();
  await expect.poll(askedFor(page, 'personal_sign')).toBe(1);
  await trader.tellOfWallet('chainChanged', '0xa');
  await confirm();
  await expectIn(page);
});

test('switching accounts before the request sends no request', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const signIn = await begin(trader);
  const response = await holdResponse(page, '**/v1/auth/message*');
  const isAsked = page.waitForRequest('**/v1/auth/message*');
  await signIn.click();
  await isAsked;
  await trader.tellOfWallet('accountsChanged', [OTHER]);
  const answered = page.waitForResponse('**/v1/auth/message*');
  response();
  await answered;
  await trader.tellOfWallet('accountsChanged', [trader.address]);
  await expect(signIn).toHaveText('Sign in with your wallet');
  await signIn.click();
  await expectIn(page);
  expect(await askedFor(page, 'personal_sign')()).toBe(1);
});

test('switching accounts during the request leaves one request', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  await trader.arrive();
  await page.goto('/orders');
  await expectIn(page);
  await expireSession(page);
  const signIn = signInButton(page);
  const confirm = await holdWallet(page);
  await signIn.click();
  await expect.poll(askedFor(page, 'personal_sign')).toBe(1);
  await changeMidway(trader, page, [OTHER], 'Sign in to see your orders');
  await expect(signIn).toHaveText('Sign in with your wallet');
  await trader.tellOfWallet('accountsChanged', [trader.address]);
  await expect(page.getByText('Your session has expired.')).toBeVisible();
  await expect(signIn).toHaveText('Sign in with your wallet');
  // A late confirmation must not create a session.
  await confirm();
  await signIn.click();
  await expectIn(page);
  expect(await askedFor(page, 'personal_sign')()).toBe(2);
});

test('a wallet that disconnects is not waited for', { tag: '@long' }, async ({ trader, page }) => {
  const signIn = await begin(trader);
  await askInVain(page, () => signIn.click(), 'personal_sign');
  await changeMidway(trader, page, [], 'Connect a wallet to see your orders');
  expect(await isSignedIn(page)()).toBe(false);
  await page.getByRole('main').getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: /Demo wallet 1/ }).click();
  await signIn.click();
  await expectIn(page);
});

test('the account page sends one sign-in request per account', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await connectAt(trader, '/account');
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
  await expect(signIn).toBeVisible();
  const confirm = await holdWallet(page);
  await signIn.click();
  await page.getByRole('button', { name: 'Sign in first' }).click();
  await expect(page.getByRole('button', { name: 'Confirm in your wallet' })).toHaveCount(2);
  await confirm();
  await expect(page.getByRole('button', { name: 'Sign out', exact: true })).toBeVisible();
  expect(await askedFor(page, 'personal_sign')()).toBe(1);

  await expireSession(page);
  await holdWallet(page);
  await signIn.click();
  await expect.poll(askedFor(page, 'personal_sign')).toBe(2);
  // The message appears once: the panels do not repeat it.
  await changeMidway(trader, page, [OTHER], 'Connected with');
  await expect(signIn).toBeEnabled();
});

test.describe('the page of an order', () => {
  const somebodysOrder = async (trader: Trader) => {
    const market = await trader.findMarket(33);
    await trader.arrive();
    await trader.buyDirectly(market.ticker, '3');
    const { orders } = await (await trader.newToken()).listOrders({ userAddress: trader.address });
    return `/orders/${orders[0]?.id}`;
  };

  test('shows it to no other account', { tag: ['@phone', '@long'] }, async ({ trader, page }) => {
    const path = await somebodysOrder(trader);
    await page.goto(path);
    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toHaveText('Buy 3 Yes');
    await expectHydrated(page);
    await page.mouse.move(1, 1);
    await trader.tellOfWallet('accountsChanged', [OTHER]);
    await expect(page.getByText('Sign in to see this order')).toBeVisible();
    await expect(page.getByText('Buy 3 Yes')).toBeHidden();
    await trader.tellOfWallet('accountsChanged', [trader.address]);
    await expect(title).toHaveText('Buy 3 Yes');
    await trader.tellOfWallet('accountsChanged', []);
    await expect(title).toHaveText('Connect a wallet to see this order');
    await expect(page.getByText('Buy 3 Yes')).toBeHidden();
  });

  test('asks a visitor without a wallet to connect', { tag: '@phone-long' }, async ({
    trader,
    page,
  }) => {
    await connectAt(trader, '/orders/11111111-1111-4111-8111-111111111111');
    await expect(page.getByText('Sign in to see this order')).toBeVisible();
    await signInButton(page).click();
    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toHaveText('Order not found');
    await expect(page.getByText('belongs to another account')).toBeVisible();
  });
});
