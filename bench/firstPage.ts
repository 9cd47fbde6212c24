import { type Browser, chromium } from 'playwright';
import { createClient } from '#lib/api/client.ts';
import { findBrowser } from '../e2e/browser.ts';
import { startBarePage } from './harness/barePage.ts';
import { isQuick } from './harness/options.ts';
import { withService } from './harness/service.ts';
import { percentile, report } from './report.ts';

/**
 * How soon the largest part of the dashboard's first page is painted, against a bare page of the
 * same Next, built the same way, that shows as many lines of text. Both on a phone's screen, with
 * nothing kept from an earlier visit, in turns.
 */
const VISITS = isQuick ? 5 : 15;
const PHONE = { viewport: { width: 412, height: 839 }, deviceScaleFactor: 2.625, isMobile: true };
/** Later paints do not belong to the first page. */
const SETTLED_MS = 500;

type Visit = { largestMs: number; firstMs: number; bytes: number };

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const paint = { ms: 0, at: 0 };
      Object.assign(window, { paint });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          paint.ms = entry.startTime;
          paint.at = performance.now();
        }
      }).observe({ type: 'largest-contentful-paint', buffered: true });
    });
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForFunction((settledMs) => {
      const { paint } = window as unknown as { paint: { ms: number; at: number } };
      return paint.ms > 0 && performance.now() - paint.at > settledMs;
    }, SETTLED_MS);
    return await page.evaluate(() => {
      const { paint } = window as unknown as { paint: { ms: number } };
      const entries = performance.getEntries() as PerformanceResourceTiming[];
      const [first] = performance.getEntriesByName('first-contentful-paint');
      const bytes = entries.reduce((sum, entry) => sum + (entry.transferSize ?? 0), 0);
      return { largestMs: paint.ms, firstMs: first?.startTime ?? Number.NaN, bytes };
    });
  } finally {
    await context.close();
  }
}

await withService(
  async (service) => {
    const { markets } = await createClient(service).listMarkets({ limit: 20, status: 'open' });
    const bare = await startBarePage(markets.map((one) => `${one.title} ${one.yesAsk}¢`));
    const { executablePath } = await findBrowser();
    const browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: ['--no-sandbox'],
    });
    try {
      const ours: Visit[] = [];
      const baseline: Visit[] = [];
      for (let round = -2; round < VISITS; round += 1) {
        const pair = [await visit(browser, `${service.baseUrl}/`), await visit(browser, bare.url)];
        // The servers' first responses are a warm-up.
        if (round < 0) continue;
        if (pair[0]) ours.push(pair[0]);
        if (pair[1]) baseline.push(pair[1]);
      }
      const median = (visits: Visit[], of: (visit: Visit) => number) =>
        percentile(visits.map(of), 0.5);
      const row = (name: string, unit: string, of: (visit: Visit) => number) => ({
        name,
        unit,
        ours: median(ours, of),
        baseline: median(baseline, of),
      });
      report('First page of the dashboard (baseline: a bare page of the same Next)', [
        row('largest contentful paint', 'ms', (one) => one.largestMs),
        row('first contentful paint', 'ms', (one) => one.firstMs),
        row('transferred', 'KiB', (one) => one.bytes / 1_024),
      ]);
    } finally {
      await browser.close();
      await bare.stop();
    }
  },
  { environment: { SERVE_PAGES: 'true' } },
);
