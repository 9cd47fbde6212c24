import pg from 'pg';
import { createPublicClient, type Hex, http, parseEventLogs } from 'viem';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { base } from '#lib/chains.ts';
import { parseMicros } from '#lib/money.ts';
import { marketKeyOf, outcomeTokenId } from '#lib/outcomeToken.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import { FAUCET_USDC_MICROS } from '#server/domain/accounts/faucet.ts';
import { TERMINATION_REASONS } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import { readHoldings } from '../trader.ts';
import { insist } from './careful.ts';
import type { ModelTrader } from './modelTrader.ts';

/** The differences between one trader's records and the chain; empty when there are none. */
export async function checkTrader(
  sandbox: SandboxDescription,
  trader: ModelTrader,
): Promise<string[]> {
  const problems = [...trader.complaints];
  const records: OrderRecordWithEvents[] = [];
  for (const { id, neverSent } of trader.intents) {
    const record = await insist(() => trader.api.getOrder(id));
    if (!record.isComplete && neverSent) continue;
    problems.push(...checkRecord(record));
    records.push(record);
  }
  problems.push(...(await checkHoldings(sandbox, trader, records)));
  return problems.map((problem) => `${trader.account}: ${problem}`);
}

/** Checks an order's record: the price limit, the sums, one end. */
export function checkRecord(record: OrderRecordWithEvents): string[] {
  const problems: string[] = [];
  const complain = (problem: string) => problems.push(`order ${record.id} ${problem}`);
  if (!record.isComplete) complain(`is not over: ${record.status}`);
  const isFailed = record.status === 'failed';
  if (isFailed !== (record.terminationReason !== null)) complain('has a reason without failing');
  if (isFailed && !((record.terminationReason ?? '') in TERMINATION_REASONS)) {
    complain(`ended for an unknown reason: ${record.terminationReason}`);
  }
  const ends = record.events.filter(({ type }) => type === 'completed' || type === 'failed');
  // A fork that reverts an end reopens the order.
  const reopened = record.events.filter(({ type }) => type === 'reopened').length;
  if (record.isComplete && ends.length !== 1 + reopened) complain(`ended ${ends.length} times`);
  if (record.action.orderType !== 'Withdraw' && record.status === 'completed') {
    problems.push(...checkQuoteLimits(record, record.action.order));
  }
  return problems;
}

function checkQuoteLimits(
  record: OrderRecordWithEvents,
  order: {
    orderType: string;
    baseQuantity: string;
    maxQuoteQuantityIn?: string | undefined;
    minQuoteQuantityOut?: string | undefined;
    sizedBy?: string | undefined;
  },
): string[] {
  const problems: string[] = [];
  const amount = (text: string | null | undefined) => parseMicros(text ?? '0');
  const quantity = amount(order.baseQuantity);
  const filled = amount(record.filledBaseQuantity);
  const quote = amount(record.quoteAmount);
  const mayExceed = order.sizedBy === 'maxQuoteQuantityIn';
  if (filled <= 0n || (filled > quantity && !mayExceed)) {
    problems.push(`order ${record.id} filled ${filled}`);
  }
  if (order.orderType === 'BUY') {
    const limit = amount(order.maxQuoteQuantityIn);
    if (quote * quantity > limit * filled) problems.push(`order ${record.id} cost too much`);
    if (quote + amount(record.returnedQuoteAmount) !== limit) {
      problems.push(`order ${record.id} did not return the rest`);
    }
    return problems;
  }
  const limit = amount(order.minQuoteQuantityOut);
  if (quote * quantity < limit * filled) problems.push(`order ${record.id} brought too little`);
  if (filled + amount(record.returnedBaseQuantity) !== quantity) {
    problems.push(`order ${record.id} did not return the rest of the tokens`);
  }
  return problems;
}

