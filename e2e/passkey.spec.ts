import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ownerIdOfAddress, ownerIdOfKey } from '#lib/passkey/passkeyWallet.ts';
import { forgetPasskey, readOrder, readPasskeys } from './database.ts';
import {
  Authenticator,
  connectedAddress,
  openAccount,
  ownersOnChain,
  signInHere,
  usePasskey,
} from './passkeys.ts';
import { expect, Trader, test } from './trader.ts';

/** The promise of the page: an account without extension, seed or ether. */
const CREATED_WITHIN_MS = 10_000;

test('a passkey owns an account: it trades, returns on a second device and withdraws', {
  tag: '@long',
}, async ({ trader, page, browser }) => {
  const first = await Authenticator.addTo(page);
  const market = await trader.findMarket(12);

  await trader.openMarket(market.ticker);
  await trader.expectStep('connectWallet');
  await trader.button.click();
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  const ways = page.getByRole('region', { name: 'Passkey' });
  await expect(ways).toContainText('nobody can withdraw your funds');
  const startedAt = Date.now();
  await ways.getByRole('button', { name: 'Create a passkey' }).click();
  await trader.expectStep('signIn');
  trader.address = await connectedAddress(page);
  await trader.button.click();
  await trader.expectStep('signGrant');
  const createdMs = Date.now() - startedAt;
  // No other host may ask for it, not even one below the same domain.
  expect((await first.credentials()).map(({ rpId }) => rpId)).toEqual([
    new URL(page.url()).hostname,
  ]);
  test
    .info()
    .annotations.push({ type: 'account created and signed in, ms', description: `${createdMs}` });
  expect(createdMs).toBeLessThan(CREATED_WITHIN_MS);
  await trader.button.click();
  await trader.expectStep('getTestFunds');
  await trader.button.click();
  await trader.expectStep('enterAmount');

  const cashBefore = await trader.cashMicros();
  await trader.enterContracts('3');
  await trader.button.click();
  const bought = await trader.followToEnd();
  expect(bought).toMatchObject({ status: 'completed' });
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(3_000_000n);
  expect(await trader.cashMicros()).toBe(cashBefore - bought.quoteUsdcMicros);

  await trader.openMarket(market.ticker, '?side=yes&action=sell');
  await trader.enterContracts('1');
  await trader.expectStep('place');
  await trader.button.click();
  expect(await trader.followToEnd()).toMatchObject({ status: 'completed' });
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(2_000_000n);

  const elsewhere = await browser.newContext();
  const page2 = await elsewhere.newPage();
  const second = await Authenticator.addTo(page2);
  await second.sync(await first.credentials());
  await page.close();
  await page2.goto('/portfolio');
  await page2.getByRole('main').getByRole('button', { name: 'Connect wallet' }).click();
  await usePasskey(page2);
  await expect(page2.getByRole('link', { name: 'Sell Yes' }).first()).toBeVisible();
  expect(await connectedAddress(page2)).toBe(trader.address);

  const { address: destination } = privateKeyToAccount(generatePrivateKey());
  await page2.goto('/withdraw');
  await page2
    .getByRole('main')
    .getByRole('button', { name: /^Sign in/ })
    .click();
  const cash = await trader.cashMicros();
  await page2.getByRole('textbox', { name: 'Amount' }).fill('2.5');
  await page2.getByRole('combobox', { name: 'To' }).fill(destination);
  await page2.getByTestId('withdraw-button').click();
  await page2.getByRole('button', { name: 'Withdraw $2.50 USDC' }).click();
  const status = page2.getByTestId('order-status');
  await expect(status).toHaveAttribute('data-status', 'completed');
  expect(await trader.usdcMicrosOf(destination)).toBe(2_500_000n);
  expect(await trader.cashMicros()).toBe(cash - 2_500_000n);
  const withdrawalId = new URL(page2.url()).pathname.split('/').at(-1) ?? '';
  expect(await readOrder(withdrawalId)).toMatchObject({ status: 'completed', kind: 'withdrawal' });

  await page2.goto('/account');
  const panel = page2.getByRole('region', { name: 'Trading permission' });
  await panel.getByRole('button', { name: /^Revoke/ }).click();
  await panel.getByRole('button', { name: 'Confirm revoke' }).click();
  await expect(page2.getByText('Revoked on chain')).toBeVisible();
  expect((await trader.api.getAccount(trader.address)).grant).toBeNull();
  await elsewhere.close();
});

