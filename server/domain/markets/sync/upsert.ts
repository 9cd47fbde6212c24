import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from '#server/platform/database/client.ts';

/** Columns that the database computes for each row, under the alias `r`. */
export type Computed = { columns: Record<string, SQL>; join: SQL };

const NOTHING_COMPUTED: Computed = { columns: {}, join: sql`` };

/** One column of all rows: a list, or a single value when all rows share it. */
type LaidColumn = { name: string; column: PgColumn; isListed: boolean; value: SQL };

/** Rows of a table in their wire encoding. */
export type LaidOut = readonly LaidColumn[];

/**
 * Encodes rows for {@link upsert}. Each column is sent as one array: at thousands of rows, one
 * parameter per value costs more time than the database itself, and JSON takes three times as long
 * to parse. A value that all rows share is sent once.
 * @param rows keyed by the schema's names, all with the same keys
 * @param key always a list, even for one row: it identifies them
 */
export function layOut<Table extends PgTable>(
  table: Table,
  key: string,
  rows: readonly Table['$inferInsert'][],
): LaidOut {
  const [first] = rows;
  if (!first) return [];
  return Object.entries<PgColumn>(getTableColumns(table))
    .filter(([name]) => name in first)
    .map(([name, column]) => {
      const values = valuesOf(rows, name, column);
      const isListed = name === key || !isUniform(values);
      const value = isListed ? array(column, values) : single(column, values[0] ?? null);
      return { name, column, isListed, value };
    });
}

/** Inserts rows, or updates those whose key exists. */
export async function upsert(
  db: Queryable,
  table: PgTable,
  key: string,
  rows: LaidOut,
  changes: Record<string, SQL>,
  computed: Computed = NOTHING_COMPUTED,
): Promise<void> {
  if (rows.length === 0) return;
  const columns = getTableColumns(table);
  const set = Object.entries(changes).map(
    ([name, value]) => sql`${identifierOf(columns, name)} = ${value}`,
  );
  await db.execute(sql`
    ${insertion(table, rows, computed)}
    on conflict (${identifierOf(columns, key)}) do update set ${joined(set)}`);
}

/**
 * Inserts rows with new keys, a fifth cheaper than {@link upsert}: it neither looks for existing
 * rows first nor marks its own as provisional.
 */
export async function insert(db: Queryable, table: PgTable, rows: LaidOut): Promise<void> {
  if (rows.length > 0) await db.execute(insertion(table, rows, NOTHING_COMPUTED));
}

function insertion(table: PgTable, rows: LaidOut, computed: Computed): SQL {
  const columns = getTableColumns(table);
  const given = rows.filter(({ name }) => !(name in computed.columns));
  const listed = given.filter((one) => one.isListed);
  const alike = given.filter((one) => !one.isListed);
  const worked = Object.entries(computed.columns);
  const names = [
    ...[...listed, ...alike].map(({ column }) => sql.identifier(column.name)),
    ...worked.map(([name]) => identifierOf(columns, name)),
  ];
  const values = [
    ...listed.map(({ column }) => sql`r.${sql.identifier(column.name)}`),
    ...alike.map(({ value }) => value),
    ...worked.map(([, value]) => value),
  ];
  return sql`
    insert into ${sql.identifier(getTableName(table))} (${joined(names)})
    select ${joined(values)}
    from unnest(${joined(listed.map(({ value }) => value))})
      as r (${joined(listed.map(({ column }) => sql.identifier(column.name)))})
    ${computed.join}`;
}

/** Overwrites every column except the named ones. */
export function overwrite(table: PgTable, except: readonly string[]): Record<string, SQL> {
  const columns = Object.entries(getTableColumns(table)).filter(
    ([name, column]) => !except.includes(name) && column.generated === undefined,
  );
  return Object.fromEntries(
    columns.map(([name, column]) => [name, sql`excluded.${sql.identifier(column.name)}`]),
  );
}

function identifierOf(columns: Record<string, PgColumn>, name: string) {
  return sql.identifier(columns[name]?.name ?? name);
}

function joined(parts: readonly unknown[]): SQL {
  return sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );
}

type Value = string | bigint | number | boolean | Date | null;

/** Encodes values of JSON columns as JSON. */
function valuesOf(rows: readonly object[], name: string, column: PgColumn): Value[] {
  const isJson = column.getSQLType() === 'jsonb';
  return rows.map((row) => {
    const value = (row as Record<string, Value | undefined>)[name] ?? null;
    return isJson && value !== null ? JSON.stringify(value) : value;
  });
}

function isUniform(values: readonly Value[]): boolean {
  const [first] = values;
  if (!(first instanceof Date)) return values.every((value) => value === first);
  const at = first.getTime();
  return values.every((value) => value instanceof Date && value.getTime() === at);
}

function single(column: PgColumn, value: Value): SQL {
  const text = value === null ? null : asText(value);
  return sql`${sql.param(text)}::${sql.raw(column.getSQLType())}`;
}

function array(column: PgColumn, values: readonly Value[]): SQL {
  const texts = values.map((value) => (value === null ? null : asText(value)));
  return sql`${sql.param(texts)}::${sql.raw(column.getSQLType())}[]`;
}

function asText(value: NonNullable<Value>): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
