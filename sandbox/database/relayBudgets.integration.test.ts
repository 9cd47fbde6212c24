import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import type { ChainOperation } from '#server/chain/operations/store.ts';
import {
  readRelayBudget,
  spendExcess,
  spendRelayBudget,
} from '#server/domain/relay/relayBudget.ts';
import { bookRelayFees } from '#server/domain/relay/relayFee.ts';
import { isServiceError } from '#server/platform/errors.ts';

const LIMITS = {
  messagesPerAccountDay: 20,
  usdMicrosPerAccountDay: 500_000n,
  usdMicrosPerHour: 700_000n,
};
const ACCOUNT = '0xone';

const relayedBy = (accountId: string): ChainOperation => ({
  id: randomUUID(),
  accountId,
  orderId: randomUUID(),
  kind: 'relay',
  attempt: 1,
  args: { feeUsdMicros: '1', etherUsdMicros: '5000000000' },
  state: 'sent',
  transactionId: randomUUID(),
  failure: null,
  createdAt: new Date(),
  resolvedAt: null,
});

let started: Awaited<ReturnType<typeof startMigratedDatabase>>;
beforeAll(async () => {
  started = await startMigratedDatabase();
});
afterAll(() => started.close());

/** How many of these concurrent messages find a budget. */
async function countTaken(account: string, times: number, feeUsdMicros: bigint): Promise<number> {
  const { orm } = started.database;
  const results = await Promise.allSettled(
    Array.from({ length: times }, () =>
      orm.transaction((tx) => spendRelayBudget(tx, LIMITS, account, feeUsdMicros)),
    ),
  );
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    expect(isServiceError(result.reason) && result.reason.code).toBe('relay_limit_reached');
  }
  return results.filter(({ status }) => status === 'fulfilled').length;
}

test('given concurrent messages, neither their number nor their cost exceeds a budget', async () => {
  expect(await countTaken(ACCOUNT, 40, 10_000n)).toBe(20);
  expect(await readRelayBudget(started.database.orm, LIMITS, ACCOUNT)).toEqual({
    messages: 0,
    usdMicros: 300_000n,
  });
  expect(await countTaken('0xtwo', 8, 120_000n)).toBe(4);
  // Everyone's hour has 20,000 left.
  expect(await countTaken('0xthree', 3, 15_000n)).toBe(1);
  expect(await countTaken('0xfour', 1, 500_001n)).toBe(0);
});

test('given a message that cost more than estimated, the next ones find less', async () => {
  const { orm } = started.database;
  expect(await countTaken('0xfive', 1, 1_000n)).toBe(1);
  await spendExcess(orm, '0xfive', -500n);
  expect((await readRelayBudget(orm, LIMITS, '0xfive')).usdMicros).toBe(499_000n);
  await spendExcess(orm, '0xfive', 600_000n);
  expect((await readRelayBudget(orm, LIMITS, '0xfive')).usdMicros).toBe(0n);
  expect(await countTaken('0xfive', 1, 1n)).toBe(0);
  // It was more than everyone's hour had.
  expect(await countTaken('0xsix', 1, 1n)).toBe(0);
});

test('given three messages that revert on chain, an account has none sent that day', async () => {
  const { orm } = started.database;
  const book = (accountId: string, succeeded: boolean) =>
    bookRelayFees(orm, [{ operation: relayedBy(accountId), outcome: { succeeded } }], {
      gasUsed: 100_000n,
      effectiveGasPrice: 1n,
    });
  await orm.execute(`update relay_budgets set used_usd_micros = 0`);
  expect(await countTaken('0xbanned', 3, 1n)).toBe(3);
  await book('0xbanned', true);
  expect((await readRelayBudget(orm, LIMITS, '0xbanned')).messages).toBe(17);
  await book('0xbanned', false);
  await book('0xbanned', false);
  expect((await readRelayBudget(orm, LIMITS, '0xbanned')).messages).toBe(5);
  await book('0xbanned', false);
  expect((await readRelayBudget(orm, LIMITS, '0xbanned')).messages).toBe(0);
  expect(await countTaken('0xbanned', 1, 1n)).toBe(0);
  expect(await countTaken('0xother', 1, 1n)).toBe(1);
});

test('given a receipt with Base’s data fee, the account’s day pays it too', async () => {
  const { orm } = started.database;
  expect(await countTaken('0xseven', 1, 1n)).toBe(1);
  const before = (await readRelayBudget(orm, LIMITS, '0xseven')).usdMicros;
  const ending = { operation: relayedBy('0xseven'), outcome: { succeeded: true } };
  // A ten-thousandth of a gwei for the gas, at 5,000 dollars: the bytes cost nearly all of it.
  const receipt = {
    gasUsed: 100_000n,
    effectiveGasPrice: 100_000n,
    l1Fee: '0x12309ce54000',
  } as const;
  await bookRelayFees(orm, [ending], receipt);
  const after = (await readRelayBudget(orm, LIMITS, '0xseven')).usdMicros;
  expect(before - after).toBe(50n + 100_000n);
});

test('given another day and hour, budgets are whole again', async () => {
  await started.database.orm.execute(
    `update relay_budgets set period_start = period_start - interval '1 day'`,
  );
  expect(await readRelayBudget(started.database.orm, LIMITS, ACCOUNT)).toEqual({
    messages: 20,
    usdMicros: 500_000n,
  });
  expect(await countTaken(ACCOUNT, 2, 10_000n)).toBe(2);
  expect(await readRelayBudget(started.database.orm, LIMITS, ACCOUNT)).toEqual({
    messages: 18,
    usdMicros: 480_000n,
  });
});
