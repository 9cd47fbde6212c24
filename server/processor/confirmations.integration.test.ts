import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import {
  chainReader,
  createDeployedTrader,
  sendTransactions,
} from '#sandbox/testing/chainTrader.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import {
  findLiquidMarket,
  orderBody,
  readHoldings,
  signIn,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import { FAUCET_USDC_MICROS } from '#server/domain/accounts/faucet.ts';

/** A block counts only after this many confirmations; until then it may disappear. */

const CONFIRMATIONS = 4;
const BLOCK_MS = 150;

const stack = ownTestStack('confirmations', {
  environment: { CHAIN_CONFIRMATIONS: String(CONFIRMATIONS) },
});
const { faults, query } = stack;
let blocks: NodeJS.Timeout | undefined;
let ticker = '';

/** The local chain mines only on transactions; real chains mine all the time. */
function makeBlocks(): void {
  blocks = setInterval(() => void faults.mine().catch(() => undefined), BLOCK_MS);
}

beforeAll(async () => {
  ticker = await findLiquidMarket(await signIn(stack.description()));
});
afterAll(() => clearInterval(blocks));

async function readCursor(): Promise<bigint> {
  const [cursor] = await query<{ at: string }>(
    `select block_number::text as at from chain_cursors where name = 'contracts'`,
  );
  return BigInt(cursor?.at ?? 0);
}

test('given a request that disappears before its confirmation, the order does not continue', {
  tags: ['long'],
}, async () => {
  const sandbox = stack.description();
  const trader = await createDeployedTrader(sandbox);
  const body = orderBody(sandbox, trader, {
    direction: 'BUY',
    ticker,
    side: 'yes',
    contracts: '5',
    quoteLimit: '4.9',
  });
  const { intent, transactions } = await trader.api.createCalldataOrder(body);
  await sendTransactions(sandbox, trader, transactions);
  const requestedIn = await chainReader(sandbox).getBlockNumber();
  await faults.mine(CONFIRMATIONS - 2);
  const read = await pollUntil(async () =>
    (await readCursor()) === requestedIn - 1n ? true : undefined,
  );
  expect(read).toBe(true);
  await faults.reorganise(CONFIRMATIONS - 1, { drop: [trader.wallet.address] });
  await faults.mine(CONFIRMATIONS);
  await pollUntil(async () => ((await readCursor()) > requestedIn ? true : undefined));
  expect(await trader.api.getOrder(intent.id)).toMatchObject({ status: 'pending' });
  const attempts = 'select 1 from exchange_attempts where order_id = $1';
  expect(await query(attempts, [intent.id])).toEqual([]);

  await sendTransactions(sandbox, trader, transactions);
  makeBlocks();
  const order = await untilComplete(trader, intent.id);
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
  expect(await readHoldings(sandbox, trader.account, { ticker, side: 'yes' })).toEqual({
    contractMicros: 5_000_000n,
    usdcMicros: FAUCET_USDC_MICROS - parseMicros(order.quoteAmount ?? ''),
  });
});
