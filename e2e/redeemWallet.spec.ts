import type { Page } from 'playwright/test';
import { generatePrivateKey } from 'viem/accounts';
import type { Market } from '#lib/api/schemas/market.ts';
import { expect, Trader, test } from './trader.ts';
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
} from './wallet.ts';

/** The maximum time of the sandbox from a result to its payout. */
const WINNERS = 11;
const PAID = 2_000_000n;

// All winners traded in one market, so the tests wait for its payout only once.
test.describe.configure({ mode: 'default' });

let market: Market;
let keys: ReturnType<typeof generatePrivateKey>[] = [];

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage();
  keys = Array.from({ length: WINNERS }, generatePrivateKey);
  const winners = keys.map((key) => new Trader(page, key));
  const [first] = winners;
  if (!first) return;
  market = await first.takeMarket();
  for (const winner of winners) {
    await winner.arrive();
    await winner.buyDirectly(market.ticker, '2');
  }
  await first.controlExchange('settle', { ticker: market.ticker, result: 'yes' });
  const paid = async () => (await first.api.getPortfolio(first.address))[0]?.portfolioItem;
  await expect.poll(async () => (await paid())?.redeemableAmount).toBe('2');
  await page.close();
});

/** A trader with two dollars to redeem, on a page. */
async function beginAt(page: Page, path: string) {
  const trader = new Trader(page, keys.pop());
  await trader.prepare();
  await trader.signInDirectly();
  await page.goto(path);
  const cashBefore = await trader.cashMicros();
  const banner = page.getByRole('region', { name: 'Payouts' });
  const card = page.getByRole('button', { name: /^Redeem Yes ·/ });
  return { trader, banner, redeem: banner.getByRole('button'), card, cashBefore };
}

/** The same, with an expired sign-in. */
async function beginSignedOut(page: Page) {
  const begun = await beginAt(page, '/portfolio');
  await expect(begun.redeem).toBeVisible();
  await expireSession(page);
  return begun;
}

async function redemptions(trader: Trader) {
  const { orders } = await (await trader.newToken()).listOrders({ userAddress: trader.address });
  return orders.filter(({ isRedemption }) => isRedemption);
}

/** Checks that one redemption has paid exactly the amount. */
async function expectPaidOnce(trader: Trader, cashBefore: bigint): Promise<void> {
  await expect.poll(() => trader.cashMicros()).toBe(cashBefore + PAID);
  await expect
    .poll(async () => (await redemptions(trader)).map(({ status }) => status))
    .toEqual(['completed']);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(0n);
}

async function expectNothingRedeemed(trader: Trader): Promise<void> {
  expect(await redemptions(trader)).toHaveLength(0);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(PAID);
}

test('redeeming from two places pays once', { tag: ['@phone-long', '@long'] }, async ({ page }) => {
  const { trader, redeem, card, cashBefore } = await beginAt(page, '/portfolio');
  await expect(redeem).toBeVisible();
  const hold = Promise.withResolvers<void>();
  await page.route(/\/v1\/order$/, async (route) => {
    await hold.promise;
    await route.continue();
  });
  const isAsked = page.waitForRequest(/\/v1\/order$/);
  await card.click();
  await isAsked;
  await expect(redeem).toBeDisabled();
  await redeem.click({ force: true });
  hold.resolve();
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await expectPaidOnce(trader, cashBefore);
});

