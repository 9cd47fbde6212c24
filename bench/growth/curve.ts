import type { Database } from '#server/platform/database/client.ts';
import { isQuick } from '../harness/options.ts';
import { percentile, report } from '../report.ts';

/** A kind of data that grows, and the requests measured meanwhile. */
export type Curve = {
  /** In the plural: "orders". */
  of: string;
  sizes: readonly number[];
  /** Stores numbers `from` to `to`. */
  store(database: Database, from: number, to: number): Promise<void>;
  /** Tables whose statistics the planner needs. */
  tables: string;
  /** Named as users would call it; `size` rows are stored. */
  asked(database: Database, size: number): Record<string, (index: number) => Promise<unknown>>;
};

const SAMPLES = isQuick ? 60 : 200;
const WARMING = 20;
const ROWS_A_STATEMENT = 100_000;
/** An n log n cost would grow by more between the sizes; a tree lookup stays far below. */
const MOST_GROWTH = 4;

/** Fills the tables size by size and compares each with the smallest. */
export async function measureCurve(database: Database, curve: Curve): Promise<void> {
  let stored = 0;
  let smallest: { size: number; medians: Record<string, number> } | undefined;
  for (const size of curve.sizes.toSorted((a, b) => a - b)) {
    while (stored < size) {
      const to = Math.min(stored + ROWS_A_STATEMENT, size);
      await curve.store(database, stored + 1, to);
      stored = to;
    }
    await database.pool.query(`analyze ${curve.tables}`);
    const medians = await mediansOf(curve.asked(database, size));
    smallest ??= { size, medians };
    if (size === smallest.size) continue;
    const { medians: before } = smallest;
    report(
      `With ${size.toLocaleString('en-US')} ${curve.of} stored (baseline: ${smallest.size.toLocaleString('en-US')})`,
      Object.entries(medians).map(([name, ours]) => ({
        name,
        ours,
        baseline: before[name] ?? Number.NaN,
        unit: 'ms',
        atMost: MOST_GROWTH,
      })),
    );
  }
}

async function mediansOf(
  asked: Record<string, (index: number) => Promise<unknown>>,
): Promise<Record<string, number>> {
  const medians: Record<string, number> = {};
  for (const [name, ask] of Object.entries(asked)) {
    for (let index = 0; index < WARMING; index += 1) await ask(index);
    const samples: number[] = [];
    for (let index = WARMING; index < WARMING + SAMPLES; index += 1) {
      const begun = performance.now();
      await ask(index);
      samples.push(performance.now() - begun);
    }
    medians[name] = percentile(samples, 0.5);
  }
  return medians;
}

/** Any of the stored ones, another each time. */
export const some = (index: number, of: number): number => 1 + ((index * 7_919) % of);
