import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Address, encodeFunctionData, type Hex, keccak256, toBytes } from 'viem';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import type { CalldataTransaction } from '#lib/api/schemas/order.ts';
import type { PrepareWithdrawalInput } from '#lib/api/schemas/withdraw.ts';
import { base } from '#lib/chains.ts';
import { formatMicros, MICROS, minMicros } from '#lib/money.ts';
import { marketKeyOf, outcomeTokenId } from '#lib/outcomeToken.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { type VaultOrder, vaultOrderId } from '#server/chain/vaultOrder.ts';
import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';
import {
  giveGrant,
  limitBody,
  orderBody,
  readHoldings,
  signWithdrawal,
  untilComplete,
  WIDE_LIMITS,
} from '../trader.ts';
import { insist, readUntilAnswered } from './careful.ts';
import { executeAsOwner, type ModelTrader } from './modelTrader.ts';
import type { Random } from './random.ts';
import { sendAsUser } from './userTransaction.ts';

export type ActionContext = {
  sandbox: SandboxDescription;
  trader: ModelTrader;
  random: Random;
};

export type UserAction = {
  name: string;
  weight: number;
  perform(context: ActionContext): Promise<void>;
};

/** Rejections of a well-formed request for a reason the trader can understand. */
const HONEST_REFUSALS = new Set([
  'limit_not_allowed',
  'market_not_open',
  'market_suspended',
  'settlement_pending',
  'order_not_cancellable',
  'insufficient_funds',
  'quantity_not_allowed',
  'grant_required',
  'grant_invalid',
  'price_not_allowed',
  'crosses_open_order',
  'order_not_amendable',
  'amend_exceeds_lock',
  'merge_not_possible',
]);

/** All user actions, weighted by frequency. */
export const USER_ACTIONS: readonly UserAction[] = [
  { name: 'buy', weight: 30, perform: (context) => placeOnly(context, 'BUY') },
  { name: 'sell', weight: 14, perform: (context) => placeOnly(context, 'SELL') },
  { name: 'buy and wait', weight: 16, perform: buyAndWait },
  { name: 'rest at a price', weight: 14, perform: restAtPrice },
  { name: 'wait for a price', weight: 8, perform: waitForPrice },
  { name: 'cancel', weight: 6, perform: placeAndCancel },
  { name: 'repeat', weight: 6, perform: placeRepeatedly },
  { name: 'send it themselves', weight: 10, perform: sendThemselves },
  { name: 'never send it', weight: 2, perform: neverSend },
  { name: 'withdraw USDC', weight: 6, perform: withdrawUsdc },
  { name: 'withdraw tokens', weight: 4, perform: withdrawTokens },
  { name: 'transfer tokens', weight: 3, perform: transferTokens },
  { name: 'ask the vault directly', weight: 3, perform: callVaultDirectly },
  { name: 'revoke and grant again', weight: 2, perform: revokeAndGrant },
  { name: 'see the market settled', weight: 4, perform: seeSettled },
  { name: 'redeem everything', weight: 3, perform: redeemEverything },
  { name: 'merge pairs', weight: 5, perform: mergePairs },
];

function readOrder({ trader, random }: ActionContext, direction: 'BUY' | 'SELL') {
  const contractMicros = BigInt(random.int(1, random.chance(0.2) ? 4_000 : 600)) * 10_000n;
  const share = random.weighted([
    { weight: 6, buy: 99n, sell: 1n },
    { weight: 3, buy: 60n, sell: 30n },
    { weight: 1, buy: 2n, sell: 98n },
  ]);
  const quoteLimit = (contractMicros * (direction === 'BUY' ? share.buy : share.sell)) / 100n;
  return {
    direction,
    ticker: random.pick(trader.markets),
    side: random.pick(['yes', 'no'] as const),
    contracts: formatMicros(contractMicros),
    quoteLimit: formatMicros(quoteLimit),
    ...(direction === 'BUY' && random.chance(0.3) && { sizedBy: 'maxQuoteQuantityIn' as const }),
    clientId: randomUUID(),
  };
}

/**
 * Runs a request and records its order; an expected rejection is fine, anything else is a
 * complaint.
 */
