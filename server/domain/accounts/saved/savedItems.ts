import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type SavedChange, type SavedList, savedChangeSchema } from '#lib/api/schemas/saved.ts';
import type { Database, Queryable } from '../../../platform/database/client.ts';
import { isOneOf } from '../../../platform/database/isOneOf.ts';
import { savedItems } from '../../../platform/database/schema/accounts.ts';
import { createSeal } from '../../../platform/keys/seal.ts';
import { applyChanges, presentItems, type StoredItem } from './applyChanges.ts';

/**
 * What an owner saved in the browser. One encrypted row per owner: it is small, and neither the
 * database nor its copies show whom an owner sends funds to.
 */
export type SavedDeps = { database: Database; config: { savedItemsKeys: readonly string[] } };

const listSchema = z.array(savedChangeSchema);

function itemsOf({ config }: Pick<SavedDeps, 'config'>, owner: string, sealed: string) {
  return listSchema.parse(JSON.parse(createSeal(config.savedItemsKeys).open(sealed, owner)));
}

export async function readSaved(deps: SavedDeps, owner: string): Promise<SavedList> {
  const [row] = await deps.database.orm
    .select()
    .from(savedItems)
    .where(eq(savedItems.ownerAddress, owner));
  if (!row) return { version: 0, items: [] };
  return { version: row.version, items: presentItems(itemsOf(deps, owner, row.sealed)) };
}

/** Changes single items; concurrent requests of one owner wait for each other. */
export async function changeSaved(
  deps: SavedDeps,
  owner: string,
  changes: readonly SavedChange[],
): Promise<SavedList> {
  const { seal } = createSeal(deps.config.savedItemsKeys);
  const sealedOf = (items: StoredItem[]) => seal(JSON.stringify(items), owner);
  return await deps.database.orm.transaction(async (tx) => {
    await tx
      .insert(savedItems)
      .values({ ownerAddress: owner, version: 0, sealed: sealedOf([]) })
      .onConflictDoNothing();
    const [row] = await tx
      .select()
      .from(savedItems)
      .where(eq(savedItems.ownerAddress, owner))
      .for('update');
    if (!row) throw new Error('the row that was just inserted is missing');
    const items = applyChanges(itemsOf(deps, owner, row.sealed), changes, new Date());
    const version = row.version + 1;
    await tx
      .update(savedItems)
      .set({ version, sealed: sealedOf(items), updatedAt: sql`now()` })
      .where(eq(savedItems.ownerAddress, owner));
    return { version, items: presentItems(items) };
  });
}

/** The version of each of these owners who saved anything. */
export async function listSavedVersions(
  db: Queryable,
  owners: readonly string[],
): Promise<Map<string, number>> {
  if (owners.length === 0) return new Map();
  const rows = await db
    .select({ owner: savedItems.ownerAddress, version: savedItems.version })
    .from(savedItems)
    .where(isOneOf(savedItems.ownerAddress, owners));
  return new Map(rows.map(({ owner, version }) => [owner, version]));
}

export async function eraseSaved(db: Queryable, owner: string): Promise<void> {
  await db.delete(savedItems).where(eq(savedItems.ownerAddress, owner));
}
