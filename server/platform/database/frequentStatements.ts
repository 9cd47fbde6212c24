/** A statement that was asked so often is worth being kept by the database. */
const OFTEN = 12;
/** How many are kept: each takes memory of every connection that uses it. */
const MOST_NAMED = 150;
/** Texts whose length varies with their input come once each; they are not to fill the memory. */
const MOST_COUNTED = 1_000;

/**
 * Names for statements that come again and again, by which a connection asks the database to keep
 * them ready: reading and planning a statement of ours takes it about a fifth of its time.
 */
export type FrequentStatements = {
  /** The name of a statement; undefined for one that has not come often. */
  nameOf(text: string): string | undefined;
};

export function createFrequentStatements(): FrequentStatements {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return {
    nameOf(text) {
      const name = names.get(text);
      if (name !== undefined || names.size >= MOST_NAMED) return name;
      const count = (counts.get(text) ?? 0) + 1;
      if (count < OFTEN) {
        if (counts.size >= MOST_COUNTED) counts.clear();
        counts.set(text, count);
        return undefined;
      }
      counts.delete(text);
      const added = `crossbook_${names.size}`;
      names.set(text, added);
      return added;
    },
  };
}
