import { encodeFunctionData, type Hex, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import {
  grantRoleCall,
  registerCall,
  revokeRoleCall,
  vetoCall,
} from '#contracts/deployment/vaultCalls.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import { base } from '#lib/chains.ts';
import { MICROS, parseMicros } from '#lib/money.ts';
import { marketKeyOf } from '#lib/outcomeToken.ts';
import { signedMicros } from '#lib/portfolio/positionView.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import { sendTransactions } from '#sandbox/testing/chainTrader.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import { createTrader, readHoldings, type Trader } from '#sandbox/testing/trader.ts';
import { buyOn, takeMarket, untilRedeemable } from '#sandbox/testing/trades.ts';

const sandbox = sandboxUnderTest();
const buy = buyOn(sandbox);

const holdings = async (trader: Trader, ticker: string) => {
  const [yes, no] = await Promise.all(
    (['yes', 'no'] as const).map((side) => readHoldings(sandbox, trader.account, { ticker, side })),
  );
  return {
    usdc: yes?.usdcMicros ?? 0n,
    yes: yes?.contractMicros ?? 0n,
    no: no?.contractMicros ?? 0n,
  };
};

const asked = (trader: Trader, ticker: string, quantity: string) => ({
  userAddress: trader.wallet.address,
  chainId: base.id,
  merges: [{ marketId: ticker, quantity }],
});

async function refusal(request: Promise<unknown>) {
  const problem = await request.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isApiProblem(problem)) throw new Error('was not refused');
  return problem;
}

test('given both sides, a merge pays a dollar per pair, and every record shows it', async () => {
  const trader = await createTrader(sandbox);
  const ticker = await takeMarket(trader);
  const paid = [await buy(trader, ticker, 'yes', '7'), await buy(trader, ticker, 'no', '4')].map(
    (order) => parseMicros(order.quoteAmount ?? '0'),
  );
  const before = await holdings(trader, ticker);

  const prepared = await trader.api.createMergeCalldata(asked(trader, ticker, '3.500001'));
  expect(prepared).toMatchObject({
    quoteAmount: '3.500001',
    holder: trader.account,
    description: `Merge 3.500001 pairs of ${ticker} into 3.500001 USDC`,
  });
  expect(prepared.transactions).toHaveLength(1);
  await sendTransactions(sandbox, trader, prepared.transactions);

  expect(await holdings(trader, ticker)).toEqual({
    usdc: before.usdc + 3_500_001n,
    yes: 3_499_999n,
    no: 499_999n,
  });
  const item = await pollUntil(
    async () =>
      (await trader.api.listActivity({ address: trader.account, type: 'merge' })).items[0],
    { everyMs: 100 },
  );
  expect(item).toMatchObject({
    marketId: ticker,
    side: null,
    contracts: '3.500001',
    usdc: '3.500001',
    status: 'completed',
  });
  // Neither its burns nor its payment are transfers as well.
  const { items } = await trader.api.listActivity({ address: trader.account, marketId: ticker });
  expect(items.map(({ kind }) => kind).sort()).toEqual(['buy', 'buy', 'merge']);
  const money = await trader.api.listActivity({ address: trader.account, type: 'deposit' });
  expect(money.items.map(({ usdc }) => usdc)).toEqual(['10000']);

  const portfolio = await trader.api.getPortfolio(trader.account);
  const realised = portfolio.reduce(
    (sum, { portfolioItem }) => sum + signedMicros(portfolioItem.realizedPnL),
    0n,
  );
  const [ofYes = 0n, ofNo = 0n] = paid;
  const cost = (ofYes * 3_500_001n) / (7n * MICROS) + (ofNo * 3_500_001n) / (4n * MICROS);
  const off = realised - (3_500_001n - cost);
  expect(off >= -2n && off <= 2n, `realised ${realised}, off by ${off}`).toBe(true);

  const missing = await refusal(trader.api.createMergeCalldata(asked(trader, ticker, '0.5')));
  expect(missing).toMatchObject({ code: 'insufficient_funds', status: 422 });
  expect(missing.errors[0]?.pointer).toBe('/merges/0/quantity');

  const csv = await fetch(
    `${sandbox.baseUrl}/v1/exports/activity.csv?userAddress=${trader.wallet.address}`,
    { headers: { 'x-api-key': sandbox.apiKey } },
  );
  const merged = (await csv.text()).split('\r\n').filter((line) => line.includes(',merged,'));
  expect(merged).toEqual([expect.stringContaining(`,${ticker},`)]);
});

