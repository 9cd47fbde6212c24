import type { SavedChange, SavedItem } from '#lib/api/schemas/saved.ts';

/** What a browser holds: items without the time of their change. */
export type HeldItem = Pick<SavedItem, 'kind' | 'key' | 'value'>;

export const idOf = ({ kind, key }: Pick<SavedItem, 'kind' | 'key'>): string => `${kind} ${key}`;

type Difference = Pick<SavedChange, 'kind' | 'key' | 'value'>;

/** What turned `before` into `after`. */
export function differences(before: readonly HeldItem[], after: readonly HeldItem[]): Difference[] {
  const old = new Map(before.map((item) => [idOf(item), item]));
  const present = new Set(after.map(idOf));
  return [
    ...after
      .filter((item) => old.get(idOf(item))?.value !== item.value)
      .map(({ kind, key, value }) => ({ kind, key, value })),
    ...before
      .filter((item) => !present.has(idOf(item)))
      .map(({ kind, key }) => ({ kind, key, value: null })),
  ];
}

/** The items after these differences; added and changed ones come first. */
export function withDifferences(
  items: readonly HeldItem[],
  changes: readonly Difference[],
): HeldItem[] {
  const changed = new Set(changes.map(idOf));
  const added = changes.flatMap(({ kind, key, value }) =>
    value === null ? [] : [{ kind, key, value }],
  );
  return [...added, ...items.filter((item) => !changed.has(idOf(item)))];
}

/**
 * Changes to send on the first sign-in of an account in this browser: all that it holds, except what
 * it got from another account. Its list order becomes the order of the times. The time of a
 * preference is unknown, so one that the account already has wins.
 */
export function firstChanges(
  held: readonly HeldItem[],
  ofOtherAccount: readonly HeldItem[],
  nowMs: number,
): SavedChange[] {
  return withoutForeign(held, ofOtherAccount).map(({ kind, key, value }, index) => ({
    kind,
    key,
    value,
    changedAt: new Date(kind === 'preference' ? 0 : nowMs - index).toISOString(),
  }));
}

function withoutForeign(held: readonly HeldItem[], foreign: readonly HeldItem[]): HeldItem[] {
  const theirs = new Map(foreign.map((item) => [idOf(item), item.value]));
  return held.filter((item) => theirs.get(idOf(item)) !== item.value);
}
