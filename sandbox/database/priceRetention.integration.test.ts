import { beforeAll, expect, it } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { maintainPricePartitions } from '#server/domain/markets/prices/priceRetention.ts';
import type { Database } from '#server/platform/database/client.ts';

let database: Database;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  database = migrated.database;
  return migrated.close;
});

async function partitions(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'price_points'::regclass order by 1`,
  );
  return rows.map((row) => row.name);
}

async function pointsOf(ticker: string): Promise<{ at: Date; price: string }[]> {
  const { rows } = await database.pool.query<{ at: Date; price: string }>(
    'select at, last_price_micros as price from price_points where ticker = $1 order by at',
    [ticker],
  );
  return rows;
}

const insertPoints = (table: string, ticker: string, from: string, to: string) =>
  database.pool.query(
    `insert into ${table} (ticker, at, last_price_micros, volume_contract_micros)
     select $1, t, extract(epoch from t)::bigint, 0
     from generate_series(${from}, ${to}, interval '1 minute') t`,
    [ticker],
  );

it('has partitions for this week, the coming ones, and a default', async () => {
  const names = await partitions();
  expect(names.length).toBeGreaterThanOrEqual(4);
  expect(names).toContain('price_points_default');
  await maintainPricePartitions(database);
  expect(await partitions()).toEqual(names);
});

it('drops an old week and keeps one point per day', async () => {
  const monday = `date_trunc('week', now() at time zone 'UTC') - interval '70 days'`;
  const { rows } = await database.pool.query<{ name: string; from: string; to: string }>(
    `select 'price_points_' || to_char(${monday}, 'IYYY"w"IW') as name,
       (${monday})::date || ' 00:00+00' as from, (${monday} + interval '7 days')::date || ' 00:00+00' as to`,
  );
  const [week] = rows;
  if (!week) throw new Error('no week');
  await database.pool.query(
    `create table ${week.name} partition of price_points for values from ('${week.from}') to ('${week.to}')`,
  );
  const from = `'${week.from}'::timestamptz`;
  await insertPoints(
    'price_points',
    'OLD',
    from,
    `${from} + interval '7 days' - interval '1 minute'`,
  );
  expect(await pointsOf('OLD')).toHaveLength(7 * 24 * 60);
  await maintainPricePartitions(database);
  expect(await partitions()).not.toContain(week.name);
  const left = await pointsOf('OLD');
  expect(left).toHaveLength(7);
  // The last one of each day, in UTC.
  expect(left.every(({ at }) => at.toISOString().endsWith('23:59:00.000Z'))).toBe(true);
});
