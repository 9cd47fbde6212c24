import type { Page } from 'playwright/test';
import { controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import { sandbox } from './sandbox.ts';
import { expect, type Trader, test } from './trader.ts';
import { askedFor } from './wallet.ts';

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
