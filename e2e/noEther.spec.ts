import type { Page } from 'playwright/test';
import { createPublicClient, http } from 'viem';
import { parseMicros } from '#lib/money.ts';
import { controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import { readRelays } from './database.ts';
import { sandbox } from './sandbox.ts';
import { expect, type Trader, test } from './trader.ts';
import { askedFor, declineAfter } from './wallet.ts';

/** From now on the wallet has no ether. */
async function takeEther({ address }: Trader): Promise<void> {
  await controlChainFaults(sandbox()).setGasMoney(address, 0n);
}

async function expectNothingSent(page: Page): Promise<void> {
  expect(await askedFor(page, 'eth_sendTransaction')()).toBe(0);
  expect(await askedFor(page, 'wallet_sendCalls')()).toBe(0);
}

test('a wallet without ether deposits, orders and revokes by signature', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(11);
  await trader.arrive();
  await trader.fillWallet(20);
  await takeEther(trader);
  const cashBefore = await trader.cashMicros();

  await page.goto('/deposit');
  const form = page.getByRole('form', { name: 'From your wallet' });
  await expect(form).toContainText('Crossbook pays the network fee');
  await form.getByRole('textbox', { name: 'From your wallet' }).fill('12.5');
  await page.getByTestId('deposit-button').click();
  await expect(page.getByText('$12.50 received')).toBeVisible();
  expect(await trader.cashMicros()).toBe(cashBefore + 12_500_000n);
  await expectNothingSent(page);

  await trader.prepareOwnSigning(market.ticker, '5');
  const calls = page.getByRole('region', { name: 'What you sign' });
  await expect(calls).toContainText('You sign one message with 2 calls');
  await expect(calls).toContainText('Crossbook sends it and pays the network fee');
  await trader.button.click();
  const row = await trader.followToEnd();
  expect(row).toMatchObject({ status: 'completed', kind: 'calldata' });
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(5_000_000n);

  await page.goto('/account');
  const panel = page.getByRole('region', { name: 'Trading permission' });
  await panel.getByRole('button', { name: 'Revoke from my wallet' }).click();
  await expect(panel).toContainText('You sign it, and Crossbook pays the network fee');
  await panel.getByRole('button', { name: 'Confirm revoke' }).click();
  await expect(page.getByText('Revoked on chain')).toBeVisible();
  expect((await trader.api.getAccount(trader.address)).grant).toBeNull();
  await expectNothingSent(page);
});

test('a wallet with USDC alone deposits, gets its account and buys with two signatures', async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(14);
  await trader.receiveUsdc(20);
  const chain = createPublicClient({ transport: http(sandbox().rpcUrl) });
  const account = await trader.smartAccount();
  const signatures = askedFor(page, 'eth_signTypedData_v4');

  await trader.openMarket(market.ticker);
  await trader.connect();
  await trader.expectStep('signIn');
  await trader.button.click();
  await trader.expectStep('enterAmount');
  await expect(page.getByText('$20.00 available')).toBeVisible();
  await trader.enterContracts('5');
  await trader.expectStep('prepareCalls');
  await expect(page.getByText('Your wallet pays this first order')).toBeVisible();
  await trader.button.click();
  await trader.expectStep('signCalls');
  const review = page.getByRole('region', { name: 'What you sign' });
  await expect(review).toContainText('You sign two messages');
  await expect(review).toContainText('Alone, this signature moves nothing');
  await expect(review).toContainText('All of it happens, or nothing does');
  const deposit = /take (\$[\d.]+) USDC from your wallet/.exec((await review.textContent()) ?? '');
  const depositMicros = parseMicros((deposit?.[1] ?? '').slice(1));

  // The deposit is signed, the order declined: nothing has moved, and a second try asks for the rest.
  await declineAfter(page, 1);
  await trader.button.click();
  await expect(page.getByText('is still in your wallet')).toContainText(deposit?.[1] ?? '');
  expect(await signatures()).toBe(2);
  expect(await trader.usdcMicrosOf(trader.address)).toBe(20_000_000n);
  expect(await chain.getCode({ address: account })).toBeUndefined();
  await trader.button.click();

  const row = await trader.followToEnd();
  expect(await signatures()).toBe(3);
  expect(row).toMatchObject({ status: 'completed', kind: 'calldata', accountId: account });
  // What the order locks, and at least the dollar that an account is deployed for.
  const { quoteLimitUsdcMicros: locked } = row;
  expect(depositMicros).toBe(locked > 1_000_000n ? locked : 1_000_000n);
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(5_000_000n);
  expect(await trader.cashMicros()).toBe(depositMicros - row.quoteUsdcMicros);
  expect(await trader.usdcMicrosOf(trader.address)).toBe(20_000_000n - depositMicros);
  expect(await readRelays(account)).toEqual([{ type: 'batch', state: 'succeeded' }]);
  expect(await chain.getBalance({ address: trader.address })).toBe(0n);
  await expectNothingSent(page);

  // The next order is like any other's: a permission first.
  await trader.openMarket(market.ticker);
  await trader.expectStep('signGrant');
});
