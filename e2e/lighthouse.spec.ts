import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import lighthouse from 'lighthouse';
import { type BrowserContext, chromium, expect } from 'playwright/test';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { findBrowser } from './browser.ts';
import { sandbox } from './sandbox.ts';
import { Trader, test } from './trader.ts';

const LEAST = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };
type Category = keyof typeof LEAST;

/** How often a page may be looked at anew: the first score depends on what else the machine does. */
const ROUNDS = 3;

test.describe('Lighthouse on a phone finds nothing to improve:', {
  tag: ['@alone', '@long'],
}, () => {
  test.setTimeout(240_000);
  let context: BrowserContext;
  let port: number;
  let profile: string;

  test.beforeAll(async () => {
    port = await anyFreePort();
    profile = mkdtempSync(join(tmpdir(), 'crossbook-lighthouse-'));
    const { executablePath } = await findBrowser();
    context = await chromium.launchPersistentContext(profile, {
      ...(executablePath && { executablePath }),
      args: ['--no-sandbox', `--remote-debugging-port=${port}`],
    });
  });

  test.afterAll(async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  });

  async function scores(path: string): Promise<Record<Category, number>> {
    const result = await lighthouse(`${sandbox().baseUrl}${path}`, {
      port,
      output: 'json',
      logLevel: 'error',
      onlyCategories: Object.keys(LEAST),
      formFactor: 'mobile',
      // The visitor is signed in: that lives in the browser's storage.
      disableStorageReset: true,
    });
    const categories = result?.lhr.categories ?? {};
    const score = (name: Category) => Math.round((categories[name]?.score ?? 0) * 100);
    return {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    };
  }

  async function expectScores(path: string): Promise<void> {
    const seen: Record<Category, number>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const now = await scores(path);
      seen.push(now);
      if (now.performance >= LEAST.performance) break;
    }
    const best = seen.at(-1);
    for (const [name, least] of Object.entries(LEAST)) {
      expect(best?.[name as Category], `${path}: ${JSON.stringify(seen)}`).toBeGreaterThanOrEqual(
        least,
      );
    }
  }

  test('the list of markets', async () => {
    await expectScores('/');
  });

  test('a market', async ({ page }) => {
    const { ticker } = await new Trader(page).findMarket(0);
    await expectScores(`/markets/${ticker}`);
  });

  test('the portfolio of somebody who trades', async () => {
    const visit = await context.newPage();
    const trader = new Trader(visit, sandbox().demoWallets[0]?.privateKey);
    await trader.arrive();
    const { ticker } = await trader.findMarket(36);
    await trader.buyDirectly(ticker, '2');
    await visit.goto(`${sandbox().baseUrl}/portfolio`);
    await expect(visit.getByRole('row', { name: /Yes/ }).first()).toBeVisible();
    await visit.close();
    await expectScores('/portfolio');
  });
});
