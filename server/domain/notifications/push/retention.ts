import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';

/** Longer than anything could be told again, which it is kept to prevent. */
const KEEP_DAYS = 7;
const ROWS_AT_ONCE = 5_000;

/** Gives up what is no news any more, and removes what is old or whose browser is gone. */
export async function deletePastNotifications(database: Database): Promise<void> {
  await database.orm.execute(sql`
    update push_deliveries set status = 'failed', next_attempt_at = null
    where status = 'pending' and expires_at <= now()`);
  await database.orm.execute(sql`
    delete from push_deliveries where id in (
      select d.id from push_deliveries d
      where d.created_at < now() - ${KEEP_DAYS} * interval '1 day'
        or not exists (select 1 from push_subscriptions s where s.id = d.subscription_id)
      limit ${ROWS_AT_ONCE})`);
}
