import type { Page } from 'playwright/test';
import { sandbox } from './sandbox.ts';
import { expect, test } from './trader.ts';
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

test('given an owner who wants it, this device signs orders without a prompt; another one permits itself first', {
  tag: '@long',
}, async ({ trader, page }) => {
  const market = await trader.findMarket(12);
  const signatures = askedFor(page, 'eth_signTypedData_v4');
  const grant = async () => (await trader.api.getAccount(trader.address)).grant;
  const buy = async (contracts: string) => {
    await trader.enterContracts(contracts);
    await trader.expectStep('place');
    await trader.button.click();
    await trader.waitForPlaced();
    expect(await trader.followToEnd()).toMatchObject({ status: 'completed', kind: 'api' });
  };
  await trader.openMarket(market.ticker);
  await trader.getReady();
  expect((await grant())?.sessionKey).toBeNull();
  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'Trading permission' });
  await panel.getByRole('button', { name: 'Change limits' }).click();
  await panel.getByText('Only place orders that this device signs').click();
  await panel.getByRole('button', { name: 'Sign limits' }).click();
  await expect(panel.getByRole('button', { name: 'Change limits' })).toBeVisible();
  await expect(panel).toContainText('this device');
  const first = await grant();
  expect(first?.sessionKey?.kind).toBe('p256');
  await trader.openMarket(market.ticker);
  const permissions = await signatures();
  await buy('3');
  expect(await signatures(), 'the permissions alone').toBe(permissions);
  expect(await isKeyReadable(page)).toBe(false);

  await page.goto('/account');

  // Another device, or this one after its storage was cleared.
  await page.evaluate(() => indexedDB.deleteDatabase('crossbook'));
  await page.reload();
  await expect(panel).toContainText('another device');
  await trader.openMarket(market.ticker);
  await trader.expectStep('signGrant');
  await expect(page.getByText('This device needs a trading permission of its own')).toBeVisible();
  const before = await signatures();
  await trader.button.click();
  await trader.expectStep('enterAmount');
  expect(await signatures()).toBe(before + 1);
  expect((await grant())?.sessionKey?.key).not.toBe(first?.sessionKey?.key);
  await buy('2');
  expect(await signatures()).toBe(before + 1);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(5_000_000n);

  // Who has only the session, without the key, places nothing.
  const api = await trader.newToken();
  const order = {
    quoteToken: {
      type: 'chain',
      data: { tokenId: '0', chainId: 8453, contractAddress: sandbox().contracts.usdc },
    },
    baseToken: { type: 'venue', data: { marketId: market.ticker, side: 'yes' } },
    orderType: 'BUY',
    baseQuantity: '1',
    maxQuoteQuantityIn: '0.98',
  } as const;
  const stolen = { orderType: 'MarketOrder', order, chainId: 8453, userAddress: trader.address };
  await expect(api.createOrder({ ...stolen, orderType: 'MarketOrder' })).rejects.toMatchObject({
    code: 'order_signature_required',
  });
});
