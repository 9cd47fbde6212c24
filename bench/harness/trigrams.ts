import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startDatabase } from '#sandbox/database/startDatabase.ts';

/** Additional conditions, as in the interface's filters. */
export type Filter = { statusMask?: number; category?: string; frequency?: string };

/** Search as PostgreSQL's trigrams do it, over one connection. */
export type TrigramSearch = {
  search(text: string, filter: Filter): Promise<string[]>;
  close(): Promise<void>;
};

const ROWS_A_STATEMENT = 20_000;

/** Undefined if this PostgreSQL has no pg_trgm. */
export async function openTrigrams(
  titles: readonly ({ ticker: string; title: string } & Required<Filter>)[],
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
  await client.query(
    `create unlogged table titles
     (ticker text, title text, status_mask int, category text, frequency text)`,
  );
  for (let from = 0; from < titles.length; from += ROWS_A_STATEMENT) {
    const part = titles.slice(from, from + ROWS_A_STATEMENT);
    await client.query(
      `insert into titles
       select * from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[])`,
      [
        part.map((one) => one.ticker),
        part.map((one) => one.title),
        part.map((one) => one.statusMask),
        part.map((one) => one.category),
        part.map((one) => one.frequency),
      ],
    );
  }
  await client.query('create index on titles using gin (title gin_trgm_ops)');
  await client.query('analyze titles');
  return {
    async search(text, { statusMask, category, frequency }) {
      const { rows } = await client.query<{ ticker: string }>(
        `select ticker from titles where title %> $1
           and ($2::int is null or status_mask & $2 <> 0)
           and ($3::text is null or category = $3) and ($4::text is null or frequency = $4)
         order by word_similarity($1, title) desc limit ${shown}`,
        [text, statusMask, category, frequency],
      );
      return rows.map((row) => row.ticker);
    },
    close,
  };
}
