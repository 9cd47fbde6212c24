import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDatabase } from '#sandbox/database/startDatabase.ts';
import { closeDatabase, openDatabase } from '#server/platform/database/client.ts';
import { migrateDatabase } from '#server/platform/database/migrate.ts';
import { accountsCurve } from './growth/accounts.ts';
import { type Curve, measureCurve } from './growth/curve.ts';
import { marketsCurve } from './growth/markets.ts';
import { ordersCurve } from './growth/orders.ts';

/**
 * How the cost of user requests grows with the stored data, each size compared with the smallest:
 * `node bench/growth.ts [orders|markets|accounts]… [sizes…]`, by default all curves and sizes. A
 * cost linear in the stored rows would show their ratio. Ten million orders need some 25 GB of disk
 * during the run.
 */
const CURVES: Record<string, Curve> = {
  orders: ordersCurve,
  markets: marketsCurve,
  accounts: accountsCurve,
};

const named = process.argv.slice(2).filter((argument) => argument in CURVES);
for (const name of named.length > 0 ? named : Object.keys(CURVES)) {
  const curve = CURVES[name];
  if (curve) await measure(curve);
}

/** In a separate database, which is deleted afterwards. */
async function measure(curve: Curve): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
  const server = await startDatabase({ dataDir });
  const database = openDatabase({ url: server.url, applicationName: 'bench', maxConnections: 2 });
  try {
    await migrateDatabase(server.url);
    await measureCurve(database, curve);
  } finally {
    await closeDatabase(database);
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
