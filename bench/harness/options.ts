/** Shorter rounds: a smoke test with approximate figures. */
export const isQuick = process.env.BENCH_QUICK === '1';

/** Milliseconds of one measured round. */
export const ROUND_MS = isQuick ? 1_500 : 5_000;
export const ROUNDS = isQuick ? 3 : 5;

/** Numbers from the command line, or the defaults. */
export function sizesOr(usual: number[], quick: number[]): number[] {
  const given = process.argv.slice(2).map(Number).filter(Number.isFinite);
  if (given.length > 0) return given;
  return isQuick ? quick : usual;
}
