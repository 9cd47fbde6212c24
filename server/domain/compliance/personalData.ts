import { eq } from 'drizzle-orm';
import type { Address } from 'viem';
import type { Database } from '../../platform/database/client.ts';
import { termsAcceptances } from '../../platform/database/schema/compliance.ts';
import { eraseSaved, readSaved, type SavedDeps } from '../accounts/saved/savedItems.ts';
import { eraseAccountData, exportAccountData } from '../accounts/settings.ts';
import { recordAudit } from '../admin/audit.ts';
import { eraseAuthData, exportAuthData } from '../auth/personalData.ts';
import {
  erasePriceAlerts,
  eraseWebhooks,
  exportPriceAlerts,
  exportPush,
  exportWebhooks,
} from '../notifications/personalData.ts';
import { unsubscribeAll } from '../notifications/push/subscriptions.ts';

type Deps = { database: Database };

/**
 * Everything that is stored about a wallet except on-chain data and its orders. Contains no
 * secrets.
 */
export async function exportPersonalData(deps: SavedDeps, owner: Address) {
  const saved = await readSavedOf(deps, owner);
  return await deps.database.orm.transaction(
    async (tx) => ({
      ownerAddress: owner,
      exportedAt: new Date().toISOString(),
      ...(await exportAccountData(tx, owner)),
      ...(await exportAuthData(tx, owner)),
      webhooks: await exportWebhooks(tx, owner),
      saved,
      notifiedBrowsers: await exportPush(tx, owner),
      priceAlerts: await exportPriceAlerts(tx, owner),
      terms: await tx
        .select()
        .from(termsAcceptances)
        .where(eq(termsAcceptances.ownerAddress, owner)),
    }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** An admin's command may run without the keys. */
async function readSavedOf(deps: SavedDeps, owner: Address) {
  if (deps.config.savedItemsKeys.length === 0) return undefined;
  return (await readSaved(deps, owner)).items;
}

/**
 * Deletes personal data: names and origins of keys (which are revoked), webhooks, push
 * subscriptions, price alerts, sign-ins with their IP addresses, settings, what was saved in the browser. Orders,
 * the ledger, on-chain data and accepted terms remain: the law requires them.
 */
export async function erasePersonalData(
  deps: Deps,
  input: { owner: Address; by: string; reason: string },
): Promise<void> {
  const { owner, by, reason } = input;
  await deps.database.orm.transaction(async (tx) => {
    await eraseWebhooks(tx, owner);
    await unsubscribeAll(tx, owner);
    await erasePriceAlerts(tx, owner);
    await eraseAuthData(tx, owner);
    await eraseAccountData(tx, owner);
    await eraseSaved(tx, owner);
    await recordAudit(
      { database: { orm: tx } },
      { actor: by, action: 'erase_personal_data', subject: owner, reason },
    );
  });
}
