import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { MODEL_CONFIRMATIONS } from './faultInjector.ts';

const COMMAND = fileURLToPath(new URL('../../../scripts/reconcile.ts', import.meta.url));

const resultSchema = z.object({
  status: z.string(),
  differences: z.array(z.object({ kind: z.string(), subject: z.string() }).loose()),
  failure: z.string().nullish(),
});

/** The differences that the service's own reconciliation finds. */
export async function checkBooks(dataDir: string): Promise<string[]> {
  const child = spawn(process.execPath, [COMMAND, '--json', '--data', dataDir], {
    env: { ...process.env, CHAIN_CONFIRMATIONS: String(MODEL_CONFIRMATIONS) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const parsed = resultSchema.safeParse(output === '' ? undefined : JSON.parse(output));
  if (!parsed.success) return [`the books could not be compared: ${errors.slice(0, 500)}`];
  const { status, failure, differences } = parsed.data;
  if (status === 'failing') return [`the books could not be compared: ${failure}`];
  return differences.map((one) => `the books differ: ${JSON.stringify(one)}`);
}
