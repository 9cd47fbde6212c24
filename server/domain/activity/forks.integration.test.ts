import type { Hash } from 'viem';
import { expect, test } from 'vitest';
import type { ActivityItem } from '#lib/api/schemas/activity.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { chainReader, createDeployedTrader } from '#sandbox/testing/chainTrader.ts';
import { ownFaultyStack } from '#sandbox/testing/faultyStack.ts';
import { untilComplete } from '#sandbox/testing/trader.ts';

const trouble = ownFaultyStack('activity-forks');

/** Items whose time differs from their current block's. */
async function misplaced(items: readonly ActivityItem[]): Promise<string[]> {
  const chain = chainReader(trouble.description());
  const wrong: string[] = [];
  for (const { kind, at, transactionHash } of items) {
    if (transactionHash === null) continue;
    const { blockNumber } = await chain.getTransactionReceipt({ hash: transactionHash as Hash });
    const { timestamp } = await chain.getBlock({ blockNumber });
    if (Date.parse(at) !== Number(timestamp) * 1000) wrong.push(`${kind} ${at}`);
  }
  return wrong;
}

test('returns an item that a fork moved once, at the time of its new block', async () => {
  const chain = chainReader(trouble.description());
  const trader = await createDeployedTrader(trouble.description());
  // A fork resets the local chain's clock: later blocks move to an earlier second.
  const { timestamp, number } = await chain.getBlock();
  const later = (Number(timestamp) + 2) * 1_000;
  await pollUntil(() => Date.now() >= later || undefined);
  const orderId = await trouble.placeBuy(trader);
  expect(await untilComplete(trader, orderId)).toMatchObject({ status: 'completed' });
  const read = async () => (await trader.api.listActivity({ address: trader.account })).items;
  const received = (items: readonly ActivityItem[]) =>
    items.map(({ kind, contracts, usdc, orderId: id }) => ({ kind, contracts, usdc, id }));
  // Separate loops read transfers and orders: the order may complete first.
  const before = await pollUntil(async () => {
    const items = await read();
    return items.length > 1 ? items : undefined;
  });
  if (!before) throw new Error('the deposit was never reported');
  expect(received(before)).toEqual([
    expect.objectContaining({ kind: 'buy', contracts: '5', id: orderId }),
    { kind: 'deposit', contracts: null, usdc: '10000', id: null },
  ]);

  const depth = Number((await chain.getBlockNumber()) - number) + 1;
  await trouble.faults.reorganise(depth);
  let last: { items: ActivityItem[]; wrong: string[] } = { items: [], wrong: [] };
  const settled = await pollUntil(
    async () => {
      const items = await read();
      last = { items, wrong: await misplaced(items) };
      // Until it is delivered anew, the order has no amount.
      const isComplete = items.every(({ status }) => status === 'completed');
      const isSettled = last.wrong.length === 0 && items.length === before.length && isComplete;
      return isSettled && items[0]?.at !== before[0]?.at ? true : undefined;
    },
    { everyMs: 250 },
  );
  expect(last.wrong).toEqual([]);
  expect(settled).toBe(true);
  // Both blocks may have got the same second, which leaves the order of their items open.
  const moved = received(last.items);
  expect(moved).toHaveLength(before.length);
  expect(moved).toEqual(expect.arrayContaining(received(before)));
});