test('switching accounts does not open the previous account’s order', { tag: '@long' }, async ({
  page,
}) => {
  const { trader, banner, redeem, cashBefore } = await beginAt(page, '/portfolio');
  await expect(redeem).toBeVisible();
  const response = await holdResponse(page, '**/v1/order/redeem');
  await redeem.click();
  await expect.poll(async () => (await redemptions(trader)).length).toBe(1);
  await trader.tellOfWallet('accountsChanged', [OTHER]);
  await expect(page.getByRole('heading', { name: 'No funds yet' })).toBeVisible();
  const answered = page.waitForResponse('**/v1/order/redeem');
  response();
  await answered;
  await expectPaidOnce(trader, cashBefore);
  await expect(page).toHaveURL('/portfolio');
  await expect(page.getByRole('heading', { name: 'No funds yet' })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Your orders' })).toBeEmpty();
  await trader.tellOfWallet('accountsChanged', [trader.address]);
  await expect(page.getByText('No positions')).toBeVisible();
  await expect(banner).toBeHidden();
});

test('the ticket redeems even on another network', { tag: ['@phone', '@long'] }, async ({
  page,
}) => {
  const path = `/markets/${market.ticker}?side=yes&action=sell`;
  const { trader, cashBefore } = await beginAt(page, path);
  await trader.showTicket();
  await trader.expectStep('redeem');
  await page.mouse.move(1, 1);
  await trader.tellOfWallet('chainChanged', '0x1');
  await expect(page.getByRole('banner')).toBeVisible();
  await trader.expectStep('redeem');
  await expireSession(page);
  await trader.expectStep('signIn');
  await trader.button.click();
  await trader.expectStep('redeem');
  await expect(trader.button).toHaveText('Redeem for $2.00');
  await trader.button.click();
  await trader.followToEnd();
  await expectPaidOnce(trader, cashBefore);
});

test.describe('without a sign-in', () => {
  test('a rejected signature shows an error and can be retried', {
    tag: ['@phone', '@long'],
  }, async ({ page }) => {
    const { trader, redeem, cashBefore } = await beginSignedOut(page);
    await declineNext(page);
    await redeem.click();
    await expect(page.getByText('You rejected the request in your wallet')).toBeVisible();
    await expect(redeem).toBeEnabled();
    await expectNothingRedeemed(trader);
    await redeem.click();
    await page.waitForURL(/\/orders/);
    await expectPaidOnce(trader, cashBefore);
  });

  test('a wallet that disconnects is not waited for', { tag: '@long' }, async ({ page }) => {
    const { trader, redeem } = await beginSignedOut(page);
    await askInVain(page, () => redeem.click(), 'personal_sign');
    await changeMidway(trader, page, [], 'Connect a wallet to see your portfolio');
    await expectNothingRedeemed(trader);
  });

  test('a slow signature is waited for and requested once', { tag: ['@phone', '@long'] }, async ({
    page,
  }) => {
    await page.clock.install();
    const { trader, banner, redeem, card, cashBefore } = await beginSignedOut(page);
    const confirm = await holdWallet(page);
    await redeem.click();
    await expect.poll(askedFor(page, 'personal_sign')).toBe(1);
    await page.clock.fastForward(LAG_MS);
    await expect(redeem).toHaveText('Confirm in your wallet');
    await expect(card).toBeDisabled();
    await card.click({ force: true });
    await expect(banner).toContainText('$2.00');
    await confirm();
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
    await expectPaidOnce(trader, cashBefore);
    expect(await askedFor(page, 'personal_sign')()).toBe(1);
  });

  test('a network change while signing does not matter', { tag: '@long' }, async ({ page }) => {
    const { trader, card, cashBefore } = await beginSignedOut(page);
    await page.mouse.move(1, 1);
    await trader.tellOfWallet('chainChanged', '0x1');
    const confirm = await holdWallet(page);
    await card.click();
    await expect.poll(askedFor(page, 'personal_sign')).toBe(1);
    await expect(page.getByText('Confirm in your wallet')).toBeVisible();
    await trader.tellOfWallet('chainChanged', '0xa');
    await confirm();
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
    await expectPaidOnce(trader, cashBefore);
  });

  test('switching accounts shows its own positions, and switching back asks again', {
    tag: '@long',
  }, async ({ page }) => {
    const { trader, banner, redeem, cashBefore } = await beginSignedOut(page);
    const confirm = await holdWallet(page);
    await redeem.click();
    await expect.poll(askedFor(page, 'personal_sign')).toBe(1);
    await changeMidway(trader, page, [OTHER], 'No funds yet');
    await expect(banner).toBeHidden();
    await trader.tellOfWallet('accountsChanged', [trader.address]);
    await expect(redeem).toHaveText('Redeem');
    // A late confirmation must not create a session.
    await confirm();
    await expectNothingRedeemed(trader);
    expect(await isSignedIn(page)()).toBe(false);
    await redeem.click();
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
    await expectPaidOnce(trader, cashBefore);
  });

  test('on the market page another account sees its own idle card', {
    tag: ['@phone', '@long'],
  }, async ({ page }) => {
    const { trader, card } = await beginAt(page, `/markets/${market.ticker}`);
    const second = new Trader(page, keys.pop());
    await expect(card).toBeVisible();
    await expireSession(page);
    await askInVain(page, () => card.click(), 'personal_sign');
    const position = page.getByRole('region', { name: 'My position' });
    await expect(position.getByRole('status')).toHaveText('Confirm in your wallet');
    await trader.tellOfWallet('accountsChanged', [second.address]);
    await expect(card).toBeEnabled();
    await expect(position.getByRole('status')).toHaveCount(0);
    await expect(position.getByRole('alert')).toHaveCount(0);
    await trader.tellOfWallet('accountsChanged', [OTHER]);
    await expect(position).toBeHidden();
    await trader.tellOfWallet('accountsChanged', [trader.address]);
    await expect(card).toBeEnabled();
    await expectNothingRedeemed(trader);
    await expectNothingRedeemed(second);
  });

  test('switching accounts after signing redeems nothing', { tag: '@long' }, async ({ page }) => {
    const { trader, banner, redeem } = await beginSignedOut(page);
    const response = await holdResponse(page, '**/v1/auth/session');
    await redeem.click();
    await expect.poll(askedFor(page, 'personal_sign')).toBe(1);
    await trader.tellOfWallet('accountsChanged', [OTHER]);
    await expect(page.getByRole('heading', { name: 'No funds yet' })).toBeVisible();
    response();
    await expect.poll(isSignedIn(page)).toBe(true);
    await expect(banner).toBeHidden();
    await trader.tellOfWallet('accountsChanged', [trader.address]);
    await expect(redeem).toBeEnabled();
    await expectNothingRedeemed(trader);
  });
});
