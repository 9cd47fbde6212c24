import { expect, test } from './trader.ts';
import { expireSession } from './wallet.ts';

test('a smart wallet sends all calls in one batch', { tag: '@phone-long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(8);
  await trader.openMarket(market.ticker);
  await trader.getReady(/Demo smart wallet/);
  const cashBefore = await trader.cashMicros();
  await trader.prepareCalls('3');
  await trader.button.click();
  const row = await trader.followToEnd();

  expect(row).toMatchObject({ status: 'completed', kind: 'calldata' });
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(3_000_000n);
  expect(await trader.cashMicros()).toBe(cashBefore - row.quoteUsdcMicros);
  const asked = await page.evaluate(() => window.crossbookDemoWallet?.asked ?? {});
  expect(asked.wallet_sendCalls).toBe(1);
  expect(asked.eth_sendTransaction).toBeUndefined();
});

test('confirmed transactions are not sent again', { tag: '@long' }, async ({ trader, page }) => {
  const market = await trader.findMarket(9);
  await trader.arrive();
  await trader.prepareOwnSigning(market.ticker, '2');
  // The second transaction is declined: then the account exists, the order does not.
  await page.evaluate(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.rejectIn = 2;
  });
  await trader.button.click();
  await expect(page.getByText('1 of 2 transactions went through')).toBeVisible();
  await trader.expectStep('signCalls');
  await trader.button.click();
  await trader.followToEnd();
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(2_000_000n);
  const asked = await page.evaluate(() => window.crossbookDemoWallet?.asked ?? {});
  expect(asked.eth_sendTransaction).toBe(3);
});

test('an unresponsive wallet times out', { tag: '@long' }, async ({ trader, page }) => {
  await page.clock.install();
  const market = await trader.findMarket(10);
  await trader.openMarket(market.ticker);
  await trader.connect();
  await trader.expectStep('signIn');
  await page.evaluate(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.ignoreNext = true;
  });
  await trader.button.click();
  await trader.expectStep('signingIn');
  const askedToSign = () =>
    page.evaluate(() => window.crossbookDemoWallet?.asked?.personal_sign ?? 0);
  await expect.poll(askedToSign).toBe(1);
  await page.clock.fastForward(121_000);
  await expect(page.getByText('Your wallet did not respond in time')).toBeVisible();
  await trader.expectStep('signIn');
});

test('a slow signature is waited for and the order completes', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  await page.clock.install();
  const market = await trader.findMarket(21);
  await trader.arrive();
  await trader.prepareOwnSigning(market.ticker, '2');
  await page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    window.addEventListener('confirmed-in-wallet', () => resolve(), { once: true });
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.hold = promise;
  });
  await trader.button.click();
  await trader.expectStep('busy');
  const askedToSend = () =>
    page.evaluate(() => window.crossbookDemoWallet?.asked?.eth_sendTransaction ?? 0);
  await expect.poll(askedToSend).toBe(1);
  await page.clock.fastForward(75_000);
  await expect(page.getByText('Transaction 1 of 2: confirm in your wallet')).toBeVisible();
  await expect(trader.button).toHaveText('Waiting for your confirmation');
  await page.evaluate(() => {
    window.dispatchEvent(new Event('confirmed-in-wallet'));
  });
  await trader.followToEnd();
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(2_000_000n);
});

test('a new trader can retry each rejected step', { tag: ['@phone', '@long'] }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(22);
  await trader.openMarket(market.ticker);
  await trader.connect();
  const decline = async () => {
    await page.evaluate(() => {
      if (window.crossbookDemoWallet) window.crossbookDemoWallet.rejectIn = 1;
    });
    await trader.button.click();
    await expect(page.getByText('You rejected the request in your wallet')).toBeVisible();
  };
  for (const step of ['signIn', 'signGrant']) {
    await trader.expectStep(step);
    await decline();
    await trader.expectStep(step);
    await trader.button.click();
  }
  await trader.expectStep('getTestFunds');
  await expect(page.getByText('You rejected the request')).toBeHidden();
});

