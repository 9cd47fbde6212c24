import { expect, it } from 'vitest';
import type { Chain } from '../../chain/client.ts';
import type { Database } from '../../platform/database/client.ts';
import { batchedReads } from './batchedReads.ts';

const HOLDERS = ['0xA1', '0xA2', '0xA3'] as const;
const TOKEN = `0x${'1'.padStart(64, '0')}` as const;

/** Returns these rows for consecutive selects and counts the statements. */
function respondingDatabase(responses: object[][]) {
  let statements = 0;
  const rows = () => Promise.resolve(responses[statements++] ?? []);
  const from = () => ({ where: rows });
  const orm = { select: () => ({ from }), selectDistinct: () => ({ from }) };
  return { database: { orm } as unknown as Database, count: () => statements };
}

function chainHolding(contractMicros: bigint) {
  const calls: unknown[][] = [];
  const readContract = ({ args }: { args: [string[], bigint[]] }) => {
    calls.push(args);
    return Promise.resolve(args[0].map(() => contractMicros));
  };
  const chain = { client: { readContract }, contracts: {} } as unknown as Chain;
  return { chain, calls };
}

it('given concurrent portfolios, they share a statement and a call to the chain', async () => {
  const received = HOLDERS.slice(0, 2).map((holder) => ({ holder, tokenId: TOKEN }));
  const { database, count } = respondingDatabase([received]);
  const { chain, calls } = chainHolding(5n);
  const reads = batchedReads({ database, chain });
  const held = await Promise.all(HOLDERS.map((holder) => reads.holdings(holder)));
  expect(held.map((one) => one?.map(({ holder }) => holder))).toEqual([
    [HOLDERS[0]],
    [HOLDERS[1]],
    undefined,
  ]);
  expect(count()).toBe(1);
  expect(calls).toEqual([[HOLDERS.slice(0, 2), [1n, 1n]]]);
});

it('given a later request, reads balances again', async () => {
  const received = [{ holder: HOLDERS[0], tokenId: TOKEN }];
  const { database } = respondingDatabase([received, received]);
  const { chain, calls } = chainHolding(5n);
  const reads = batchedReads({ database, chain });
  await reads.holdings(HOLDERS[0]);
  await reads.holdings(HOLDERS[0]);
  expect(calls).toHaveLength(2);
});

it('reads the known outcome of a token once and an unknown one again', async () => {
  const { database, count } = respondingDatabase([[], [{ ticker: 'A', yes: TOKEN, no: '0x2' }]]);
  const reads = batchedReads({ database, chain: chainHolding(0n).chain });
  expect(await reads.outcome(TOKEN)).toBeUndefined();
  expect(await reads.outcome(TOKEN)).toEqual({ ticker: 'A', side: 'yes' });
  expect(await reads.outcome(TOKEN)).toEqual({ ticker: 'A', side: 'yes' });
  expect(count()).toBe(2);
});
