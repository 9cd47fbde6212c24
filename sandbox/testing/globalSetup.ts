import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { SERVERS } from '#sandbox/stack/startStack.ts';
import { startTestStack } from './testStack.ts';

/** One sandbox for all integration tests; those that break things start their own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-integration-'));
  // The same tests against the other mount of the interface.
  const environment = process.env.TEST_MOUNT === 'next' ? { API_MOUNT: 'next' } : {};
  const stack = await startTestStack({ dataDir, environment, servers: SERVERS });
  project.provide('sandbox', stack.description());
  return async () => {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
