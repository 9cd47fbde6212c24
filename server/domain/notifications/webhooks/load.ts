import { sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';

/** Messages that wait for their webhook, and for how long the most overdue has been due. */
export async function readDeliveryLoad(
  db: Queryable,
): Promise<{ pending: number; overdueSeconds: number }> {
  const { rows } = await db.execute<{ pending: number; overdue: number }>(sql`
    select count(*)::int as pending,
      greatest(0, coalesce(extract(epoch from now() - min(next_attempt_at)), 0))::float8 as overdue
    from webhook_deliveries where status = 'pending'`);
  const [row] = rows;
  return { pending: row?.pending ?? 0, overdueSeconds: row?.overdue ?? 0 };
}