test('a passkey that the service does not know finds its account by two signatures', {
  tag: '@long',
}, async ({ trader, page, browser }) => {
  const first = await Authenticator.addTo(page);
  await openAccount(trader, (await trader.findMarket(12)).ticker);
  const publicKey = await page.evaluate(
    () => JSON.parse(localStorage.getItem('crossbook.passkey') ?? '{}').publicKey as string,
  );
  await forgetPasskey(publicKey);
  expect(await readPasskeys(publicKey)).toEqual([]);

  const elsewhere = await browser.newContext();
  const page2 = await elsewhere.newPage();
  await (await Authenticator.addTo(page2)).sync(await first.credentials());
  await page2.goto('/portfolio');
  await page2.getByRole('main').getByRole('button', { name: 'Connect wallet' }).click();
  await usePasskey(page2);
  await expect(page2.getByTestId('portfolio-cash')).toBeVisible();
  expect(await connectedAddress(page2)).toBe(trader.address);
  expect(await readPasskeys(publicKey)).toMatchObject([{ publicKey }]);
  await elsewhere.close();
});

test('an added passkey finds the same account, and removes the lost one', {
  tag: '@long',
}, async ({ trader, page, browser }) => {
  const device = await Authenticator.addTo(page);
  await openAccount(trader, (await trader.findMarket(13)).ticker);
  await page.goto('/portfolio');
  const reminder = page.getByText('Only one passkey can open this account');
  await expect(reminder).toBeVisible();
  await page.getByRole('link', { name: 'Add a second owner' }).click();

  const owners = page.getByRole('region', { name: 'Owners' });
  await expect(owners.getByRole('listitem')).toHaveCount(1);
  await expect(owners).toContainText('In use here');
  const key = await device.addSecurityKey();
  await owners.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
  // The user touches the security key, not the device.
  await device.setPresence(false);
  await dialog.getByRole('button', { name: 'Create the passkey' }).click();
  await expect(dialog).toContainText('It owns nothing until you confirm');
  await device.setPresence(true);
  const ofKey = await key.unplug();
  await dialog.getByRole('button', { name: 'Confirm with your present passkey' }).click();
  await expect(owners).toContainText('The new passkey is an owner');
  await expect(owners.getByRole('listitem')).toHaveCount(2);
  await expect(reminder).toBeHidden();
  expect(await ownersOnChain(trader.address)).toHaveLength(2);

  const elsewhere = await browser.newContext();
  const page2 = await elsewhere.newPage();
  await (await Authenticator.addTo(page2)).sync(ofKey);
  await page2.goto('/account');
  await page2.getByRole('main').getByRole('button', { name: 'Connect wallet' }).click();
  await usePasskey(page2);
  await expect(page2.getByRole('region', { name: 'Owners' })).toBeVisible();
  expect(await connectedAddress(page2)).toBe(trader.address);
  await signInHere(page2);
  const owners2 = page2.getByRole('region', { name: 'Owners' });
  await owners2.getByRole('button', { name: /^Remove Crossbook/ }).click();
  await owners2.getByRole('button', { name: 'Remove owner' }).click();
  await expect(owners2).toContainText('is no longer an owner');
  await expect(owners2.getByRole('listitem')).toHaveCount(1);

  const { firstKey, owners: left } = await trader.api.getWalletOwners(trader.address);
  const stored = await readPasskeys(firstKey ?? '');
  expect(stored).toHaveLength(2);
  const addedKey = stored[1]?.publicKey as `0x${string}`;
  expect(await ownersOnChain(trader.address)).toEqual([ownerIdOfKey(addedKey)]);
  expect(left).toMatchObject([{ publicKey: addedKey, name: stored[1]?.name }]);

  // Its sessions ended with it, and it opens no new one.
  await page.reload();
  const wallet = page.getByRole('region', { name: 'Sign-in' });
  await wallet.getByRole('button', { name: 'Sign in' }).click();
  await expect(wallet.getByRole('alert')).toBeVisible();
  await elsewhere.close();
});

