import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from '../../db/client.ts';

/**
 * Inserts rows, or changes those whose key is there. Each column travels as one array: at thousands
 * of rows, a parameter for each value takes longer than the database does, and rows as JSON take it
 * three times as long to read.
 * @param rows by the schema's names, each with the same ones
 */
export async function upsert<Table extends PgTable>(
  db: Queryable,
  table: Table,
  key: string,
  rows: readonly Table['$inferInsert'][],
  changes: Record<string, SQL>,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = getTableColumns(table);
  const given = Object.entries<PgColumn>(columns).filter(([name]) => name in first);
  const list = sql.raw(given.map(([, column]) => `"${column.name}"`).join(', '));
  const arrays = given.map(
    ([name, column]) =>
      sql`${sql.param(textsOf(rows, name, column))}::${sql.raw(column.getSQLType())}[]`,
  );
  const set = Object.entries(changes).map(
    ([name, value]) => sql`${identifierOf(columns, name)} = ${value}`,
  );
  await db.execute(sql`
    insert into ${sql.identifier(getTableName(table))} (${list})
    select * from unnest(${sql.join(arrays, sql`, `)}) as r (${list})
    on conflict (${identifierOf(columns, key)}) do update set ${sql.join(set, sql`, `)}`);
}

/** Every column but the named ones takes the new value. */
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

/** What a column of JSON holds besides is written as JSON. */
type Value = string | bigint | number | boolean | Date | null | undefined;

function textsOf(rows: readonly object[], name: string, column: PgColumn): (string | null)[] {
  const isJson = column.getSQLType() === 'jsonb';
  return rows.map((row) => {
    const value = (row as Record<string, Value>)[name];
    if (value === null || value === undefined) return null;
    if (isJson) return JSON.stringify(value);
    if (value instanceof Date) return value.toISOString();
    return String(value);
  });
}
