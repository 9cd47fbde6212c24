import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';

/** Every recorded price is kept this long; of older days, one each. */
const KEPT_DAYS = 45;

/** Creates the partitions of the coming weeks and drops expired ones. */
export async function maintainPricePartitions(database: Database): Promise<void> {
  await database.orm.execute(sql`select maintain_price_partitions(${KEPT_DAYS}::int)`);
}
