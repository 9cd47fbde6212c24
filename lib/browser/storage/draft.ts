/** What is half typed in a form, for each wallet that types. */
export type Draft<T> = {
  of(owner: string): T | undefined;
  keep(owner: string, typed: T): void;
  drop(): void;
};

/**
 * Keeps what is typed where neither a reload nor a wallet that leaves and comes back takes it along:
 * in this tab, and for the wallet it was typed with. What cannot be read counts as absent.
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
        // A browser that keeps nothing shows the form all the same.
      }
    },
    drop: () => {
      try {
        sessionStorage.removeItem(key);
      } catch {
        // Then nothing was kept either.
      }
    },
  };
}

/** An object whose fields of these names are texts; undefined when it is none. */
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
