import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { arrayParameter, asText } from '../../db/arrayParameter.ts';
import type { Queryable } from '../../db/client.ts';

/** Columns that the database works out for each row, which it calls `r`. */
export type Computed = { columns: Record<string, SQL>; join: SQL };

/**
 * Inserts rows, or changes those whose key is there. Each column travels as one array: at thousands
 * of rows, a parameter for each value takes longer than the database does, and rows as JSON take it
 * three times as long to read. What all rows hold alike travels once.
 * @param rows by the schema's names, each with the same ones
 */
export async function upsert<Table extends PgTable>(
  db: Queryable,
  table: Table,
  key: string,
  rows: readonly Table['$inferInsert'][],
  changes: Record<string, SQL>,
  computed: Computed = { columns: {}, join: sql`` },
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = getTableColumns(table);
  const given = Object.entries<PgColumn>(columns)
    .filter(([name]) => name in first && !(name in computed.columns))
    .map(([name, column]) => columnOf(rows, name, column));
  // What the rows are told apart by always is a list, however many there are.
  const listed = given.filter(({ name, values }) => name === key || !isUniform(values));
  const alike = given.filter((column) => !listed.includes(column));
  const worked = Object.entries(computed.columns);
  const names = [
    ...[...listed, ...alike].map(({ column }) => sql.identifier(column.name)),
    ...worked.map(([name]) => identifierOf(columns, name)),
  ];
  const values = [
    ...listed.map(({ column }) => sql`r.${sql.identifier(column.name)}`),
    ...alike.map(single),
    ...worked.map(([, value]) => value),
  ];
  const set = Object.entries(changes).map(
    ([name, value]) => sql`${identifierOf(columns, name)} = ${value}`,
  );
  await db.execute(sql`
    insert into ${sql.identifier(getTableName(table))} (${joined(names)})
    select ${joined(values)}
    from unnest(${joined(listed.map(array))})
      as r (${joined(listed.map(({ column }) => sql.identifier(column.name)))})
    ${computed.join}
    on conflict (${identifierOf(columns, key)}) do update set ${joined(set)}`);
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

function joined(parts: readonly unknown[]): SQL {
  return sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );
}

type Value = string | bigint | number | boolean | Date | null;
type Column = { name: string; column: PgColumn; values: Value[] };

/** What a column of JSON holds is written as JSON. */
function columnOf(rows: readonly object[], name: string, column: PgColumn): Column {
  const isJson = column.getSQLType() === 'jsonb';
  const values = rows.map((row) => {
    const value = (row as Record<string, Value | undefined>)[name] ?? null;
    return isJson && value !== null ? JSON.stringify(value) : value;
  });
  return { name, column, values };
}

function isUniform(values: readonly Value[]): boolean {
  const [first] = values;
  if (!(first instanceof Date)) return values.every((value) => value === first);
  const at = first.getTime();
  return values.every((value) => value instanceof Date && value.getTime() === at);
}

function single({ column, values: [value = null] }: Column): SQL {
  const text = value === null ? null : asText(value);
  return sql`${sql.param(text)}::${sql.raw(column.getSQLType())}`;
}

function array({ column, values }: Column): SQL {
  const type = column.getSQLType();
  return sql`${sql.param(arrayParameter(type, values))}::${sql.raw(type)}[]`;
}
