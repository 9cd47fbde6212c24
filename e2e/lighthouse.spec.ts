import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import lighthouse from 'lighthouse';
import { type BrowserContext, chromium, expect } from 'playwright/test';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { findBrowser } from './browser.ts';
import { sandbox } from './sandbox.ts';
import { Trader, test } from './trader.ts';

/** What a page must reach: the list is where people arrive, the others have no target of their own. */
type Target = { performance: number; paintMs: number; isPersonal?: boolean };
const LIST: Target = { performance: 90, paintMs: 1_800 };
const MARKET: Target = { performance: 70, paintMs: 1_800 };
/** Its largest element is the total value, which only the browser can ask for. */
const PORTFOLIO: Target = { performance: 70, paintMs: 2_500, isPersonal: true };

/** Categories whose audits do not depend on the machine: each audit is met. */
const STEADY = ['accessibility', 'best-practices', 'seo'] as const;

const MOST_SHIFT = 0.02;
type Measure = 'largest-contentful-paint' | 'cumulative-layout-shift';

/** What `robots.txt` asks of search engines for pages about one visitor. */
const NOT_CRAWLABLE = 'is-crawlable';

type Seen = {
  performance: number;
  /** Audits that are not met. */
  flaws: string[];
  measures: Record<Measure, number>;
  benchmarkIndex: number;
};

/**
 * The speed of Lighthouse's phone by its own index: four times slower than the middle of high-end
 * desktops, 1,500 to 2,000. Its constant factor of four makes a slower phone of a slower machine
 * (https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md#calibrating-the-cpu-slowdown).
 */
const PHONE_INDEX = 1_750 / 4;

/** How many times slower the phone is than a machine with this index. */
const slowdownOf = (index: number) => Math.min(4, Math.max(1, index / PHONE_INDEX));

/** A single score depends on the machine's other load, so the median counts. */
const ROUNDS = 5;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

// Recording a trace makes a page several times slower.
test.use({ trace: 'off', screenshot: 'off' });

test.describe('Lighthouse on a phone reports no issues:', {
  tag: ['@alone', '@long'],
}, () => {
  test.setTimeout(300_000);
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

  async function look(path: string, cpuSlowdownMultiplier: number): Promise<Seen> {
    const result = await lighthouse(`${sandbox().baseUrl}${path}`, {
      port,
      output: 'json',
      logLevel: 'error',
      onlyCategories: ['performance', ...STEADY],
      formFactor: 'mobile',
      throttling: { cpuSlowdownMultiplier },
      // The visitor is signed in: that lives in the browser's storage.
      disableStorageReset: true,
    });
    const { categories = {}, audits = {}, environment } = result?.lhr ?? {};
    const flaws = STEADY.flatMap((name) => categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id);
    const measure = (name: Measure) => audits[name]?.numericValue ?? Number.POSITIVE_INFINITY;
    return {
      performance: Math.round((categories.performance?.score ?? 0) * 100),
      flaws,
      measures: {
        'largest-contentful-paint': measure('largest-contentful-paint'),
        'cumulative-layout-shift': measure('cumulative-layout-shift'),
      },
      benchmarkIndex: environment?.benchmarkIndex ?? Number.NaN,
    };
  }

  async function expectScores(path: string, target: Target): Promise<void> {
    const seen: Seen[] = [];
    const slowdown = slowdownOf((await look(path, 1)).benchmarkIndex);
    for (let round = 0; round < ROUNDS; round += 1) seen.push(await look(path, slowdown));
    const all = `${path}, ${slowdown.toFixed(1)} times slower: ${JSON.stringify(seen)}`;
    const half = {
      performance: median(seen.map((one) => one.performance)),
      paintMs: median(seen.map((one) => one.measures['largest-contentful-paint'])),
    };
    expect(half.performance, all).toBeGreaterThanOrEqual(target.performance);
    expect(half.paintMs, all).toBeLessThanOrEqual(target.paintMs);
    for (const { flaws, measures } of seen) {
      expect(flaws, all).toEqual(target.isPersonal ? [NOT_CRAWLABLE] : []);
      expect(measures['cumulative-layout-shift'], all).toBeLessThanOrEqual(MOST_SHIFT);
    }
    test.info().annotations.push({ type: 'seen', description: all });
  }

  test('the list of markets', async () => {
    await expectScores('/', LIST);
  });

  test('a market', async ({ page }) => {
    const { ticker } = await new Trader(page).findMarket(0);
    await expectScores(`/markets/${ticker}`, MARKET);
  });

  test('the portfolio of an active trader', async () => {
    const visit = await context.newPage();
    const trader = new Trader(visit, sandbox().demoWallets[0]?.privateKey);
    await trader.arrive();
    for (const index of [36, 40, 44, 47]) {
      const { ticker } = await trader.findMarket(index);
      await trader.buyDirectly(ticker, '2');
    }
    await visit.goto(`${sandbox().baseUrl}/portfolio`);
    await expect(visit.getByRole('row', { name: /Yes/ }).first()).toBeVisible();
    await visit.close();
    await expectScores('/portfolio', PORTFOLIO);
  });
});
