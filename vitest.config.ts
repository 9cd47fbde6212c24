import { defineConfig } from 'vitest/config';

const INTEGRATION = '**/*.integration.test.ts';
const NOT_OURS = ['node_modules/**', '.next/**', '.data/**', 'e2e/**', 'contracts/{out,cache}/**'];

export default defineConfig({
  test: {
    // A test that is focused or skipped hides the others or itself; neither may reach the main line.
    allowOnly: false,
    passWithNoTests: true,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...NOT_OURS, INTEGRATION],
          environment: 'node',
        },
      },
      {
        test: {
          name: 'components',
          include: ['**/*.test.tsx'],
          exclude: NOT_OURS,
          environment: 'happy-dom',
        },
      },
      {
        test: {
          name: 'integration',
          include: [INTEGRATION],
          exclude: NOT_OURS,
          environment: 'node',
          globalSetup: './sandbox/testing/globalSetup.ts',
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