async function ask<Reply>(
  { trader }: ActionContext,
  request: () => Promise<Reply>,
): Promise<Reply | undefined> {
  try {
    return await insist(request);
  } catch (error) {
    if (isApiProblem(error) && HONEST_REFUSALS.has(error.code)) return undefined;
    const said = isApiProblem(error) ? `${error.status} ${error.code} ${error.detail}` : error;
    trader.complaints.push(String(said));
    return undefined;
  }
}

async function place(
  context: ActionContext,
  direction: 'BUY' | 'SELL',
): Promise<string | undefined> {
  const { sandbox, trader } = context;
  const body = orderBody(sandbox, trader, readOrder(context, direction));
  const created = await ask(context, () => trader.api.createOrder(body));
  if (created) trader.intents.push({ id: created.intent.id });
  return created?.intent.id;
}

async function placeOnly(context: ActionContext, direction: 'BUY' | 'SELL'): Promise<void> {
  await place(context, direction);
}

async function buyAndWait(context: ActionContext): Promise<void> {
  const id = await place(context, 'BUY');
  if (id) await insist(() => untilComplete(context.trader, id)).catch(() => undefined);
}

async function placeAndCancel(context: ActionContext): Promise<void> {
  const id = await place(context, context.random.pick(['BUY', 'SELL'] as const));
  if (id) await ask(context, () => context.trader.api.cancelOrder(id));
}

/**
 * A limit order of any kind. One that rests is filled in parts by a stranger, amended or cancelled,
 * in any order, or left to rest until the end of the round.
 */
async function restAtPrice(context: ActionContext): Promise<void> {
  const { sandbox, trader, random } = context;
  const body = limitBody(sandbox, trader, {
    direction: random.chance(0.7) ? 'BUY' : 'SELL',
    ticker: random.pick(trader.markets),
    side: random.pick(['yes', 'no'] as const),
    contracts: formatMicros(BigInt(random.int(1, 400)) * 10_000n),
    price: `0.${String(random.int(1, 99)).padStart(2, '0')}`,
    timeInForce: random.weighted([
      { weight: 8, kind: 'GTC' as const },
      { weight: 1, kind: 'IOC' as const },
      { weight: 1, kind: 'FOK' as const },
    ]).kind,
  });
  const created = await ask(context, () => trader.api.createOrder(body));
  if (!created) return;
  const { id } = created.intent;
  trader.intents.push({ id });
  for (let n = random.int(0, 4); n > 0; n -= 1) {
    await delay(random.int(0, 900));
    await random.pick([fillSome, amendIt, cancelIt])(context, id);
  }
}

/** A stop order; other actions and failures move the price, or end it. */
async function waitForPrice(context: ActionContext): Promise<void> {
  const { sandbox, trader, random } = context;
  const direction = random.pick(['BUY', 'SELL'] as const);
  const stop = {
    triggerPrice: `0.${String(random.int(10, 90)).padStart(2, '0')}`,
    direction: random.pick(['above', 'below'] as const),
  };
  const body = orderBody(sandbox, trader, { ...readOrder(context, direction), stop });
  const created = await ask(context, () => trader.api.createOrder(body));
  if (!created) return;
  const { id } = created.intent;
  trader.intents.push({ id });
  if (random.chance(0.3)) {
    await delay(random.int(0, 900));
    await cancelIt(context, id);
  }
}

/** The exchange may not have the order, or no longer. */
async function fillSome({ sandbox, random }: ActionContext, id: string): Promise<void> {
  const contracts = formatMicros(BigInt(random.int(1, 120)) * 10_000n);
  const clientOrderId = clientOrderIdOf(id, 1);
  await controlExchange(sandbox, 'fill', { clientOrderId, contracts }).catch(() => undefined);
}

async function amendIt(context: ActionContext, id: string): Promise<void> {
  const { random, trader } = context;
  const baseQuantity = formatMicros(BigInt(random.int(1, 500)) * 10_000n);
  const limitPrice = `0.${String(random.int(1, 99)).padStart(2, '0')}`;
  const change = random.pick([{ baseQuantity }, { limitPrice }, { baseQuantity, limitPrice }]);
  await ask(context, () => trader.api.amendOrder(id, change));
}

async function cancelIt(context: ActionContext, id: string): Promise<void> {
  await ask(context, () => context.trader.api.cancelOrder(id));
}

