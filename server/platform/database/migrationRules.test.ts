import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkMigration } from './migrationRules.ts';

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
const files = globSync('*.sql', { cwd: MIGRATIONS }).toSorted();

test.each(files)('%s leaves the previous release able to run', (file) => {
  expect(checkMigration(readFileSync(`${MIGRATIONS}/${file}`, 'utf8'))).toEqual([]);
});

test('given the journal, every migration in it has its file, and only the newest a snapshot', () => {
  const journal = JSON.parse(readFileSync(`${MIGRATIONS}/meta/_journal.json`, 'utf8'));
  const tags: string[] = journal.entries.map(({ tag }: { tag: string }) => tag);
  expect(files).toEqual(tags.map((tag) => `${tag}.sql`));
  // drizzle-kit compares the schema with the newest one; the others are of no use.
  const newest = `${tags.at(-1)?.slice(0, 4)}_snapshot.json`;
  expect(globSync('*_snapshot.json', { cwd: `${MIGRATIONS}/meta` })).toEqual([newest]);
});

describe('a step that the previous release cannot run with is refused', () => {
  test.each([
    'DROP TABLE "orders";',
    'ALTER TABLE "orders" DROP COLUMN "status";',
    'ALTER TABLE "orders" DROP CONSTRAINT "orders_client";',
    'ALTER TABLE "orders" RENAME COLUMN "status" TO "state";',
    'ALTER TABLE "orders" RENAME TO "intents";',
    'ALTER TABLE "orders" ALTER COLUMN "status" SET NOT NULL;',
    'ALTER TABLE "orders" ALTER COLUMN "status" SET DATA TYPE integer;',
    'ALTER TABLE "orders" ALTER COLUMN "status" TYPE integer;',
    'ALTER TABLE "orders" ADD COLUMN "region" text NOT NULL;',
    'ALTER TABLE "orders"\n  ADD COLUMN "region" text\n  NOT NULL;',
    'ALTER TABLE "orders" ADD CONSTRAINT "positive" CHECK (amount > 0);',
    'CREATE UNIQUE INDEX "orders_hash" ON "orders" USING btree ("hash");',
    'TRUNCATE "orders";',
    'delete from orders;',
    'CREATE TABLE "a" ("id" text);--> statement-breakpoint\nDROP TABLE "b";',
    'SELECT 1;\nDROP TABLE "b";',
  ])('%s', (sql) => {
    expect(checkMigration(sql)).toHaveLength(1);
  });
});

describe('a step that widens is accepted', () => {
  test.each([
    'ALTER TABLE "orders" ADD COLUMN "region" text;',
    `ALTER TABLE "orders" ADD COLUMN "region" text DEFAULT 'none' NOT NULL;`,
    'CREATE INDEX "orders_by_region" ON "orders" USING btree ("region");',
    'ALTER TABLE "orders" ADD CONSTRAINT "positive" CHECK (amount > 0) NOT VALID;',
    'CREATE TABLE "a" ("id" text);--> statement-breakpoint\nCREATE UNIQUE INDEX "a_id" ON "a" USING btree ("id");',
    'ALTER TABLE "orders" ALTER COLUMN "status" DROP NOT NULL;',
    'ALTER TABLE "orders" ADD COLUMN "hash" text;--> statement-breakpoint\nCREATE UNIQUE INDEX "orders_hash" ON "orders" USING btree ("hash");',
    'CREATE FUNCTION prune() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DELETE FROM old; DROP TABLE old; END $$;',
  ])('%s', (sql) => {
    expect(checkMigration(sql)).toEqual([]);
  });
});

describe('a removal', () => {
  const drop = 'ALTER TABLE "orders" DROP COLUMN "status";';

  test('is accepted with the day and the reason', () => {
    const mark = '-- contract 2026-12-31: orders.status, unread since release 0.3.0\n';
    expect(checkMigration(mark + drop)).toEqual([]);
  });

  test.each([
    '-- contract: orders.status, unread since release 0.3.0\n',
    '-- contract 2026-02-31: orders.status, unread since release 0.3.0\n',
    '-- contract 2026-12-31: why\n',
    '-- we do not need it any more\n',
  ])('is refused with %s', (mark) => {
    expect(checkMigration(mark + drop)).toHaveLength(1);
  });

  test('a mark covers its own statement only', () => {
    const mark = '-- contract 2026-12-31: orders.status, unread since release 0.3.0\n';
    const more = `${mark}${drop}--> statement-breakpoint\nDROP TABLE "orders";`;
    expect(checkMigration(more)).toHaveLength(1);
  });
});
