const ROWS_A_STATEMENT = 1_000;

/** Splits a list into chunks for one statement each. */
export function parts<T>(items: readonly T[], size = ROWS_A_STATEMENT): T[][] {
  const made: T[][] = [];
  for (let from = 0; from < items.length; from += size) made.push(items.slice(from, from + size));
  return made;
}