/** Concurrent copies of one request create one order. */
async function placeRepeatedly(context: ActionContext): Promise<void> {
  const { sandbox, trader } = context;
  const body = orderBody(sandbox, trader, readOrder(context, 'BUY'));
  const responses = await Promise.all(
    [1, 2, 3].map(() => ask(context, () => trader.api.createOrder(body))),
  );
  const ids = new Set(responses.flatMap((response) => response?.intent.id ?? []));
  if (ids.size > 1) trader.complaints.push(`one request made ${ids.size} intents`);
  for (const id of ids) trader.intents.push({ id });
}

async function sendThemselves(context: ActionContext): Promise<void> {
  const { sandbox, trader, random } = context;
  const direction = random.chance(0.75) ? 'BUY' : 'SELL';
  const body = orderBody(sandbox, trader, readOrder(context, direction));
  const batch = await ask(context, () => trader.api.createCalldataOrder(body));
  if (!batch) return;
  const sent = await sendAll(context, batch.transactions);
  trader.intents.push({ id: batch.intent.id, neverSent: !sent });
}

/** Returns whether all succeeded. */
async function sendAll(
  { sandbox, trader }: ActionContext,
  transactions: readonly CalldataTransaction[],
): Promise<boolean> {
  let sent = true;
  for (const { to, value, data } of transactions) {
    const call = { to: to as Address, data: data as Hex, value: BigInt(value) };
    sent = (await sendAsUser(sandbox.rpcUrl, trader.wallet, call)) && sent;
  }
  return sent;
}

/** Some of the pairs that the account holds of a market; what happened is on the chain alone. */
async function mergePairs(context: ActionContext): Promise<void> {
  const { sandbox, trader, random } = context;
  const marketId = random.pick(trader.markets);
  const [yes, no] = await Promise.all(
    (['yes', 'no'] as const).map((side) =>
      readUntilAnswered(() => readHoldings(sandbox, trader.account, { ticker: marketId, side })),
    ),
  );
  const pairs = minMicros(yes?.contractMicros ?? 0n, no?.contractMicros ?? 0n);
  const quantity = formatMicros(pairs / BigInt(random.int(1, 3)));
  if (quantity === '0') return;
  const body = { userAddress: trader.wallet.address, chainId: base.id };
  const batch = await ask(context, () =>
    trader.api.createMergeCalldata({ ...body, merges: [{ marketId, quantity }] }),
  );
  if (batch) await sendAll(context, batch.transactions);
}

async function neverSend(context: ActionContext): Promise<void> {
  const { sandbox, trader } = context;
  const body = orderBody(sandbox, trader, readOrder(context, 'BUY'));
  const batch = await ask(context, () => trader.api.createCalldataOrder(body));
  if (batch) trader.intents.push({ id: batch.intent.id, neverSent: true });
}

/** Under the permission, or signed by the owner. */
async function withdraw(context: ActionContext, body: PrepareWithdrawalInput): Promise<void> {
  const { trader, random } = context;
  const isSigned = random.int(0, 1) === 1;
  const request = isSigned ? await ask(context, () => signWithdrawal(trader, body)) : body;
  const created = request && (await ask(context, () => trader.api.withdraw(request)));
  if (created) trader.intents.push({ id: created.intent.id });
}

async function withdrawUsdc(context: ActionContext): Promise<void> {
  const { sandbox, trader, random } = context;
  const body = {
    intentType: 'Withdraw' as const,
    destinationAddress: trader.withdrawalSink,
    amount: formatMicros(BigInt(random.int(1, 30_000_000))),
    tokenType: 'erc20' as const,
    tokenAddress: sandbox.contracts.usdc,
    clientId: randomUUID(),
  };
  await withdraw(context, body);
}

async function withdrawTokens(context: ActionContext): Promise<void> {
  const { sandbox, trader, random } = context;
  const ticker = random.pick(trader.markets);
  const side = random.pick(['yes', 'no'] as const);
  const body = {
    intentType: 'Withdraw' as const,
    destinationAddress: trader.withdrawalSink,
    amount: formatMicros(BigInt(random.int(1, 3_000_000))),
    tokenType: 'erc1155' as const,
    tokenAddress: sandbox.contracts.outcomeToken,
    tokenId: outcomeTokenId(ticker, side).toString(),
    clientId: randomUUID(),
  };
  await withdraw(context, body);
}