test('given several markets, one batch merges them all', async () => {
  const trader = await createTrader(sandbox);
  const tickers = [await takeMarket(trader), await takeMarket(trader)];
  for (const ticker of tickers) {
    await buy(trader, ticker, 'yes', '2');
    await buy(trader, ticker, 'no', '2');
  }
  const merges = tickers.map((marketId) => ({ marketId, quantity: '2' }));
  const body = { userAddress: trader.wallet.address, chainId: base.id, merges };
  const { transactions, quoteAmount } = await trader.api.createMergeCalldata(body);
  expect([transactions.length, quoteAmount]).toEqual([1, '4']);
  const [first = ''] = tickers;
  const before = await holdings(trader, first);
  await sendTransactions(sandbox, trader, transactions);
  expect(await holdings(trader, first)).toEqual({
    usdc: before.usdc + 4n * MICROS,
    yes: 0n,
    no: 0n,
  });
  const closed = await pollUntil(
    async () => {
      const { positions } = await trader.api.listClosedPositions({ address: trader.account });
      return positions.length === 4 ? positions : undefined;
    },
    { everyMs: 100 },
  );
  expect(closed?.map(({ contracts }) => contracts)).toEqual(['2', '2', '2', '2']);
});

test('given a settled market, a merge is refused', { tags: ['long'] }, async () => {
  const trader = await createTrader(sandbox);
  const ticker = await takeMarket(trader);
  await buy(trader, ticker, 'yes', '1');
  await buy(trader, ticker, 'no', '1');
  await controlExchange(sandbox, 'settle', { ticker, result: 'yes' });
  await untilRedeemable(trader, ticker);
  const problem = await refusal(trader.api.createMergeCalldata(asked(trader, ticker, '1')));
  expect(problem).toMatchObject({ code: 'merge_not_possible', status: 409 });
  expect(problem.detail).toContain('settled');
});

/** Runs with a key of the test's own that may register, propose and veto. */
async function withProposer(use: (send: (data: Hex) => Promise<void>) => Promise<void>) {
  const faults = controlChainFaults(sandbox);
  const wallet = privateKeyToAccount(generatePrivateKey());
  const roles = ['ATTESTOR', 'RESOLVER', 'PAUSER'] as const;
  const to = sandbox.contracts.settlement;
  await faults.setGasMoney(wallet.address, parseEther('1'));
  for (const role of roles) {
    await faults.callVaultAs('ADMIN', grantRoleCall(role, wallet.address).data);
  }
  try {
    await use((data) => sendTransactions(sandbox, { wallet }, [{ to, value: '0', data }]));
  } finally {
    for (const role of roles) {
      await faults.callVaultAs('ADMIN', revokeRoleCall(role, wallet.address).data);
    }
  }
}

const propose = (ticker: string, payoutYes: bigint, payoutNo: bigint) =>
  encodeFunctionData({
    abi: settlementAbi,
    functionName: 'proposeSettlement',
    args: [marketKeyOf(ticker), payoutYes, payoutNo],
  });

test('given a proposal of 50 and 40 cents, a merge is refused until its veto', async () => {
  const trader = await createTrader(sandbox);
  const ticker = await takeMarket(trader);
  await buy(trader, ticker, 'yes', '2');
  await buy(trader, ticker, 'no', '2');
  const before = await holdings(trader, ticker);
  const prepare = () => trader.api.createMergeCalldata(asked(trader, ticker, '2'));
  // Asked for before the proposal, and sent after it: the contract refuses it.
  const early = await prepare();
  await withProposer(async (send) => {
    await send(registerCall(ticker).data);
    await send(propose(ticker, 500_000n, 400_000n));
    expect(await refusal(prepare())).toMatchObject({
      code: 'merge_not_possible',
      status: 409,
      detail:
        'The market is about to settle with less than a dollar per pair. Nothing was created.',
    });
    await expect(sendTransactions(sandbox, trader, early.transactions)).rejects.toThrow();
    expect(await holdings(trader, ticker)).toEqual(before);
    await send(vetoCall(ticker).data);
  });
  await sendTransactions(sandbox, trader, (await prepare()).transactions);
  expect(await holdings(trader, ticker)).toEqual({
    usdc: before.usdc + 2n * MICROS,
    yes: 0n,
    no: 0n,
  });
});
