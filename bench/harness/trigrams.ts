import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startDatabase } from '#sandbox/database/startDatabase.ts';

/** Search as PostgreSQL's trigrams do it, over one connection. */
export type TrigramSearch = {
  search(text: string): Promise<string[]>;
  close(): Promise<void>;
};

const ROWS_A_STATEMENT = 20_000;

/** Undefined where this PostgreSQL comes without pg_trgm. */
export async function openTrigrams(
  titles: readonly { ticker: string; title: string }[],
  shown: number,
): Promise<TrigramSearch | undefined> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-bench-trigrams-'));
  const database = await startDatabase({ dataDir });
  const client = new pg.Client(database.url);
  await client.connect();
  const close = async () => {
    await client.end();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const extension = await client.query('create extension pg_trgm').catch(() => undefined);
  if (!extension) {
    await close();
    return undefined;
  }
  await client.query('create unlogged table titles (ticker text, title text)');
  for (let from = 0; from < titles.length; from += ROWS_A_STATEMENT) {
    const part = titles.slice(from, from + ROWS_A_STATEMENT);
    await client.query('insert into titles select * from unnest($1::text[], $2::text[])', [
      part.map((one) => one.ticker),
      part.map((one) => one.title),
    ]);
  }
  await client.query('create index on titles using gin (title gin_trgm_ops)');
  await client.query('analyze titles');
  return {
    async search(text) {
      const { rows } = await client.query<{ ticker: string }>(
        `select ticker from titles where title %> $1 order by word_similarity($1, title) desc limit ${shown}`,
        [text],
      );
      return rows.map((row) => row.ticker);
    },
    close,
  };
}