test('a rejected network switch is requested again', { tag: '@long' }, async ({ trader, page }) => {
  const market = await trader.findMarket(23);
  await trader.arrive();
  await trader.fillTicket(market.ticker, '1');
  await trader.tellOfWallet('chainChanged', '0x1');
  await trader.expectStep('wrongNetwork');
  await page.evaluate(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.rejectIn = 1;
  });
  await trader.button.click();
  await expect(page.getByText('You rejected the request in your wallet')).toBeVisible();
  await trader.expectStep('wrongNetwork');
  await trader.button.click();
  await trader.expectStep('place');
  await expect(page.getByRole('textbox', { name: 'Contracts' })).toHaveValue('1');
});

test('switching accounts starts as a new visitor', { tag: '@long' }, async ({ trader, page }) => {
  const market = await trader.findMarket(11);
  await trader.arrive();
  await trader.prepareOwnSigning(market.ticker, '1');
  await trader.tellOfWallet('accountsChanged', ['0x00000000000000000000000000000000000000Aa']);
  await trader.expectStep('signIn');
  await expect(page.getByRole('region', { name: 'What you sign' })).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Contracts' })).toHaveValue('1');
});

test('a network changed in the wallet is switched back', { tag: '@long' }, async ({ trader }) => {
  const market = await trader.findMarket(12);
  await trader.arrive();
  await trader.fillTicket(market.ticker, '1');
  await trader.tellOfWallet('chainChanged', '0x1');
  await trader.expectStep('wrongNetwork');
  await trader.button.click();
  await trader.expectStep('place');
});

test('a wallet that disconnects leaves the ticket as it was', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(13);
  await trader.arrive();
  await trader.openMarket(market.ticker);
  await trader.enterContracts('6');
  await trader.expectStep('place');
  await trader.tellOfWallet('accountsChanged', []);
  await trader.expectStep('connectWallet');
  await expect(page.getByRole('textbox', { name: 'Contracts' })).toHaveValue('6');
});

test('given an expired session, the trader signs in again without losing the ticket', {
  tag: '@long',
}, async ({ trader, page }) => {
  const market = await trader.findMarket(14);
  await trader.arrive();
  await trader.openMarket(market.ticker);
  await trader.enterContracts('2');
  await trader.expectStep('place');
  await expireSession(page);
  await trader.expectStep('signIn');
  await expect(page.getByText('Your session has expired.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Contracts' })).toHaveValue('2');
  await trader.button.click();
  await trader.expectStep('place');
  await trader.button.click();
  await trader.followToEnd();
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(2_000_000n);
});

test('a wallet that disconnects during a request is not waited for', { tag: '@long' }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(31);
  await trader.arrive();
  await trader.prepareOwnSigning(market.ticker, '2');
  await page.evaluate(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.ignoreNext = true;
  });
  await trader.button.click();
  await trader.expectStep('busy');
  const askedToSend = () =>
    page.evaluate(() => window.crossbookDemoWallet?.asked?.eth_sendTransaction ?? 0);
  await expect.poll(askedToSend).toBe(1);
  await trader.tellOfWallet('accountsChanged', []);
  await expect(page.getByText('disconnected or switched accounts')).toBeVisible();
  await trader.expectStep('connectWallet');
  await expect(page.getByRole('textbox', { name: 'Contracts' })).toHaveValue('2');
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(0n);
});

test('a network changed before signing is switched back first', { tag: '@long' }, async ({
  trader,
}) => {
  const market = await trader.findMarket(32);
  await trader.arrive();
  await trader.prepareOwnSigning(market.ticker, '1');
  await trader.tellOfWallet('chainChanged', '0x1');
  await trader.expectStep('wrongNetwork');
  await trader.button.click();
  await trader.expectStep('signCalls');
  await trader.button.click();
  await trader.followToEnd();
  expect(await trader.heldMicros(market.ticker, 'yes')).toBe(1_000_000n);
});

test('a rejected connection changes nothing', { tag: ['@phone', '@long'] }, async ({
  trader,
  page,
}) => {
  const market = await trader.findMarket(32);
  await trader.openMarket(market.ticker);
  await trader.expectStep('connectWallet');
  await trader.button.click();
  const wallet = page.getByRole('button', { name: /Demo wallet 1/ });
  await wallet.hover();
  const before = await wallet.boundingBox();
  await page.evaluate(() => {
    if (window.crossbookDemoWallet) window.crossbookDemoWallet.rejectIn = 1;
  });
  await wallet.click();
  await expect(page.getByText('You rejected the request in your wallet')).toBeVisible();
  expect(await wallet.boundingBox()).toEqual(before);
  await wallet.click();
  await trader.expectStep('signIn');
});
