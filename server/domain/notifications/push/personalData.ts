import { eq } from 'drizzle-orm';
import type { PushSubscriptionResponse } from '#lib/api/schemas/push.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { pushSubscriptions } from '#server/platform/database/schema/push.ts';
import { describeSubscription } from './subscriptions.ts';

/** The browsers in which a wallet is notified, without what would let others reach them. */
export async function exportPush(
  db: Queryable,
  owner: string,
): Promise<PushSubscriptionResponse[]> {
  const rows = await db
    .select()
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.ownerAddress, owner));
  return rows.map(describeSubscription);
}
