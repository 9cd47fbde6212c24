import { GUIDE_PATHS } from '#lib/guidePages.ts';
import { expect, expectHydrated, test } from './trader.ts';

const DAY_S = 86_400;

test('as the privacy page says: no cookie before the sign-in, one after it, none after signing out', {
  tag: '@long',
}, async ({ trader, page, context }) => {
  const origins = new Set<string>();
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  const market = await trader.findMarket(4);
  for (const path of ['/', ...GUIDE_PATHS]) {
    await page.goto(path);
    await expectHydrated(page);
  }
  expect(await context.cookies()).toEqual([]);
  await trader.openMarket(market.ticker);
  await trader.connect();
  await trader.expectStep('signIn');
  await trader.button.click();
  await trader.expectStep('signGrant');
  const [cookie, ...others] = await context.cookies();
  expect(others).toEqual([]);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/v1/auth/session' });
  expect(cookie?.expires).toBeLessThanOrEqual(Date.now() / 1_000 + 30 * DAY_S);
  await page.goto('/privacy');
  await expect(page.getByRole('heading', { name: 'One cookie, to stay signed in' })).toBeVisible();
  await page.goto('/account');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect.poll(() => context.cookies()).toEqual([]);
  expect([...origins]).toEqual([new URL(page.url()).origin]);
});

test('the front page names every market whole, at any width', {
  tag: ['@phone-long', '@long'],
}, async ({ page }) => {
  for (const width of [320, 390, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await expect(page.getByRole('region', { name: 'Biggest moves today' })).toBeVisible();
    const cut = await page.locator('section li a[href^="/markets/"] span').evaluateAll((names) =>
      names
        .filter((name) => getComputedStyle(name).display !== 'inline' && !name.matches('.sr-only'))
        .filter(
          ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
            scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1,
        )
        .map(({ textContent }) => textContent),
    );
    expect(cut, `${width}`).toEqual([]);
  }
});

test('given a returning user, the first screen shows markets and no introduction', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  await page.goto('/');
  const introduction = page.getByRole('region', { name: /^Trade what happens next/ });
  await expect(introduction).toBeVisible();
  await trader.arrive();
  await page.goto('/');
  await expect(page.getByTestId('header-cash')).toBeVisible();
  await expect(introduction).toBeHidden();
  const first = page.getByRole('main').getByRole('article').first().getByRole('link').first();
  await expect(first).toBeInViewport({ ratio: 1 });
});

test('given USDC in the connected wallet, the deposit page offers it before the address', {
  tag: ['@phone', '@long'],
}, async ({ trader, page }) => {
  await trader.arrive();
  const form = page.getByRole('form', { name: 'From your wallet' });
  const code = page.getByRole('region', { name: 'Your deposit address' });
  await page.goto('/deposit');
  await expect(code).toBeVisible();
  await expect(form).toBeHidden();
  await trader.fillWallet(25);
  await page.goto('/deposit');
  await expect(form).toContainText('$25.00 USDC available');
  await expect(form).toBeInViewport({ ratio: 1 });
  const [formBox, codeBox] = [await form.boundingBox(), await code.boundingBox()];
  expect(formBox?.y).toBeLessThan(codeBox?.y ?? 0);
  await form.getByRole('button', { name: 'Max' }).click();
  await page.getByTestId('deposit-button').click();
  await expect(page.getByText('$25.00 received')).toBeVisible();
  await expect(form).toContainText('$0.00 USDC available');
});
