import type { Address } from 'viem';
import { describe, expect, test } from 'vitest';
import { MICROS } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { withRuntime } from '#sandbox/testing/books.ts';
import { chainReader, sendTransactions } from '#sandbox/testing/chainTrader.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { createRandom } from '#sandbox/testing/model/random.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import { createTrader, orderBody, type Trader, untilComplete } from '#sandbox/testing/trader.ts';
import { buyOn, placeOn, takeMarket, untilRedeemable } from '#sandbox/testing/trades.ts';
import { rereadChain } from './rereadChain.ts';

/** Forks that remove the logs behind stored states. The settlement's delay is five seconds. */

const ROUNDS = 12;

const stack = ownTestStack('revert-states');
const { description: sandbox, differences } = stack;

const listOurSigners = async (): Promise<Address[]> =>
  (await stack.query<{ signer: Address }>('select distinct signer from chain_transactions')).map(
    ({ signer }) => signer,
  );

async function forkFrom(blockNumber: bigint, drop: readonly Address[]): Promise<void> {
  const head = await chainReader(sandbox()).getBlockNumber();
  await stack.faults.reorganise(Number(head - blockNumber) + 1, { drop });
}

/** Waits until every order, transaction and settlement has ended. */
async function untilQuiet(): Promise<void> {
  const isQuiet = await pollUntil(
    async () => {
      const [open] = await stack.query(
        `select 1 from orders where not is_complete
         union all select 1 from chain_transactions where state in ('signed', 'lost')
         union all select 1 from chain_operations where state in ('ready', 'sent')
         union all select 1 from orphaned_requests where state = 'open'
         union all select 1 from market_settlements where state in ('due', 'proposed')
         union all select 1 from chain_cursors where is_rereading or reread_from is not null`,
      );
      return open === undefined || undefined;
    },
    { everyMs: 250 },
  );
  if (!isQuiet) {
    throw new Error(
      JSON.stringify(
        await stack.query(
          `select 'order' as what, id::text, stage as state, ending_reason as more from orders where not is_complete
           union all select kind, order_id::text, state, failure from chain_operations
             where state in ('ready', 'sent') or order_id in (select id from orders where not is_complete)
           union all select 'settlement', s.ticker, s.state,
               (select string_agg(e.kind || ' ' || e.block_number, ', ' order by e.block_number)
                from settlement_events e where e.market_key = s.market_key)
             from market_settlements s where s.state in ('due', 'proposed')
               or s.ticker in (select ticker from orders where not is_complete)`,
        ),
      ),
    );
  }
}

const reread = async () =>
  await withRuntime(
    stack.dataDir,
    async (runtime) => await rereadChain(runtime, { after: 0n, by: 'test', reason: 'to compare' }),
  );

/** Every state that the service derives from the chain. */
async function believed() {
  const [sums, orders, settlements, redemptions] = await Promise.all([
    stack.query(
      `select account, asset, sum(amount_micros)::text as micros from ledger_entries
       group by account, asset having sum(amount_micros) <> 0 order by account, asset`,
    ),
    stack.query(
      `select id, status, stage, termination_reason, transaction_hash, filled_contract_micros::text,
         quote_usdc_micros::text, returned_usdc_micros::text, returned_contract_micros::text
       from orders order by id`,
    ),
    stack.query(
      `select ticker, state, transaction_hash, collateral_usdc_micros::text
       from market_settlements order by ticker`,
    ),
    stack.query(
      `select transaction_hash, log_index, holder, payout_usdc_micros::text from redemptions
       order by transaction_hash, log_index`,
    ),
  ]);
  return { sums, orders, settlements, redemptions };
}

async function redeemAll(trader: Trader, ticker: string, contracts: string): Promise<string> {
  const sell = {
    direction: 'SELL',
    ticker,
    side: 'yes',
    contracts,
    quoteLimit: contracts,
  } as const;
  return (await trader.api.createOrder(orderBody(sandbox(), trader, sell))).intent.id;
}

describe('given a fork past the proposal of a final and redeemed settlement', {
  tags: ['long'],
}, () => {
  test('reverts settlement and redemption with their logs, and performs each once on the new branch', async () => {
    const trader = await createTrader(sandbox());
    const ticker = await takeMarket(trader);
    const bought = await buyOn(sandbox())(trader, ticker, 'yes', '4');
    await controlExchange(sandbox(), 'settle', { ticker, result: 'yes' });
    await untilRedeemable(trader, ticker);
    const redemption = await redeemAll(trader, ticker, '4');
    expect(await untilComplete(trader, redemption)).toMatchObject({ status: 'completed' });
    const [proposal] = await stack.query<{ block: string }>(
      `select e.block_number::text as block from settlement_events e
       join market_settlements s on s.market_key = e.market_key
       where s.ticker = $1 and e.kind = 'proposed'`,
      [ticker],
    );

    await forkFrom(BigInt(proposal?.block ?? 0), await listOurSigners());

    const wasReopened = await pollUntil(
      async () =>
        (
          await stack.query(
            `select 1 from order_events where order_id = $1 and type = 'reopened'`,
            [redemption],
          )
        ).length > 0 || undefined,
      { everyMs: 50 },
    );
    expect(wasReopened).toBe(true);
    await untilQuiet();
    expect(await trader.api.getOrder(redemption)).toMatchObject({
      status: 'completed',
      quoteAmount: '4',
    });
    expect(await differences()).toEqual([]);
    const [account] = await stack.query<{ micros: string }>(
      `select sum(amount_micros)::text as micros from ledger_entries
       where account = $1 and asset = 'usdc'`,
      [`user:${trader.account}`],
    );
    const spent = BigInt(Math.round(Number(bought.quoteAmount) * 1e6));
    expect(BigInt(account?.micros ?? 0)).toBe(10_000n * MICROS - spent + 4n * MICROS);
    expect(await stack.query(`select kind from alerts where resolved_at is null`)).toEqual([]);
  }, 240_000);
});

