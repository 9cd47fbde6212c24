import type { Database } from '#server/platform/database/client.ts';
import { followOrders } from './followOrders.ts';
import { storeMessages } from './outbox.ts';
import { pushOrderMessages } from './push/messages.ts';
import { hasSubscriptions } from './push/subscriptions.ts';
import { hasEnabledWebhooks } from './webhooks/manageWebhooks.ts';
import { webhookOrderMessages } from './webhooks/messages.ts';

/**
 * Makes messages of what is new in the orders' log: every step for webhooks, the end for browsers.
 * @returns how many deliveries were made; undefined when another process is doing it
 */
export async function publishOrders(database: Database): Promise<number | undefined> {
  return await followOrders(database, {
    hasTargets: async (tx) => (await hasEnabledWebhooks(tx)) || (await hasSubscriptions(tx)),
    async publishPage(tx, items) {
      const forWebhooks = await webhookOrderMessages(tx, items);
      const forBrowsers = await pushOrderMessages(database, tx, items);
      const stored = await storeMessages(tx, 'webhook', forWebhooks);
      return stored + (await storeMessages(tx, 'push', forBrowsers));
    },
  });
}
