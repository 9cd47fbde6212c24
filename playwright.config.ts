import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, devices } from 'playwright/test';
import { findBrowser } from './e2e/browser.ts';

const browser = await findBrowser();
// The configuration is read once more in every worker; one line is enough.
if (process.env.TEST_WORKER_INDEX === undefined) {
  process.stdout.write(`Browser: ${browser.foundBy}\n`);
}

/**
 * Tags: `@phone` runs also on a phone, `@phone-only` there alone, `@alone` beside nothing else.
 * `npm test` leaves `@long` to `npm run test:long`, and on the phone also `@phone-long`.
 */
export default defineConfig({
  testDir: './e2e',
  testMatch: '**/*.spec.ts',
  outputDir: './test-results',
  // The same pictures for every system: what is compared does not depend on it.
  snapshotPathTemplate: '{testDir}/snapshots/{projectName}/{arg}{ext}',
  globalSetup: './e2e/stack.ts',
  fullyParallel: true,
  forbidOnly: true,
  // Journeys mostly wait for pages and blocks.
  workers: 3,
  // Limits for what hangs; a machine that others share takes three times as long.
  timeout: 180_000,
  // One that needs a second try has failed.
  retries: 0,
  expect: { timeout: 45_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.E2E_REPORT ?? join(tmpdir(), 'crossbook-e2e.json') }],
  ],
  use: {
    baseURL: process.env.SANDBOX_BASE_URL,
    browserName: 'chromium',
    launchOptions: { executablePath: browser.executablePath, args: ['--no-sandbox'] },
    // Without its film, which costs a tenth of the browser's time; a failure has a screenshot.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    // A service worker would hide the page's requests from the tests that delay them.
    serviceWorkers: 'block',
    // Recording needs a download that a machine without Playwright's own browser does not have.
    video: 'off',
  },
  projects: [
    {
      name: 'desktop',
      use: { ...devices['Desktop Chrome'] },
      grepInvert: /@phone-only|@alone/,
    },
    {
      name: 'phone',
      use: { ...devices['Pixel 7'] },
      grep: /@phone/,
      grepInvert: /@alone/,
    },
    // Measurements run alone.
    {
      name: 'budgets',
      use: { ...devices['Pixel 7'] },
      grep: /@alone/,
      dependencies: ['desktop', 'phone'],
      fullyParallel: false,
      workers: 1,
    },
  ],
});