describe('given a fork that removes a merge of pairs', { tags: ['long'] }, () => {
  test('its dollars, tokens and profit go back with it, and once it is mined again they return', async () => {
    const trader = await createTrader(sandbox());
    const ticker = await takeMarket(trader);
    // Not deeper: another settlement within the fork would move the vault's own dollars.
    const start = await chainReader(sandbox()).getBlockNumber();
    await buyOn(sandbox())(trader, ticker, 'yes', '4');
    await buyOn(sandbox())(trader, ticker, 'no', '3');
    await untilQuiet();
    const { transactions } = await trader.api.createMergeCalldata({
      userAddress: trader.wallet.address,
      chainId: 8453,
      merges: [{ marketId: ticker, quantity: '3' }],
    });
    const merges = async () =>
      (await trader.api.listActivity({ address: trader.account, type: 'merge' })).items.length;
    const until = async (count: number) =>
      expect(
        await pollUntil(async () => (await merges()) === count || undefined, {
          everyMs: 100,
        }),
      ).toBe(true);
    const booked = async () =>
      await stack.query<{ account: string; micros: string }>(
        `select account, sum(amount_micros)::text as micros from ledger_entries
         where account in ('netted', 'house', $1) group by account order by account`,
        [`user:${trader.account}`],
      );
    const before = await booked();
    await sendTransactions(sandbox(), trader, transactions);
    await until(1);
    expect(await differences()).toEqual([]);
    const merged = await booked();
    expect(merged).not.toEqual(before);

    await forkFrom(start + 1n, [trader.wallet.address]);
    await until(0);
    await untilQuiet();
    expect(await differences()).toEqual([]);
    expect(await booked()).toEqual(before);

    await sendTransactions(sandbox(), trader, transactions);
    await until(1);
    expect(await differences()).toEqual([]);
    expect(await booked()).toEqual(merged);

    // The exchange pays its net position; with the pair's dollars that is what the books say.
    await controlExchange(sandbox(), 'settle', { ticker, result: 'yes' });
    await untilRedeemable(trader, ticker);
    await untilQuiet();
    expect(await differences()).toEqual([]);
  }, 240_000);
});

describe('given forks of any depth during trades, settlements, redemptions and withdrawals', {
  tags: ['long'],
}, () => {
  test('the ledger and every state equal a full read of the chain', async () => {
    const seed = Number(process.env.FORK_SEED ?? Date.now() % 1_000_000);
    const random = createRandom(seed);
    const traders = await Promise.all([1, 2, 3].map(() => createTrader(sandbox())));
    const place = placeOn(sandbox());
    for (let round = 0; round < ROUNDS; round += 1) {
      const markets = new Map<Trader, string>();
      for (const trader of traders) markets.set(trader, await takeMarket(trader));
      const acts = traders.map(async (trader) => {
        const ticker = markets.get(trader) ?? '';
        const trade = { ticker, side: 'yes', contracts: '3' } as const;
        await place(trader, { ...trade, direction: 'BUY', quoteLimit: '2.97' });
        const next = random.int(0, 2);
        if (next === 0) await place(trader, { ...trade, direction: 'SELL', quoteLimit: '0.03' });
        if (next === 1) {
          await trader.api.withdraw({
            intentType: 'Withdraw',
            destinationAddress: trader.wallet.address,
            tokenAddress: sandbox().contracts.usdc,
            amount: '5',
            tokenType: 'erc20',
          });
        }
        if (next === 2) {
          await controlExchange(sandbox(), 'settle', { ticker, result: 'yes' });
          await untilRedeemable(trader, ticker);
          await redeemAll(trader, ticker, '3');
        }
      });
      // Some forks happen during work in flight, others afterwards.
      if (random.chance(0.5)) await Promise.allSettled(acts);
      const signers = await listOurSigners();
      const drop = random.pick([[], signers, signers.filter(() => random.chance(0.5))]);
      await stack.faults.reorganise(random.int(1, 30), { drop });
      const ended = await Promise.allSettled(acts);
      const failures = ended.flatMap((one) =>
        one.status === 'rejected' ? [String(one.reason)] : [],
      );
      expect(failures, `seed ${seed}, round ${round}`).toEqual([]);
      await untilQuiet();
    }
    expect(await differences(), `seed ${seed}`).toEqual([]);
    const before = await believed();
    expect(await reread(), `seed ${seed}`).toEqual({ reopenedOrders: 0 });
    await untilQuiet();
    expect(await believed(), `seed ${seed}`).toEqual(before);
    expect(await differences(), `seed ${seed}`).toEqual([]);
  }, 1_200_000);

  test('reverts a state without a supporting log, and performs it again', async () => {
    const trader = await createTrader(sandbox());
    const ticker = await takeMarket(trader);
    await buyOn(sandbox())(trader, ticker, 'yes', '2');
    await controlExchange(sandbox(), 'settle', { ticker, result: 'yes' });
    await untilRedeemable(trader, ticker);
    await untilQuiet();
    const before = await believed();
    // As an older version stored it: the payout of another transaction.
    await stack.query(
      `update market_settlements set transaction_hash = '0x00', collateral_usdc_micros = 1
       where ticker = $1`,
      [ticker],
    );
    await reread();
    const isRepaired = await pollUntil(
      async () =>
        JSON.stringify((await believed()).settlements) === JSON.stringify(before.settlements) ||
        undefined,
      { everyMs: 200 },
    );
    expect(isRepaired).toBe(true);
    expect(await believed()).toEqual(before);
  }, 240_000);
});