async function transferTokens({ sandbox, trader, random }: ActionContext): Promise<void> {
  const ticker = random.pick(trader.markets);
  const side = random.pick(['yes', 'no'] as const);
  const held = await readUntilAnswered(() =>
    readHoldings(sandbox, trader.account, { ticker, side }),
  );
  if (held.contractMicros === 0n) return;
  const amount = held.contractMicros / BigInt(random.int(1, 4));
  const data = encodeFunctionData({
    abi: outcomeTokenAbi,
    functionName: 'safeTransferFrom',
    args: [trader.account, trader.transferSink, outcomeTokenId(ticker, side), amount, '0x'],
  });
  await executeAsOwner(sandbox, trader, [{ to: sandbox.contracts.outcomeToken, data }]);
}

/** A request that the service never issued: it must be returned. */
async function callVaultDirectly({ sandbox, trader, random }: ActionContext): Promise<void> {
  const order: VaultOrder = {
    account: trader.account,
    receiver: trader.account,
    marketKey: marketKeyOf(random.pick(trader.markets)),
    outcome: random.int(0, 1),
    isBuy: true,
    quantity: 2n * MICROS,
    quoteLimit: BigInt(random.int(1, 2_000_000)),
    expiry: BigInt(Math.floor(Date.now() / 1000) + 900),
    clientRef: keccak256(toBytes(randomUUID())),
    salt: BigInt(random.int(1, 2 ** 31)),
  };
  const { swapVault, usdc } = sandbox.contracts;
  const approve = encodeFunctionData({
    abi: testUsdcAbi,
    functionName: 'approve',
    args: [swapVault, order.quoteLimit],
  });
  const request = encodeFunctionData({
    abi: swapVaultAbi,
    functionName: 'request',
    args: [order],
  });
  const sent = await executeAsOwner(sandbox, trader, [
    { to: usdc, data: approve },
    { to: swapVault, data: request },
  ]);
  if (sent) trader.orphanedOrderIds.push(vaultOrderId(base.id, swapVault, order));
}

async function revokeAndGrant(context: ActionContext): Promise<void> {
  const { sandbox, trader } = context;
  const data = encodeFunctionData({ abi: tradingAccountAbi, functionName: 'revoke' });
  await sendAsUser(sandbox.rpcUrl, trader.wallet, { to: trader.account, data });
  await ask(context, () => giveGrant(trader.api, trader.wallet, WIDE_LIMITS));
}

/** Settles one of the trader's markets, and redeems what the trader holds of it. */
async function seeSettled(context: ActionContext): Promise<void> {
  const { sandbox, trader, random } = context;
  const ticker = random.pick(trader.markets);
  const outcome = random.pick([
    { result: 'yes' },
    { result: 'no' },
    { result: 'void', payoutYesDollars: '0.5' },
    { result: 'scalar', payoutYesDollars: '0.37' },
  ]);
  // A settled market stays unchanged.
  await controlExchange(sandbox, 'settle', { ticker, ...outcome }).catch(() => undefined);
  await sellAll(context, ticker);
}

async function sellAll(context: ActionContext, ticker: string): Promise<void> {
  const { sandbox, trader } = context;
  for (const side of ['yes', 'no'] as const) {
    const held = await readUntilAnswered(() =>
      readHoldings(sandbox, trader.account, { ticker, side }),
    );
    if (held.contractMicros === 0n) continue;
    const contracts = formatMicros(held.contractMicros);
    const order = { direction: 'SELL', ticker, side, contracts, quoteLimit: '0' } as const;
    const body = orderBody(sandbox, trader, { ...order, clientId: randomUUID() });
    const created = await ask(context, () => trader.api.createOrder(body));
    if (created) trader.intents.push({ id: created.intent.id });
  }
}

async function redeemEverything(context: ActionContext): Promise<void> {
  const { trader } = context;
  const request = { userAddress: trader.wallet.address, chainId: base.id };
  const created = await ask(context, () => trader.api.redeemPositions(request));
  for (const { id } of created?.intents ?? []) trader.intents.push({ id });
}
