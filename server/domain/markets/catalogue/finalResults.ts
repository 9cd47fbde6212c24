import { and, asc, eq, gt, inArray, isNotNull, isNull, or } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { markets } from '#server/platform/database/schema/markets.ts';

type Deps = { database: { orm: Queryable } };

/** A market's final payout. */
export type FinalResult = {
  ticker: string;
  result: 'yes' | 'no' | 'scalar' | 'void';
  /** The payout of one Yes, 0 to 1_000_000; No receives the rest of the dollar. */
  payoutYesMicros: bigint;
  settledAt: Date;
  /** When the mirror recorded it; increases with every new result. */
  seenAt: Date;
};

/**
 * A concurrent statement may still write results older than those already read; this much is read
 * again.
 */
const OVERLAP_MS = 30_000;

/**
 * The final result of a market; undefined while it is open, closed, determined, disputed or
 * amended: the result may still change then, and no payout is due.
 */
export async function readFinalResult(
  deps: Deps,
  ticker: string,
): Promise<FinalResult | undefined> {
  return (await readFinalResults(deps, [ticker])).get(ticker);
}

/** Final results of these markets by ticker, without markets that have none. */
export async function readFinalResults(
  deps: Deps,
  tickers: string[],
): Promise<Map<string, FinalResult>> {
  if (tickers.length === 0) return new Map();
  const rows = await selectFinal(deps).where(and(isFinal(), inArray(markets.ticker, tickers)));
  return new Map(rows.flatMap((row) => finalResultOf(row) ?? []).map((one) => [one.ticker, one]));
}

/** The markets among these that the exchange has settled without a payout that we can read. */
export async function listSettledWithoutPayout(
  { database }: Deps,
  tickers: string[],
): Promise<string[]> {
  if (tickers.length === 0) return [];
  const rows = await database.orm
    .select({ ticker: markets.ticker })
    .from(markets)
    .where(
      and(
        eq(markets.status, 'settled'),
        isNull(markets.payoutYesMicros),
        inArray(markets.ticker, tickers),
      ),
    );
  return rows.map((row) => row.ticker);
}

/**
 * Results recorded since a given time, oldest first. To follow them, pass the `seenAt` of the last
 * one read: some repeat, none is skipped. `after` continues within one `seenAt` when more results
 * share it than fit in `limit`.
 */
export async function listNewlyFinal(
  deps: Deps,
  input: { since: Date; limit: number; after?: { seenAt: Date; ticker: string } },
): Promise<FinalResult[]> {
  const { after } = input;
  const from = new Date(input.since.getTime() - OVERLAP_MS);
  const rows = await selectFinal(deps)
    .where(
      and(
        isFinal(),
        after
          ? or(
              gt(markets.finalSeenAt, after.seenAt),
              and(eq(markets.finalSeenAt, after.seenAt), gt(markets.ticker, after.ticker)),
            )
          : gt(markets.finalSeenAt, from),
      ),
    )
    .orderBy(asc(markets.finalSeenAt), asc(markets.ticker))
    .limit(input.limit);
  return rows.flatMap((row) => finalResultOf(row) ?? []);
}

function selectFinal({ database }: Deps) {
  return database.orm
    .select({
      ticker: markets.ticker,
      result: markets.result,
      payoutYesMicros: markets.payoutYesMicros,
      settledAt: markets.settledAt,
      seenAt: markets.finalSeenAt,
    })
    .from(markets)
    .$dynamic();
}

function isFinal() {
  return and(eq(markets.status, 'settled'), isNotNull(markets.payoutYesMicros));
}

function finalResultOf(
  row: {
    [Name in keyof FinalResult]: FinalResult[Name] | null;
  },
): FinalResult | undefined {
  const { ticker, result, payoutYesMicros, settledAt } = row;
  if (ticker === null || result === null || payoutYesMicros === null || settledAt === null) {
    return undefined;
  }
  return { ticker, result, payoutYesMicros, settledAt, seenAt: row.seenAt ?? settledAt };
}
