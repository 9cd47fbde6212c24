import pg from 'pg';

/** From this many uses the database keeps a statement. */
const OFTEN = 12;
/** Kept statements; each takes memory in every connection that uses it. */
const MOST_NAMED = 150;
/** Limits the memory for texts that vary with their input and come only once. */
const MOST_COUNTED = 1_000;

/**
 * Names for repeated statements, by which a connection asks the database to keep them prepared:
 * parsing and planning take about a fifth of a statement's time.
 */
export type FrequentStatements = {
  /** The name of a statement; undefined for a rare one. */
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

/** A shorter statement is parsed faster than its name is looked up. */
const WORTH_CHARACTERS = 80;

/** Shared by all connections of this process, which send mostly the same statements. */
const statements = createFrequentStatements();

/**
 * A connection that prepares its frequent statements. Own code instead of a declared prepared
 * statement at each place: reading an order costs PostgreSQL 78 µs of processor time prepared and
 * 245 µs as plain text. Unsuitable behind a transaction pooler, where the next statement may use
 * another connection.
 *
 * A kept statement must always return the same columns, even after a newer release adds some to its
 * tables: hand-written statements name their columns, as the query builder does.
 */
export class PreparingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.query = new Proxy(this.query.bind(this), {
      apply: (ask, _, [query, ...rest]: unknown[]): unknown =>
        Reflect.apply(ask, this, [named(query), ...rest]),
    });
  }
}

function named(query: unknown): unknown {
  if (!isPlainQuery(query) || query.text.length < WORTH_CHARACTERS) return query;
  const name = statements.nameOf(query.text);
  return name === undefined ? query : { ...query, name };
}

/** A query of the query builder: without a name, and not an object that runs itself. */
function isPlainQuery(query: unknown): query is { text: string } {
  return (
    typeof query === 'object' &&
    query !== null &&
    'text' in query &&
    typeof query.text === 'string' &&
    !('submit' in query) &&
    !('name' in query && query.name !== undefined)
  );
}
