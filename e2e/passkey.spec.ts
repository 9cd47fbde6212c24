import type { CDPSession, Page } from 'playwright/test';
import { getAddress, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from './trader.ts';

/** An authenticator of the browser's own, which always recognises its user. */
async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: true,
      defaultBackupState: true,
    },
  });
  return { cdp, authenticatorId };
}

/** The address that the page shows as connected. */
async function connectedAddress(page: Page): Promise<Hex> {
  const text = await page.evaluate(() => localStorage.getItem('crossbook.wallet'));
  return getAddress((JSON.parse(text ?? '{}') as { address: string }).address);
}

test('a passkey owns an account: it trades, returns on a second device and withdraws', {
  tag: '@long',
}, async ({ trader, page, browser }) => {
  test.setTimeout(120_000);
  const first = await addAuthenticator(page);
  const market = await trader.findMarket(12);

  await trader.openMarket(market.ticker);
  await trader.expectStep('connectWallet');
  await trader.button.click();
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  const ways = page.getByRole('region', { name: 'Passkey' });
  await expect(ways).toContainText('you lose access to your funds');
  await ways.getByRole('button', { name: 'Create a passkey' }).click();
  await trader.expectStep('signIn');
  trader.address = await connectedAddress(page);
  await trader.button.click();
  await trader.expectStep('signGrant');
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

  const { credentials } = await first.cdp.send('WebAuthn.getCredentials', {
    authenticatorId: first.authenticatorId,
  });
  const [credential] = credentials;
  if (!credential) throw new Error('the authenticator holds no passkey');
  expect(credential.isResidentCredential).toBe(true);

  const elsewhere = await browser.newContext();
  const page2 = await elsewhere.newPage();
  const second = await addAuthenticator(page2);
  await second.cdp.send('WebAuthn.addCredential', {
    authenticatorId: second.authenticatorId,
    credential,
  });
  const { address: destination } = privateKeyToAccount(generatePrivateKey());
  await page2.goto('/withdraw');
  await page2.getByRole('main').getByRole('button', { name: 'Connect wallet' }).click();
  await page2.getByRole('button', { name: 'Continue with a passkey' }).click();
  await page2.getByRole('button', { name: 'Use a passkey I have' }).click();
  await page2.getByRole('button', { name: 'Sign in with your wallet' }).click();
  expect(await connectedAddress(page2)).toBe(trader.address);
  const cash = await trader.cashMicros();
  await page2.getByRole('textbox', { name: 'Amount' }).fill('2.5');
  await page2.getByRole('combobox', { name: 'To' }).fill(destination);
  await page2.getByTestId('withdraw-button').click();
  await page2.getByRole('button', { name: 'Withdraw $2.50 USDC' }).click();
  const status = page2.getByTestId('order-status');
  await expect(status).toHaveAttribute('data-status', 'completed', { timeout: 30_000 });
  expect(await trader.usdcMicrosOf(destination)).toBe(2_500_000n);
  expect(await trader.cashMicros()).toBe(cash - 2_500_000n);

  await page2.goto('/account');
  const panel = page2.getByRole('region', { name: 'Trading permission' });
  await panel.getByRole('button', { name: 'Revoke from my wallet' }).click();
  await panel.getByRole('button', { name: 'Confirm revoke' }).click();
  await expect(page2.getByText('Revoked on chain')).toBeVisible();
  expect((await trader.api.getAccount(trader.address)).grant).toBeNull();
  await elsewhere.close();
});
