import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from 'playwright/test';
import { IS_LONG_RUN } from '#sandbox/testing/longRun.ts';
import { type AdminRole, addAdmin } from '#server/domain/admin/admins.ts';
import { closeDatabase, openDatabase } from '#server/platform/database/client.ts';
import { sandbox } from './sandbox.ts';

/** An admin, at the admin page. */

/** Views whose accessibility is checked in a short run: figures, and a table with filters. */
const SAMPLE = new Set(['Overview', 'Orders']);

async function letIn(role: AdminRole): Promise<{ name: string; token: string }> {
  const url = sandbox().databaseUrl;
  const database = openDatabase({ url, applicationName: 'crossbook-e2e', maxConnections: 2 });
  try {
    const name = `Journey ${role} ${Date.now()}`;
    const { token } = await addAdmin(
      { database },
      { name, role, by: 'journey', reason: 'to walk through it' },
    );
    return { name, token };
  } finally {
    await closeDatabase(database);
  }
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.goto('/operator');
  await page.getByLabel('Admin token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('navigation', { name: 'Operations' })).toBeVisible();
}

async function expectNoViolations(page: Page, where: string): Promise<void> {
  await expect(page.locator('.skeleton')).toHaveCount(0);
  // A button that has just been enabled fades in.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished),
    ),
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(' ')}`);
  expect(found, where).toEqual([]);
}

test('admins see every part, and actions with a reason are logged', async ({ page }) => {
  test.slow();
  const { name, token } = await letIn('act');
  await page.goto('/operator');
  await expectNoViolations(page, 'sign-in');
  await page.getByLabel('Admin token').fill('cbo_nobody');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'unknown, revoked or expired',
  );
  await signIn(page, token);

  for (const view of ['Overview', 'Orders', 'Limits', 'Settlements', 'Alerts', 'Audit log']) {
    const link = page.getByRole('link', { name: view, exact: true });
    await link.click();
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(page.locator('.skeleton')).toHaveCount(0);
    if (IS_LONG_RUN || SAMPLE.has(view)) await expectNoViolations(page, view);
  }

  const ticker = `JOURNEY-${Date.now()}`;
  await page.getByRole('link', { name: 'Trading', exact: true }).click();
  await page.getByLabel('Suspend a market').fill(ticker);
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Suspend' });
  await expect(dialog.getByRole('button', { name: 'Suspend' })).toBeDisabled();
  await dialog.getByLabel('Reason').fill('to see whether it works');
  await expectNoViolations(page, 'the dialog');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  const line = page.getByRole('row', { name: new RegExp(ticker) });
  await expect(line).toContainText(name);
  await line.getByRole('button', { name: /^Lift/ }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('it did');
  await page.getByRole('dialog').getByRole('button', { name: 'Lift' }).click();
  await expect(line).toHaveCount(0);

  await page.goto('/operator?view=audit');
  await page.getByLabel('Filter by target').fill(ticker);
  await expect(page.getByRole('row')).toHaveCount(3);
  await expect(page.getByRole('row').nth(2)).toContainText('to see whether it works');
});

test('a read-only admin sees no action buttons', { tag: ['@phone', '@long'] }, async ({ page }) => {
  const { token } = await letIn('watch');
  await signIn(page, token);
  await page.goto('/operator?view=trading');
  await expect(page.getByText('Trading is active')).toBeVisible();
  await expect(page.getByRole('button')).toHaveText(['Sign out']);
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways).toBe(0);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByLabel('Admin token')).toBeVisible();
});
