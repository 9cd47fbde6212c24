import type { Page } from 'playwright/test';
import { expect, expectHydrated, test } from './trader.ts';

/** A text found only in the SDK of each external wallet. */
const SDK_MARKS = { WalletConnect: 'wc_sessionPropose', 'Base Account': 'keys.coinbase.com' };

/** The page's configuration without external wallets, and with them. */
const CONFIGURED = {
  '\\"walletConnectProjectId\\":null': `\\"walletConnectProjectId\\":\\"${'0'.repeat(32)}\\"`,
  '\\"offersBaseAccount\\":false': '\\"offersBaseAccount\\":true',
};

/** Serves the front page with external wallets configured. */
async function configure(page: Page): Promise<void> {
  await page.route('/', async (route) => {
    // An SDK asks for the page's headers.
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    let body = await response.text();
    for (const [without, withIt] of Object.entries(CONFIGURED)) {
      expect(body).toContain(without);
      body = body.replaceAll(without, withIt);
    }
    await route.fulfill({ response, body });
  });
}

/** The SDKs in the scripts that the page has loaded. */
function followScripts(page: Page): () => Promise<string[]> {
  const scripts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.text());
  });
  return async () => {
    const texts = await Promise.all(scripts);
    return Object.entries(SDK_MARKS)
      .filter(([, mark]) => texts.some((text) => text.includes(mark)))
      .map(([name]) => name);
  };
}

async function openDialog(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByRole('button', { name: /Demo wallet 1/ })).toBeVisible();
}

test('remote wallets are offered only if configured', async ({ page }) => {
  await openDialog(page);
  for (const name of Object.keys(SDK_MARKS)) {
    await expect(page.getByRole('button', { name })).toHaveCount(0);
  }
});

for (const name of ['WalletConnect', 'Base Account'] as const) {
  test(`the code for ${name} loads only when chosen`, { tag: '@long' }, async ({
    page,
    context,
  }) => {
    // The page contacts only the service under test.
    const ours = new URL(test.info().project.use.baseURL ?? process.env.SANDBOX_BASE_URL ?? '');
    await context.route(
      (url) => url.host !== ours.host,
      (route) => route.abort(),
    );
    const loaded = followScripts(page);
    await configure(page);
    await openDialog(page);
    const choice = page.getByRole('button', { name });
    await expect(choice).toBeEnabled();
    expect(await loaded()).toEqual([]);
    await choice.click();
    await expect.poll(loaded).toEqual([name]);
    // Cancelling takes effect at once.
    await page.keyboard.press('Escape');
    await expectHydrated(page);
  });
}
