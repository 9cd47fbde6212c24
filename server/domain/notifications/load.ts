import { sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import type { Channel } from '#server/platform/database/schema/notifications.ts';

export type DeliveryLoad = { pending: number; overdueSeconds: number };

/** By channel, deliveries that wait, and for how long the most overdue has been due. */
export async function readDeliveryLoad(db: Queryable): Promise<Record<Channel, DeliveryLoad>> {
  const { rows } = await db.execute<DeliveryLoad & { channel: Channel }>(sql`
    select channel, count(*)::int as pending,
      greatest(0, extract(epoch from now() - min(next_attempt_at)))::float8 as "overdueSeconds"
    from notification_deliveries
    where status = 'pending' and (expires_at is null or expires_at > now())
    group by channel`);
  const none = { pending: 0, overdueSeconds: 0 };
  const of = (channel: Channel) => rows.find((row) => row.channel === channel) ?? none;
  return { webhook: of('webhook'), push: of('push') };
}
