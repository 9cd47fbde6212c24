import type { Page } from 'playwright/test';
import { createPublicClient, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { KEY_KIND } from '#lib/account/sessionKey.ts';
import { removeSessionKeyCall } from '#lib/account/sessionKeyCalls.ts';
import { relay, signBatch } from '#sandbox/testing/relayed.ts';
import { countOrders, readSessionKeyEvents } from './database.ts';
import { sandbox } from './sandbox.ts';
import { expect, Trader, test } from './trader.ts';
import { askedFor } from './wallet.ts';

/** Whether a script in the page can read the key that signs orders. */
async function isKeyReadable(page: Page): Promise<boolean> {
  return await page.evaluate(async () => {
    const resultOf = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('no storage'));
      });
    const database = await resultOf(indexedDB.open('crossbook'));
    const store = database.transaction('session-keys').objectStore('session-keys');
    const [pair] = (await resultOf(store.getAll())) as CryptoKeyPair[];
    database.close();
    if (!pair) throw new Error('this device has no key');
    return await crypto.subtle.exportKey('pkcs8', pair.privateKey).then(
      () => true,
      () => false,
    );
  });
}

/** The market's ticket, and what its page asked the wallet to sign. */
function tradeOn(trader: Trader) {
  const { page } = trader;
  return {
    signatures: askedFor(page, 'eth_signTypedData_v4'),
    buy: async (contracts: string) => {
      await trader.enterContracts(contracts);
      await trader.expectStep('place');
      await trader.button.click();
      await trader.waitForPlaced();
      expect(await trader.followToEnd()).toMatchObject({ status: 'completed', kind: 'api' });
    },
  };
}

const devicesOn = (page: Page) => page.getByRole('region', { name: 'Devices' });
const grantOf = async (trader: Trader) => (await trader.api.getAccount(trader.address)).grant;

test('given a new permission, this device signs orders without a prompt, unless its owner turns that off', {
  tag: '@long',
}, async ({ trader, page }) => {
  const market = await trader.findMarket(12);
  const { signatures, buy } = tradeOn(trader);
  await trader.openMarket(market.ticker);
  await trader.getReady();
  const first = await grantOf(trader);
  expect(first?.sessionKey?.kind).toBe('p256');
  const permissions = await signatures();
  await buy('3');
  expect(await signatures(), 'the permission alone').toBe(permissions);
  expect(await isKeyReadable(page)).toBe(false);

  // The browser has evicted the key: the device adds itself with a new one.
  await page.goto('/account');
  await page.evaluate(() => indexedDB.deleteDatabase('crossbook'));
  await page.reload();
  const panel = page.getByRole('region', { name: 'Trading permission' });
  await expect(panel).toContainText('another device');
  await trader.openMarket(market.ticker);
  await trader.expectStep('signGrant');
  await expect(page.getByText('Add this device to your trading permission')).toBeVisible();
  const before = await signatures();
  await trader.button.click();
  await trader.expectStep('enterAmount');
  expect(await signatures()).toBe(before + 1);
  expect(await grantOf(trader)).toMatchObject({ nonce: first?.nonce, maxPerDay: first?.maxPerDay });
  await buy('2');
  expect(await signatures()).toBe(before + 1);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(5_000_000n);
  await expectSessionAloneRefused(trader, market.ticker);

  await page.goto('/account');
  await expect(devicesOn(page).getByRole('listitem')).toHaveCount(2);
  await panel.getByRole('button', { name: 'Change limits' }).click();
  await panel.getByText('Only place orders that my devices sign').click();
  await panel.getByRole('button', { name: 'Sign limits' }).click();
  await expect(panel).toContainText('Crossbook alone');
  expect((await grantOf(trader))?.sessionKey).toBeNull();
  await expect(devicesOn(page)).toBeHidden();
});

/** Who has only the session, without a key, places nothing. */
async function expectSessionAloneRefused(trader: Trader, ticker: string): Promise<void> {
  const api = await trader.newToken();
  const order = {
    quoteToken: {
      type: 'chain',
      data: { tokenId: '0', chainId: 8453, contractAddress: sandbox().contracts.usdc },
    },
    baseToken: { type: 'venue', data: { marketId: ticker, side: 'yes' } },
    orderType: 'BUY',
    baseQuantity: '1',
    maxQuoteQuantityIn: '0.98',
  } as const;
  const stolen = { orderType: 'MarketOrder', order, chainId: 8453, userAddress: trader.address };
  await expect(api.createOrder({ ...stolen, orderType: 'MarketOrder' })).rejects.toMatchObject({
    code: 'order_signature_required',
  });
}

