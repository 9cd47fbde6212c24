import { SAVED_LIMITS } from '#lib/api/savedLimits.ts';
import type { SavedChange, SavedItem } from '#lib/api/schemas/saved.ts';

/** An item, or what is left of a deleted one: the time of its deletion. */
export type StoredItem = SavedChange;

/** How long a device may be offline until a change it made before a deletion brings the item back. */
const DELETION_DAYS = 30;
const DAY_MS = 86_400_000;

const sameItem = (a: Pick<StoredItem, 'kind' | 'key'>, b: Pick<StoredItem, 'kind' | 'key'>) =>
  a.kind === b.kind && a.key === b.key;

/**
 * The items after these changes, newest first. Of two changes to one item the later counts, in
 * any order of arrival, so that two devices never overwrite each other's other items; a
 * deletion is one of them and is kept for that. A time in the future counts as now: a device with a
 * wrong clock must not win forever.
 */
export function applyChanges(
  items: readonly StoredItem[],
  changes: readonly SavedChange[],
  now: Date,
): StoredItem[] {
  let next = [...items];
  for (const change of changes) {
    const changedAt = new Date(Math.min(Date.parse(change.changedAt), now.getTime()));
    const known = next.find((one) => sameItem(one, change));
    if (known && Date.parse(known.changedAt) > changedAt.getTime()) continue;
    const { kind, key, value } = change;
    next = next.filter((one) => one !== known);
    next.push({ kind, key, value, changedAt: changedAt.toISOString() });
  }
  const forgotten = now.getTime() - DELETION_DAYS * DAY_MS;
  return withinLimits(
    next.filter(({ value, changedAt }) => value !== null || Date.parse(changedAt) > forgotten),
  );
}

/** What the owner has: all but the deletions. */
export function presentItems(items: readonly StoredItem[]): SavedItem[] {
  return items.flatMap(({ value, ...item }) => (value === null ? [] : [{ ...item, value }]));
}

/** Deletions are as many as items at the most, and take none of their places. */
function withinLimits(items: StoredItem[]): StoredItem[] {
  const counts = new Map<string, number>();
  return items
    .toSorted((a, b) => Date.parse(b.changedAt) - Date.parse(a.changedAt))
    .filter(({ kind, value }) => {
      const id = `${kind} ${value === null}`;
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      return count <= SAVED_LIMITS[kind];
    });
}
