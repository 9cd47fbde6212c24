import { expect, test } from './trader.ts';
test(`hang`, async ({ trader, page }) => {
  page.on('console', (m) => console.log('console', m.type(), m.text().slice(0, 300)));
  page.on('pageerror', (e) => console.log('pageerror', e.message.slice(0, 300)));
  await page.setViewportSize({ width: 1440, height: 1000 });
  await trader.arrive();
  const market = await trader.findMarket(3);
  await page.goto(`/markets/${market.ticker}`);
  await expect(page.getByRole('heading', { name: 'Order book' })).toBeVisible();
  await page.waitForTimeout(3000);
  const client = await page.context().newCDPSession(page);
  await client.send('Profiler.enable');
  await client.send('Debugger.enable');
  const table = page.getByRole('table', { name: /Asks and bids/ });
  console.log('before', Date.now());
  await table.getByRole('button').first().evaluate((b) => setTimeout(() => (b as HTMLButtonElement).click(), 50));
  await page.waitForTimeout(4000);
  const paused = new Promise<void>((resolve) => client.on('Debugger.paused', (e) => {
    console.log(e.callFrames.slice(0, 25).map((f) => `${f.functionName} ${f.url.split('/').at(-1)}:${f.location.lineNumber}:${f.location.columnNumber}`).join('\n'));
    resolve();
  }));
  await client.send('Debugger.pause');
  await Promise.race([paused, page.waitForTimeout(5000)]);
  console.log('done');
});
