import { sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { searchWords } from '../../db/schema/markets.ts';
import { wordsOf } from '../searchVocabulary.ts';
import { parts } from './mirror.ts';

const EVENTS_A_READ = 2_000;

/** Counts anew in how many events each word occurs; a page of events at a time. */
export async function renewSearchWords(database: Database): Promise<void> {
  const counts = new Map<string, number>();
  let after = '';
  for (;;) {
    const { rows } = await database.orm.execute<{ ticker: string; words: string }>(sql`
      select ticker, title_text || ' ' || outcome_text as words from events
      where ticker > ${after} order by ticker limit ${EVENTS_A_READ}`);
    for (const row of rows) {
      for (const word of new Set(wordsOf(row.words))) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const last = rows.at(-1);
    if (!last || rows.length < EVENTS_A_READ) break;
    after = last.ticker;
  }
  const rows = [...counts].map(([word, eventCount]) => ({ word, eventCount }));
  for (const part of parts(rows, 5_000)) {
    await database.orm
      .insert(searchWords)
      .values(part)
      .onConflictDoUpdate({
        target: searchWords.word,
        set: { eventCount: sql`excluded.event_count` },
        setWhere: sql`search_words.event_count is distinct from excluded.event_count`,
      });
  }
  await database.orm.execute(sql`
    delete from search_words w where not exists (
      select 1 from unnest(${sql.param(rows.map((row) => row.word))}::text[]) k where k = w.word)`);
}
