import { randomUUID } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';
import { controlExchange } from './exchangeControl.ts';
import type { ModelTrader } from './model/modelTrader.ts';
import { sendAsUser } from './model/userTransaction.ts';
import { limitBody, orderBody, signWithdrawal, untilLogged } from './trader.ts';
import { buyOn, untilRedeemable } from './trades.ts';

/** One path through the pipeline: its preconditions, and the one request that is disturbed. */
export type CrashScenario = {
  name: string;
  /** It settles its market, so it needs a new one each time. */
  needsOwnMarket?: boolean;
  prepare(sandbox: SandboxDescription, trader: ModelTrader): Promise<void>;
  /** Returns the order of the request. */
  act(sandbox: SandboxDescription, trader: ModelTrader): Promise<string>;
  /** The required end. */
  ends: { status: 'completed' | 'failed'; terminationReason: string | null };
};

const COMPLETED = { status: 'completed', terminationReason: null } as const;
const nothing = async () => undefined;

/** Every path of an order's life with its own side effects. */
export const CRASH_SCENARIOS: readonly CrashScenario[] = [
  {
    name: 'a buy, with the account deployed on the way',
    prepare: nothing,
    act: (sandbox, trader) => place(sandbox, trader, { direction: 'BUY', quoteLimit: '4.9' }),
    ends: COMPLETED,
  },
  {
    name: 'a buy that rests, is amended, fills in parts and is cancelled',
    prepare: nothing,
    act: restAmendFillCancel,
    ends: COMPLETED,
  },
  {
    name: 'a buy without sellers',
    prepare: nothing,
    act: (sandbox, trader) => place(sandbox, trader, { direction: 'BUY', quoteLimit: '0.1' }),
    ends: { status: 'failed', terminationReason: 'price_moved' },
  },
  {
    name: 'a sale',
    prepare: buyFive,
    act: (sandbox, trader) => place(sandbox, trader, { direction: 'SELL', quoteLimit: '0.1' }),
    ends: COMPLETED,
  },
  {
    name: 'a buy that the user sends',
    prepare: buyFive,
    act: sendBuy,
    ends: COMPLETED,
  },
  {
    name: 'a withdrawal of USDC',
    prepare: nothing,
    act: (sandbox, trader) =>
      withdraw(trader, {
        amount: '7.25',
        tokenType: 'erc20',
        tokenAddress: sandbox.contracts.usdc,
      }),
    ends: COMPLETED,
  },
  {
    name: 'a withdrawal that the owner signed, from an account that is not on the chain',
    prepare: nothing,
    async act(sandbox, trader) {
      const body = await signWithdrawal(trader, {
        intentType: 'Withdraw',
        destinationAddress: trader.withdrawalSink,
        amount: '7.25',
        tokenType: 'erc20',
        tokenAddress: sandbox.contracts.usdc,
      });
      return (await trader.api.withdraw(body)).intent.id;
    },
    ends: COMPLETED,
  },
  {
    name: 'a withdrawal of tokens',
    prepare: buyFive,
    act: (sandbox, trader) =>
      withdraw(trader, {
        amount: '2',
        tokenType: 'erc1155',
        tokenAddress: sandbox.contracts.outcomeToken,
        tokenId: outcomeTokenId(trader.markets[0] ?? '', 'yes').toString(),
      }),
    ends: COMPLETED,
  },
  {
    name: 'a redemption, with the settlement of its market',
    needsOwnMarket: true,
    prepare: buyFive,
    async act(sandbox, trader) {
      await controlExchange(sandbox, 'settle', { ticker: trader.markets[0], result: 'yes' });
      await untilRedeemable(trader, trader.markets[0] ?? '');
      return await place(sandbox, trader, { direction: 'SELL', quoteLimit: '5' });
    },
    ends: COMPLETED,
  },
];

function body(
  sandbox: SandboxDescription,
  trader: ModelTrader,
  order: { direction: 'BUY' | 'SELL'; quoteLimit: string },
) {
  const ticker = trader.markets[0] ?? '';
  return orderBody(sandbox, trader, { ...order, ticker, side: 'yes', contracts: '5' });
}

async function place(
  sandbox: SandboxDescription,
  trader: ModelTrader,
  order: { direction: 'BUY' | 'SELL'; quoteLimit: string },
): Promise<string> {
  const { intent } = await trader.api.createOrder(body(sandbox, trader, order));
  return intent.id;
}

async function restAmendFillCancel(
  sandbox: SandboxDescription,
  trader: ModelTrader,
): Promise<string> {
  const ticker = trader.markets[0] ?? '';
  const order = { direction: 'BUY', ticker, contracts: '5', price: '0.02' } as const;
  const { intent } = await trader.api.createOrder(limitBody(sandbox, trader, order));
  const { id } = intent;
  await untilLogged(trader, id, 'resting');
  await trader.api.amendOrder(id, { baseQuantity: '4' });
  const isAmended = async () => {
    const { events } = await trader.api.getOrder(id);
    return events.some(({ type }) => type === 'amended' || type === 'amend_refused') || undefined;
  };
  await pollUntil(isAmended, { everyMs: 100 });
  for (const contracts of ['1.5', '0.75']) {
    await controlExchange(sandbox, 'fill', { clientOrderId: clientOrderIdOf(id, 1), contracts });
  }
  await untilLogged(trader, id, 'partially_filled');
  await trader.api.cancelOrder(id);
  return id;
}

async function buyFive(sandbox: SandboxDescription, trader: ModelTrader): Promise<void> {
  const bought = await buyOn(sandbox)(trader, trader.markets[0] ?? '', 'yes', '5');
  trader.intents.push({ id: bought.id });
}

async function sendBuy(sandbox: SandboxDescription, trader: ModelTrader): Promise<string> {
  const order = body(sandbox, trader, { direction: 'BUY', quoteLimit: '4.9' });
  const { transactions, intent } = await trader.api.createCalldataOrder(order);
  for (const { to, value, data } of transactions) {
    const call = { to: to as Address, data: data as Hex, value: BigInt(value) };
    await sendAsUser(sandbox.rpcUrl, trader.wallet, call);
  }
  return intent.id;
}

async function withdraw(
  trader: ModelTrader,
  what: { amount: string; tokenType: 'erc20' | 'erc1155'; tokenAddress: string; tokenId?: string },
): Promise<string> {
  const { intent } = await trader.api.withdraw({
    intentType: 'Withdraw',
    destinationAddress: trader.withdrawalSink,
    clientId: randomUUID(),
    ...what,
  });
  return intent.id;
}
