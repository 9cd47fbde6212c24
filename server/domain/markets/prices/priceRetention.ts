import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';

/** So long every recorded price is kept; of older days, one each. */
const KEPT_DAYS = 45;

/** Makes the partitions of the coming weeks and drops those that are too old. */
export async function maintainPricePartitions(database: Database): Promise<void> {
  await database.orm.execute(sql`select maintain_price_partitions(${KEPT_DAYS}::int)`);
}
