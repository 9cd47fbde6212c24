import { eq, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { catalogueState } from '#server/platform/database/schema/markets.ts';

/** The most visited first. Settled ones are only followed, never collected from the beginning. */
export const FULL_ORDER = ['open', 'unopened', 'closed'] as const;

/** Progress of a full read of the list. */
export type FullProgress = {
  status: (typeof FULL_ORDER)[number];
  cursor: string;
  pages: number;
  events: number;
  markets: number;
  /** Events that required a write. */
  changedEvents: number;
  /** ISO 8601. */
  begunAt: string;
};

export type FullDone = Omit<FullProgress, 'status' | 'cursor'> & { finishedAt: string };

const UNDER_WAY = 'full';
const DONE = 'full_done';

export function newFullProgress(): FullProgress {
  return {
    status: 'open',
    cursor: '',
    pages: 0,
    events: 0,
    markets: 0,
    changedEvents: 0,
    begunAt: new Date().toISOString(),
  };
}

export function countPage(
  progress: FullProgress,
  page: { events: number; markets: number; cursor: string },
  changedEvents: number,
): FullProgress {
  return {
    ...progress,
    cursor: page.cursor,
    pages: progress.pages + 1,
    events: progress.events + page.events,
    markets: progress.markets + page.markets,
    changedEvents: progress.changedEvents + changedEvents,
  };
}

export async function readFullProgress(database: Database): Promise<FullProgress | undefined> {
  const known = await readState<Partial<FullProgress>>(database, UNDER_WAY);
  return known && { ...newFullProgress(), ...known };
}

export async function writeFullProgress(db: Queryable, progress: FullProgress): Promise<void> {
  await writeState(db, UNDER_WAY, progress);
}

/** Finishes the read; the next one starts from the beginning. */
export async function finishFull(database: Database, progress: FullProgress): Promise<FullDone> {
  const { status: _status, cursor: _cursor, ...counted } = progress;
  const done = { ...counted, finishedAt: new Date().toISOString() };
  await writeState(database.orm, DONE, done);
  await database.orm.delete(catalogueState).where(eq(catalogueState.name, UNDER_WAY));
  return done;
}

export async function readFullDone(database: Database): Promise<FullDone | undefined> {
  return await readState<FullDone>(database, DONE);
}

async function readState<T>(database: Database, name: string): Promise<T | undefined> {
  const [row] = await database.orm
    .select({ value: catalogueState.value })
    .from(catalogueState)
    .where(eq(catalogueState.name, name));
  return row?.value as T | undefined;
}

async function writeState(db: Queryable, name: string, value: object): Promise<void> {
  await db
    .insert(catalogueState)
    .values({ name, value, updatedAt: new Date() })
    .onConflictDoUpdate({
      target: catalogueState.name,
      set: { value: sql`excluded.value`, updatedAt: sql`excluded.updated_at` },
    });
}