/** To the micro-unit: every deposit is held, spent by the records, or in one of the sinks. */
async function checkHoldings(
  sandbox: SandboxDescription,
  trader: ModelTrader,
  records: OrderRecordWithEvents[],
): Promise<string[]> {
  const problems: string[] = [];
  const flows = sumFlows(records);
  await addMerges(sandbox, trader, flows);
  const anyMarket = { ticker: trader.markets[0] ?? '', side: 'yes' as const };
  const account = await readHoldings(sandbox, trader.account, anyMarket);
  const sink = await readHoldings(sandbox, trader.withdrawalSink, anyMarket);
  const expected = FAUCET_USDC_MICROS + flows.usdcMicros - flows.withdrawnUsdcMicros;
  if (account.usdcMicros !== expected) {
    problems.push(`holds ${account.usdcMicros} USDC micros instead of ${expected}`);
  }
  if (sink.usdcMicros !== flows.withdrawnUsdcMicros) {
    problems.push(`withdrew ${sink.usdcMicros} instead of ${flows.withdrawnUsdcMicros}`);
  }
  for (const ticker of trader.markets) {
    for (const side of ['yes', 'no'] as const) {
      const outcome = { ticker, side };
      const [held, withdrawn, sent] = await Promise.all(
        [trader.account, trader.withdrawalSink, trader.transferSink].map((holder) =>
          readHoldings(sandbox, holder, outcome),
        ),
      );
      const key = outcomeTokenId(ticker, side).toString();
      const traded = flows.tokens.get(key) ?? 0n;
      const taken = flows.withdrawnTokens.get(key) ?? 0n;
      const total = (held?.contractMicros ?? 0n) + taken + (sent?.contractMicros ?? 0n);
      if (total !== traded) problems.push(`${ticker} ${side}: has ${total}, traded ${traded}`);
      if (withdrawn?.contractMicros !== taken) {
        problems.push(`${ticker} ${side}: withdrew ${withdrawn?.contractMicros}, says ${taken}`);
      }
    }
  }
  return problems;
}

function sumFlows(records: OrderRecordWithEvents[]) {
  const tokens = new Map<string, bigint>();
  const withdrawnTokens = new Map<string, bigint>();
  const add = (map: Map<string, bigint>, key: string, micros: bigint) =>
    map.set(key, (map.get(key) ?? 0n) + micros);
  let usdcMicros = 0n;
  let withdrawnUsdcMicros = 0n;
  for (const { action, status, filledBaseQuantity, quoteAmount } of records) {
    if (status !== 'completed') continue;
    if (action.orderType === 'Withdraw') {
      const { tokenId, amount } = action.withdrawal;
      if (tokenId === undefined) withdrawnUsdcMicros += parseMicros(amount);
      else add(withdrawnTokens, BigInt(tokenId).toString(), parseMicros(amount));
      continue;
    }
    const { baseToken, orderType } = action.order;
    if (baseToken.type !== 'venue') throw new TypeError('the model names tokens by market');
    const key = outcomeTokenId(baseToken.data.marketId, baseToken.data.side).toString();
    const sign = orderType === 'BUY' ? 1n : -1n;
    add(tokens, key, sign * parseMicros(filledBaseQuantity ?? '0'));
    usdcMicros -= sign * parseMicros(quoteAmount ?? '0');
  }
  return { tokens, withdrawnTokens, usdcMicros, withdrawnUsdcMicros };
}

/** What the account merged by the chain's logs: both sides left it, and as many dollars came. */
async function addMerges(
  sandbox: SandboxDescription,
  { account, markets }: ModelTrader,
  flows: ReturnType<typeof sumFlows>,
): Promise<void> {
  const client = createPublicClient({ chain: base, transport: http(sandbox.rpcUrl) });
  const merges = await client.getContractEvents({
    address: sandbox.contracts.settlement,
    abi: settlementAbi,
    eventName: 'PairsMerged',
    args: { holder: account },
    fromBlock: 0n,
  });
  for (const { args } of merges) {
    const ticker = markets.find((market) => marketKeyOf(market) === args.marketKey) ?? '';
    const amount = args.amount ?? 0n;
    flows.usdcMicros += amount;
    for (const side of ['yes', 'no'] as const) {
      const key = outcomeTokenId(ticker, side).toString();
      flows.tokens.set(key, (flows.tokens.get(key) ?? 0n) - amount);
    }
  }
}

/** Those that the vault does not have itself. */
const SETTLEMENT_EVENTS = settlementAbi.filter(
  (item) =>
    item.type === 'event' && (item.name === 'SettlementFinalized' || item.name === 'Redeemed'),
);

/**
 * Sums up the whole chain from its logs, with nothing that the service itself uses: every request
 * ended once within its price limit, every token is backed, every micro-dollar in the vault is
 * owed.
 */
