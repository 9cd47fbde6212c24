import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Stack } from '#sandbox/stack/startStack.ts';
import { startTestStack } from './testStack.ts';

type Options = Omit<Parameters<typeof startTestStack>[0], 'dataDir'>;

const START_TIMEOUT_MS = 180_000;

/**
 * A stack of a test file's own, without pages: it starts before the file's other hooks, and is
 * stopped and deleted after its tests.
 */
export function ownTestStack(
  name: string,
  { environment, ...options }: Options = {},
): Pick<Stack, 'description'> & { dataDir: string } {
  const dataDir = mkdtempSync(join(tmpdir(), `crossbook-${name}-`));
  let stack: Stack | undefined;
  beforeAll(async () => {
    const withoutPages = { SERVE_PAGES: 'false', ...environment };
    stack = await startTestStack({ ...options, dataDir, environment: withoutPages });
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await stack?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    dataDir,
    description() {
      if (!stack) throw new Error('the stack of this file has not started');
      return stack.description();
    },
  };
}
