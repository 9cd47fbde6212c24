import { defineConfig } from 'vitest/config';

const INTEGRATION = '**/*.integration.test.ts';
const SANDBOX_INTEGRATION = ['{sandbox,scripts}/**/*.integration.test.ts'];
const NOT_OURS = ['node_modules/**', '.next/**', '.data/**', 'e2e/**', 'contracts/{out,cache}/**'];

export default defineConfig({
  test: {
    // A test that is focused or skipped hides the others or itself; neither may reach the main line.
    allowOnly: false,
    // For what hangs, here and below: a machine that others share takes three times as long.
    expect: { poll: { timeout: 120_000 } },
    tags: [{ name: 'long', description: 'Takes long: left to `npm run test:long`.' }],
    // Without isolation: tests keep nothing in modules, and each file would import them anew.
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...NOT_OURS, INTEGRATION],
          environment: 'node',
          isolate: false,
          maxWorkers: '100%',
          // Some try hundreds of inputs, beside other stages.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'components',
          include: ['**/*.test.tsx'],
          exclude: NOT_OURS,
          environment: 'happy-dom',
          isolate: false,
          maxWorkers: '100%',
        },
      },
      {
        // The sandbox's own parts, each started by the test that is about it.
        test: {
          name: 'sandbox',
          isolate: false,
          include: SANDBOX_INTEGRATION,
          exclude: NOT_OURS,
          environment: 'node',
          globalSetup: './sandbox/testing/emptyDatabase.ts',
          testTimeout: 180_000,
          hookTimeout: 300_000,
          maxWorkers: 1,
        },
      },
      {
        // What runs against one whole sandbox, started once for all of them.
        test: {
          name: 'integration',
          isolate: false,
          include: [INTEGRATION],
          exclude: [...NOT_OURS, ...SANDBOX_INTEGRATION],
          environment: 'node',
          globalSetup: './sandbox/testing/globalSetup.ts',
          testTimeout: 180_000,
          hookTimeout: 300_000,
          // Beside one worker of the sandbox's tests: each has several processes to itself.
          maxWorkers: 2,
        },
      },
    ],
  },
});
