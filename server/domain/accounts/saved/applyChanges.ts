import { SAVED_LIMITS } from '#lib/api/savedLimits.ts';
import type { SavedChange, SavedItem } from '#lib/api/schemas/saved.ts';

const sameItem = (a: Pick<SavedItem, 'kind' | 'key'>, b: Pick<SavedItem, 'kind' | 'key'>) =>
  a.kind === b.kind && a.key === b.key;

/**
 * The items after these changes, newest first. Of two changes to one item the later counts, in
 * whatever order they arrive, so that two devices never overwrite each other's other items. A time in
 * the future counts as now: a device with a wrong clock must not win forever.
 */
export function applyChanges(
  items: readonly SavedItem[],
  changes: readonly SavedChange[],
  now: Date,
): SavedItem[] {
  let next = [...items];
  for (const change of changes) {
    const changedAt = new Date(Math.min(Date.parse(change.changedAt), now.getTime()));
    const known = next.find((one) => sameItem(one, change));
    if (known && Date.parse(known.changedAt) > changedAt.getTime()) continue;
    const { kind, key, value } = change;
    next = next.filter((one) => one !== known);
    if (value !== null) next.push({ kind, key, value, changedAt: changedAt.toISOString() });
  }
  return withinLimits(next);
}

function withinLimits(items: SavedItem[]): SavedItem[] {
  const counts = new Map<string, number>();
  return items
    .toSorted((a, b) => Date.parse(b.changedAt) - Date.parse(a.changedAt))
    .filter(({ kind }) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return count <= SAVED_LIMITS[kind];
    });
}
