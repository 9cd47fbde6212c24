/** The unfinished input of a form, per wallet. */
export type Draft<T> = {
  of(owner: string): T | undefined;
  keep(owner: string, typed: T): void;
  drop(): void;
};

/**
 * Stores input in this tab, for the wallet that typed it, so that it survives a reload and a wallet
 * that disconnects and reconnects. Unreadable input counts as absent.
 */
export function createDraft<T>(form: string, read: (value: unknown) => T | undefined): Draft<T> {
  const key = `crossbook.draft.${form}`;
  const all = (): Record<string, unknown> => {
    try {
      const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}');
      return typeof stored === 'object' && stored !== null ? { ...stored } : {};
    } catch {
      return {};
    }
  };
  return {
    of: (owner) => read(all()[owner.toLowerCase()]),
    keep: (owner, typed) => {
      try {
        const next = { ...all(), [owner.toLowerCase()]: typed };
        sessionStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Without storage the form still works.
      }
    },
    drop: () => {
      try {
        sessionStorage.removeItem(key);
      } catch {
        // Without storage there is nothing to delete.
      }
    },
  };
}

/** An object whose fields of these names are strings; undefined when it is not one. */
export function readFields<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Record<Name, string> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = Object.entries(value).filter(
    (field): field is [Name, string] =>
      names.some((name) => name === field[0]) && typeof field[1] === 'string',
  );
  if (fields.length !== names.length) return undefined;
  return Object.fromEntries(fields) as Record<Name, string>;
}
