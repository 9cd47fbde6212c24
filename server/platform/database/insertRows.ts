import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from './client.ts';
import { jsonForRows } from './jsonForRows.ts';

/**
 * Inserts rows as one parameter: a parameter for each field would take longer to send and parse
 * than the rows. Rows that exist already stay as they are.
 * @param options.returning a text column, returned for each new row
 */
export async function insertRows<Table extends PgTable>(
  db: Queryable,
  table: Table,
  rows: readonly Table['$inferInsert'][],
  options: { returning?: PgColumn } = {},
): Promise<string[]> {
  if (rows.length === 0) return [];
  const columns = Object.entries<PgColumn>(getTableColumns(table));
  const values = rows.map((row) => {
    const given: Record<string, unknown> = row;
    return Object.fromEntries(columns.map(([key, column]) => [column.name, given[key]]));
  });
  const names = list(columns.map(([, { name }]) => `"${name}"`));
  const typed = list(columns.map(([, column]) => `"${column.name}" ${column.getSQLType()}`));
  const { returning } = options;
  const response = await db.execute<{ value: string }>(sql`
    insert into ${sql.identifier(getTableName(table))} (${names})
    select ${names} from jsonb_to_recordset(${jsonForRows(values)}::jsonb) as r (${typed})
    on conflict do nothing
    ${returning ? sql`returning ${sql.identifier(returning.name)} as value` : sql``}`);
  return response.rows.map((row) => row.value);
}

function list(texts: readonly string[]): SQL {
  return sql.raw(texts.join(', '));
}