test('given two devices of one permission, each signs orders until the other removes it', {
  tag: '@long',
}, async ({ trader, page, browser }) => {
  test.slow();
  const market = await trader.findMarket(15);
  await trader.openMarket(market.ticker);
  await trader.getReady();
  await tradeOn(trader).buy('3');
  const grant = await grantOf(trader);

  const elsewhere = await browser.newContext();
  const other = new Trader(await elsewhere.newPage(), trader.privateKey);
  await other.prepare();
  const onOther = tradeOn(other);
  await other.openMarket(market.ticker);
  await other.connect();
  await other.expectStep('signIn');
  await other.button.click();
  await other.expectStep('signGrant');
  await expect(other.button).toHaveText('Add this device');
  await other.button.click();
  await other.expectStep('enterAmount');
  expect(await onOther.signatures(), 'one to add the device').toBe(1);
  await onOther.buy('2');
  expect(await onOther.signatures()).toBe(1);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(5_000_000n);

  // The first device goes on as before. A browser draws only the page in front.
  await page.bringToFront();
  await trader.openMarket(market.ticker);
  await tradeOn(trader).buy('1');
  expect((await grantOf(trader))?.nonce).toBe(grant?.nonce);

  await other.page.bringToFront();
  await other.fillTicket(market.ticker, '1');
  // What the second device knows about the permission is a moment old.
  await other.page.route('**/v1/account?**', (route) => route.abort());
  const [second] = await keysOf(trader, 'active', grant?.sessionKey?.key);
  await removeElsewhere(trader, second?.key as Hex);
  await other.button.click();
  await expect(
    other.page.getByText('This device was removed from your trading permission'),
  ).toBeVisible();
  await other.page.unroute('**/v1/account?**');
  await other.openMarket(market.ticker);
  await other.expectStep('signGrant');
  await other.button.click();
  await other.expectStep('enterAmount');

  await page.bringToFront();
  await page.goto('/account');
  const devices = devicesOn(page);
  await expect(devices.getByRole('listitem')).toHaveCount(2);
  await expect(devices).toContainText('this device');
  const [removed] = await keysOf(trader, 'active', grant?.sessionKey?.key);
  const row = devices.getByRole('listitem').filter({ hasNotText: 'this device' });
  await row.getByRole('button', { name: /^Remove/ }).click();
  await expect(row).toContainText('no more orders from now on');
  await row.getByRole('button', { name: 'Remove device' }).click();
  await expect(devices).toContainText('It can place no more orders');
  await expect(devices).toContainText('Your other devices are signed out');
  await expect(devices.getByRole('listitem')).toHaveCount(1);

  await other.page.bringToFront();
  await other.expectStep('signIn');
  await elsewhere.close();
  expect(await kindOnChain(trader, removed?.key as Hex)).toBe(KEY_KIND.removed);
  expect(await kindOnChain(trader, grant?.sessionKey?.key as Hex)).toBe(KEY_KIND.p256);
  await expect.poll(() => readSessionKeyEvents(removed?.key ?? '')).toEqual(['added', 'removed']);
  expect(await countOrders(await trader.smartAccount())).toBe(3);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(6_000_000n);
});

/** As another program of the owner would. */
async function removeElsewhere(trader: Trader, key: Hex): Promise<void> {
  const wallet = privateKeyToAccount(trader.privateKey);
  const account = await trader.smartAccount();
  const owner = { wallet, account, api: await trader.newToken() };
  const nonce = BigInt((await grantOf(trader))?.nonce ?? 0);
  const call = removeSessionKeyCall(account, nonce, { key });
  expect(await relay(owner, await signBatch(owner, [call]))).toMatchObject({
    status: 'completed',
  });
}

/** The keys of the account's list but one. */
async function keysOf(trader: Trader, wanted: 'active' | 'removed', but: string | undefined) {
  const { keys } = await (await trader.newToken()).listSessionKeys();
  return keys.filter(({ key, status }) => status === wanted && key !== but);
}

async function kindOnChain(trader: Trader, key: Hex): Promise<number> {
  return await createPublicClient({ transport: http(sandbox().rpcUrl) }).readContract({
    address: await trader.smartAccount(),
    abi: tradingAccountAbi,
    functionName: 'sessionKeyKind',
    args: [key],
  });
}
