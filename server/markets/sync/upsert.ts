import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../../db/client.ts';

/**
 * Inserts rows, or changes those whose key is there. All rows travel as one JSON parameter: at
 * thousands of rows, a parameter for each value takes longer than the database does.
 * @param rows by the schema's names, each with the same ones
 */
export async function upsert<Table extends PgTable>(
  database: Database,
  table: Table,
  key: string,
  rows: readonly Table['$inferInsert'][],
  changes: Record<string, SQL>,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = columnsOf(table);
  const names = Object.keys(first).map((name) => identifierOf(columns, name));
  const target = sql.identifier(getTableConfig(table).name);
  const list = sql.join(names, sql`, `);
  const set = Object.entries(changes).map(
    ([name, value]) => sql`${identifierOf(columns, name)} = ${value}`,
  );
  await database.orm.execute(sql`
    insert into ${target} (${list})
    select ${list} from json_populate_recordset(null::${target}, ${toJson(columns, rows)}::json)
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

function columnsOf(table: PgTable): Map<string, string> {
  return new Map(
    Object.entries(getTableColumns(table)).map(([name, column]) => [name, column.name]),
  );
}

function identifierOf(columns: Map<string, string>, name: string) {
  return sql.identifier(columns.get(name) ?? name);
}

function toJson(columns: Map<string, string>, rows: readonly object[]): string {
  const [first = {}] = rows;
  const names = Object.keys(first).map((name) => [name, columns.get(name) ?? name] as const);
  return JSON.stringify(
    rows.map((row) => {
      const values = row as Record<string, unknown>;
      const named: Record<string, unknown> = {};
      for (const [name, column] of names) {
        const value = values[name];
        named[column] = typeof value === 'bigint' ? value.toString() : value;
      }
      return named;
    }),
  );
}
