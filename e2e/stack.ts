import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVERS } from '#sandbox/stack/startStack.ts';
import { startTestStack } from '#sandbox/testing/testStack.ts';
import { sandbox } from './sandbox.ts';

/**
 * Starts the sandbox that all journeys share. SANDBOX_DESCRIPTION=.data/sandbox.json runs them
 * against one that is already running.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.SANDBOX_DESCRIPTION) {
    process.env.SANDBOX_BASE_URL = sandbox().baseUrl;
    return async () => undefined;
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-e2e-'));
  const stack = await startTestStack({ dataDir, servers: SERVERS });
  process.env.SANDBOX_DESCRIPTION = stack.folder.description;
  process.env.SANDBOX_BASE_URL = stack.description().baseUrl;
  return async () => {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
