import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { isAboutData, writeTolerantly } from './tolerantWrite.ts';

const log = createLog('test', 'silent');
const refused = (code: string) =>
  new Error('failed', { cause: Object.assign(new Error(), { code }) });

it('writes every row except those that the database rejects', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(60)), fc.nat(60), async (bad, size) => {
      const rows = Array.from({ length: size }, (_, index) => ({ ticker: String(index) }));
      const written: string[] = [];
      const refusedOnes = await writeTolerantly(rows, log, async (part) => {
        if (part.some((row) => bad.includes(Number(row.ticker)))) throw refused('22021');
        written.push(...part.map((row) => row.ticker));
      });
      const good = rows.map((row) => row.ticker).filter((one) => !bad.includes(Number(one)));
      expect(written).toEqual(good);
      expect(refusedOnes).toEqual(
        rows.map((row) => row.ticker).filter((one) => bad.includes(Number(one))),
      );
    }),
  );
});

it('does not treat a lost connection as a bad row', async () => {
  const write = () => Promise.reject(refused('57P01'));
  await expect(writeTolerantly([{ ticker: 'A' }], log, write)).rejects.toThrow('failed');
});

it('distinguishes rejected data from other failures', () => {
  expect(isAboutData(refused('22003'))).toBe(true);
  expect(isAboutData(refused('25P02'))).toBe(false);
  expect(isAboutData(new Error('no code'))).toBe(false);
});