export async function checkVault(sandbox: SandboxDescription): Promise<string[]> {
  const problems: string[] = [];
  const client = createPublicClient({ chain: base, transport: http(sandbox.rpcUrl) });
  const { swapVault, settlement } = sandbox.contracts;
  const logs = parseEventLogs({
    abi: [...swapVaultAbi, ...SETTLEMENT_EVENTS],
    logs: await client.getLogs({ address: [swapVault, settlement], fromBlock: 0n }),
  });
  type Open = { isBuy: boolean; quantity: bigint; quoteLimit: bigint; charged: bigint };
  const open = new Map<Hex, Open>();
  const ended = new Set<Hex>();
  let collateral = 0n;
  let claimable = 0n;
  const end = (orderId: Hex) => {
    const order = open.get(orderId);
    if (!order || ended.has(orderId)) problems.push(`vault order ${orderId} ended twice`);
    ended.add(orderId);
    open.delete(orderId);
    return order;
  };
  for (const log of logs) {
    if (log.eventName === 'OrderRequested') {
      if (open.has(log.args.orderId)) problems.push(`vault order ${log.args.orderId} opened twice`);
      open.set(log.args.orderId, { ...log.args.order, charged: 0n });
    } else if (log.eventName === 'OrderPartiallyFilled') {
      const order = open.get(log.args.orderId);
      if (!order) problems.push(`vault order ${log.args.orderId} was filled after its end`);
      else order.charged = log.args.quoteTotal;
    } else if (log.eventName === 'OrderRefunded') {
      end(log.args.orderId);
    } else if (log.eventName === 'OrderFilled') {
      const order = end(log.args.orderId);
      const { quoteAmount, filledQuantity } = log.args;
      const paid = quoteAmount * (order?.quantity ?? 0n);
      const quoteLimit = (order?.quoteLimit ?? 0n) * filledQuantity;
      if (order?.isBuy ? paid > quoteLimit : paid < quoteLimit) {
        problems.push(`vault order ${log.args.orderId} broke its bound`);
      }
    } else if (log.eventName === 'SettlementFinalized') collateral += log.args.collateral;
    else if (log.eventName === 'Redeemed') collateral -= log.args.payout;
    else if (log.eventName === 'Credited') claimable += log.args.amount;
    else if (log.eventName === 'Claimed') claimable -= log.args.amount;
  }
  const locked = [...open.values()].reduce(
    (sum, one) => sum + (one.isBuy ? one.quoteLimit - one.charged : 0n),
    0n,
  );
  const [accrued, inVault, inSettlement] = await Promise.all([
    client.readContract({ address: swapVault, abi: swapVaultAbi, functionName: 'accrued' }),
    readHoldings(sandbox, swapVault, { ticker: '', side: 'yes' }),
    readHoldings(sandbox, settlement, { ticker: '', side: 'yes' }),
  ]);
  const owed = locked + accrued + collateral + claimable;
  const held = inVault.usdcMicros + inSettlement.usdcMicros;
  if (held !== owed) problems.push(`vault and settlement hold ${held}, owe ${owed}`);
  problems.push(...(await checkBacking(sandbox)));
  return problems;
}

/** No more tokens than the fills behind them; each order filled once; the ledger sums to zero. */
async function checkBacking(sandbox: SandboxDescription): Promise<string[]> {
  const client = createPublicClient({ chain: base, transport: http(sandbox.rpcUrl) });
  const transfers = parseEventLogs({
    abi: outcomeTokenAbi,
    eventName: 'TransferSingle',
    logs: await client.getLogs({ address: sandbox.contracts.outcomeToken, fromBlock: 0n }),
  });
  const supply = new Map<string, bigint>();
  for (const { args } of transfers) {
    const key = args.id.toString();
    const minted = BigInt(args.from) === 0n ? args.value : 0n;
    const burnt = BigInt(args.to) === 0n ? args.value : 0n;
    supply.set(key, (supply.get(key) ?? 0n) + minted - burnt);
  }
  const database = new pg.Client({ connectionString: sandbox.databaseUrl });
  await database.connect();
  try {
    const fills = await database.query<{ ticker: string; side: 'yes' | 'no'; held: string }>(
      `select ticker, side, sum(case when trade_action = 'buy' then contract_micros
         else -contract_micros end)::text as held from exchange_fills group by ticker, side`,
    );
    const backing = new Map(
      fills.rows.map((row) => [outcomeTokenId(row.ticker, row.side).toString(), BigInt(row.held)]),
    );
    const unbacked = [...supply]
      .filter(([id, micros]) => micros > (backing.get(id) ?? 0n))
      .map(([id, micros]) => `token ${id}: ${micros} exist, ${backing.get(id) ?? 0n} are held`);
    const twice = await database.query<{ order_id: string }>(
      `select order_id from exchange_attempts a where a.state = 'done' and a.filled_contract_micros > 0
         and a.purpose <> 'unwind' group by order_id having count(*) > 1`,
    );
    const books = await database.query<{ asset: string; total: string }>(
      `select asset, sum(amount_micros)::text as total from ledger_entries
       group by asset having sum(amount_micros) <> 0`,
    );
    return [
      ...unbacked,
      ...twice.rows.map((row) => `order ${row.order_id} was filled twice`),
      ...books.rows.map((row) => `the books are off by ${row.total} in ${row.asset}`),
    ];
  } finally {
    await database.end();
  }
}