test('money outside the account comes in by one signature, and a wallet recovers the account', {
  tag: '@long',
}, async ({ trader, page, browser }) => {
  const friend = privateKeyToAccount(trader.privateKey).address;
  await Authenticator.addTo(page);
  await openAccount(trader, (await trader.findMarket(14)).ticker);
  const account = await trader.smartAccount();
  await page.goto('/withdraw');
  await page.getByRole('textbox', { name: 'Amount' }).fill('3');
  await page.getByRole('combobox', { name: 'To' }).fill(trader.address);
  await page.getByTestId('withdraw-button').click();
  await page.getByRole('button', { name: 'Withdraw $3.00 USDC' }).click();
  await expect.poll(() => trader.usdcMicrosOf(trader.address)).toBe(3_000_000n);
  const cash = await trader.cashMicros();

  await page.goto('/account');
  const outside = page.getByRole('region', { name: 'Money outside your account' });
  await expect(outside).toContainText('$3.00 USDC');
  await outside.getByRole('button', { name: 'Move to your account' }).click();
  await expect(outside).toContainText('Moved to your account');
  expect(await trader.usdcMicrosOf(trader.address)).toBe(0n);
  expect(await trader.cashMicros()).toBe(cash + 3_000_000n);

  const owners = page.getByRole('region', { name: 'Owners' });
  await owners.getByRole('button', { name: 'Add a wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a wallet' });
  await dialog.getByRole('button', { name: 'Use Demo wallet 1' }).click();
  await expect(dialog.getByRole('textbox')).toHaveValue(new RegExp(friend, 'i'));
  await dialog.getByRole('button', { name: 'Add this wallet' }).click();
  await expect(owners).toContainText('Note the address of this account');
  expect(await ownersOnChain(trader.address)).toContain(ownerIdOfAddress(friend));

  const elsewhere = await browser.newContext();
  const page2 = await elsewhere.newPage();
  const recovering = new Trader(page2, trader.privateKey);
  await recovering.prepare();
  await Authenticator.addTo(page2);
  await page2.goto('/account');
  await page2.getByRole('main').getByRole('button', { name: 'Connect wallet' }).click();
  await page2.getByRole('button', { name: /Demo wallet 1/ }).click();
  const recovery = page2.getByRole('region', { name: 'Recover a passkey account' });
  await recovery.getByRole('textbox').fill(account);
  await recovery.getByRole('button', { name: 'Find' }).click();
  await recovery.getByRole('button', { name: 'Add a passkey' }).click();
  const adding = page2.getByRole('dialog', { name: 'Add a passkey' });
  await adding.getByRole('button', { name: 'Create the passkey' }).click();
  await adding.getByRole('button', { name: 'Confirm with your wallet' }).click();
  await expect(recovery).toContainText('The new passkey is an owner');
  expect(await ownersOnChain(trader.address)).toHaveLength(3);
  await page2.getByRole('button', { name: 'Disconnect' }).click();
  await page2.getByRole('main').getByRole('button', { name: 'Connect wallet' }).click();
  await usePasskey(page2);
  await expect(page2.getByRole('region', { name: 'Owners' })).toBeVisible();
  expect(await connectedAddress(page2)).toBe(trader.address);
  await signInHere(page2);
  await elsewhere.close();
});

/** Every page of a signed-in visitor. */
const PAGES = [
  '/',
  '/portfolio',
  '/orders',
  '/activity',
  '/account',
  '/deposit',
  '/withdraw',
  '/watchlist',
  '/workspace',
  '/developers/keys',
  '/developers/webhooks',
];
/** What says nothing to the owner of a passkey. */
const FOREIGN_WORDS =
  /wallet extension|connect (a |your )?wallet|(in|with|by|of) your wallet|\bgas\b/i;

test('given an account of a passkey, no page speaks of its wallet, an extension or gas', {
  tag: '@long',
}, async ({ trader, page }) => {
  test.setTimeout(180_000);
  await Authenticator.addTo(page);
  const { ticker } = await trader.findMarket(15);
  await openAccount(trader, ticker);
  await expect(page.getByRole('main')).not.toContainText(FOREIGN_WORDS);
  await trader.openSettings();
  await expect(page.getByText('Sign it myself')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(FOREIGN_WORDS);
  for (const path of PAGES) {
    await page.goto(path);
    await expect(page.getByTestId('header-cash')).toBeVisible();
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    await expect(page.getByRole('main'), path).not.toContainText(FOREIGN_WORDS);
  }
});

test('given "Not now", the reminder of a second owner stays away in this browser', {
  tag: '@long',
}, async ({ trader, page }) => {
  await Authenticator.addTo(page);
  await openAccount(trader, (await trader.findMarket(14)).ticker);
  await page.goto('/portfolio');
  const reminder = page.getByText('Only one passkey can open this account');
  await expect(reminder).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(reminder).toBeHidden();
  await page.reload();
  await expect(page.getByTestId('header-cash')).toBeVisible();
  await expect(page.getByRole('heading', { name: /over time/ })).toBeVisible();
  await expect(reminder).toBeHidden();
});
