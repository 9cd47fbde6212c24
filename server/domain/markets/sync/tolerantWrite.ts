import type { Log } from '#server/platform/log.ts';

/**
 * Writes rows in one statement; when the database rejects the data, in halves, until the failing
 * row is isolated: it is logged and skipped. One bad record must not keep its page from being
 * mirrored. Returns the tickers of the skipped rows.
 * @throws errors that are not about the data, such as a lost connection
 */
export async function writeTolerantly<Row extends { ticker: string }>(
  rows: readonly Row[],
  log: Log,
  write: (rows: Row[]) => Promise<unknown>,
): Promise<string[]> {
  const [first] = rows;
  if (!first) return [];
  try {
    await write([...rows]);
    return [];
  } catch (error) {
    if (!isAboutData(error)) throw error;
    if (rows.length === 1) {
      log.error({ err: error, ticker: first.ticker }, 'the database rejects a listing');
      return [first.ticker];
    }
    const middle = rows.length >> 1;
    const refused = await writeTolerantly(rows.slice(0, middle), log, write);
    return [...refused, ...(await writeTolerantly(rows.slice(middle), log, write))];
  }
}

/** SQLSTATE classes of data exceptions, constraint violations and exceeded limits. */
const DATA_CLASSES = ['22', '23', '54'];

/** Whether the database rejected the data, rather than failed. */
export function isAboutData(error: unknown): boolean {
  return hasCode(error, (code) => DATA_CLASSES.includes(code.slice(0, 2)));
}

function hasCode(error: unknown, fits: (code: string) => boolean): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as { code?: unknown };
    if (typeof code === 'string' && fits(code)) return true;
  }
  return false;
}
