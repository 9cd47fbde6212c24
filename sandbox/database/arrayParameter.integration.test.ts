import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { arrayParameter } from '#server/platform/database/arrayParameter.ts';
import { type RunningDatabase, startDatabase } from './startDatabase.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-arrays-'));
let server: RunningDatabase;
let client: pg.Client;

beforeAll(async () => {
  server = await startDatabase({ dataDir });
  client = new pg.Client(server.url);
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

type Values = Parameters<typeof arrayParameter>[1];

/** What the database makes of it, as text. */
async function read(type: string, values: Values): Promise<(string | null)[]> {
  const { rows } = await client.query<{ value: string | null }>(
    `select value::text from unnest($1::${type}[]) as v(value)`,
    [arrayParameter(type, values)],
  );
  return rows.map((row) => row.value);
}

const TEXTS = ['', 'plain', `quote ' and "comma", \\ {NULL}`, null, 'é ü 中文 🎲', 'NULL', ' \n\t'];

it.each([
  { type: 'text', values: TEXTS, told: TEXTS },
  { type: 'text', values: ['plain', null, ''], told: ['plain', null, ''] },
  { type: 'text', values: [null, null], told: [null, null] },
  { type: 'text', values: [], told: [] },
  {
    type: 'bigint',
    values: [0n, -1n, 9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, null],
    told: ['0', '-1', '9223372036854775807', '-9223372036854775808', null],
  },
  { type: 'integer', values: [0, -2_147_483_648, null], told: ['0', '-2147483648', null] },
  { type: 'boolean', values: [true, null, false], told: ['true', null, 'false'] },
  { type: 'jsonb', values: ['{"a": "\\"b\\\\"}', null], told: ['{"a": "\\"b\\\\"}', null] },
])('carries $type', async ({ type, values, told }) => {
  expect(await read(type, values)).toEqual(told);
});

it('carries moments to the millisecond, those of long ago and far ahead too', async () => {
  await client.query(`set time zone 'UTC'`);
  const moments = [
    '1969-07-20T20:17:40.123Z',
    '2000-01-01T00:00:00.000Z',
    '2399-12-31T23:59:59.999Z',
  ];
  const type = 'timestamp (3) with time zone';
  const told = await read(type, [...moments.map((text) => new Date(text)), null]);
  expect(told.slice(0, 3).map((text) => new Date(text ?? '').toISOString())).toEqual(moments);
  expect(told[3]).toBe(null);
});

it('leaves it to the database to refuse what a type does not hold', async () => {
  await expect(read('bigint', [1n, 2n ** 80n])).rejects.toMatchObject({ code: '22003' });
  await expect(read('integer', [2 ** 31])).rejects.toMatchObject({ code: '22003' });
  await expect(read('text', ['a\0b'])).rejects.toMatchObject({ code: '22021' });
});
