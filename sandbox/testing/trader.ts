import {
  type Address,
  createPublicClient,
  type Hex,
  http,
  type LocalAccount,
  parseAbi,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { type CrossbookClient, createClient } from '#lib/api/client.ts';
import type { GrantQuery } from '#lib/api/schemas/account.ts';
import type { LimitOrderRequestInput } from '#lib/api/schemas/limitOrder.ts';
import type { OrderRecordWithEvents, OrderRequestInput } from '#lib/api/schemas/order.ts';
import type { PrepareWithdrawalInput, WithdrawRequestInput } from '#lib/api/schemas/withdraw.ts';
import { base } from '#lib/chains.ts';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';

/** A wallet with a program around it: what a third party would write against /v1. */
export type Trader<Wallet extends LocalAccount = PrivateKeyAccount> = {
  wallet: Wallet;
  account: Address;
  api: CrossbookClient;
};

type Sandbox = Pick<SandboxDescription, 'baseUrl' | 'apiKey' | 'rpcUrl' | 'contracts'>;

/** A fresh wallet, signed in. */
export async function signIn(sandbox: Sandbox, key: Hex = generatePrivateKey()): Promise<Trader> {
  const wallet = privateKeyToAccount(key);
  const anonymous = createClient({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
  const token = await fetchToken(anonymous, wallet);
  const api = createClient({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey, token });
  const { smartAccountAddress } = await api.getAccount(wallet.address);
  return { wallet, account: smartAccountAddress as Address, api };
}

/** A bearer token for a wallet, through the public sign-in. */
export async function fetchToken(api: CrossbookClient, wallet: LocalAccount): Promise<string> {
  const { message } = await api.getSignInMessage(wallet.address);
  const signature = await wallet.signMessage({ message });
  return (await api.createToken({ message, signature })).token;
}

/** An owner's choices for a permission; each has the usual default. */
export type Limits = Partial<Omit<GrantQuery, 'address'>>;

/** A permission for unusually large trading, or for withdrawals to others without a signature. */
export const WIDE_LIMITS: Limits = {
  maxPerOrder: '10000',
  maxPerDay: '50000',
  maxWithdrawPerDay: '10000',
  withdrawAnywhere: 'true',
};

/** Signs the default permission of a wallet, or the given one, and records it. */
export async function giveGrant(
  api: CrossbookClient,
  wallet: LocalAccount,
  limits: Limits = {},
): Promise<void> {
  const { typedData } = await api.getGrant({ address: wallet.address, ...limits });
  const { domain, types, primaryType, message } = typedData;
  const signature = await wallet.signTypedData({
    domain: { ...domain, verifyingContract: domain.verifyingContract as Hex },
    types: { Grant: types.Grant },
    primaryType,
    message,
  });
  await api.recordGrant({ grant: message, signature });
}

/** A fresh wallet with a session, a grant and test funds, which redeems its payouts by hand. */
export async function createTrader(sandbox: Sandbox, limits: Limits = {}): Promise<Trader> {
  const trader = await signIn(sandbox);
  await giveGrant(trader.api, trader.wallet, limits);
  await trader.api.requestFunds(trader.wallet.address);
  await trader.api.putAccountSettings({ autoRedeem: false });
  return trader;
}

/** A withdrawal with its owner's signature, ready to be sent. */
export async function signWithdrawal(
  { api, wallet }: Pick<Trader<LocalAccount>, 'api' | 'wallet'>,
  body: PrepareWithdrawalInput,
): Promise<WithdrawRequestInput> {
  const { typedData, withdrawal } = await api.prepareWithdrawal(body);
  const { domain, types, primaryType, message } = typedData;
  const signature = await wallet.signTypedData({
    domain: { ...domain, verifyingContract: domain.verifyingContract as Hex },
    types: { Withdrawal: types.Withdrawal },
    primaryType,
    message,
  });
  return { ...withdrawal, signature };
}

/** What makes an order wait for a price. */
type Stop = Pick<OrderRequestInput['order'], 'triggerPrice' | 'direction' | 'triggerSource'>;

/** The body of an order on a market, with USDC of the sandbox as quote token. */
export function orderBody(
  sandbox: Sandbox,
  trader: Trader<LocalAccount>,
  order: {
    direction: 'BUY' | 'SELL';
    ticker: string;
    side: 'yes' | 'no';
    contracts: string;
    quoteLimit: string;
    sizedBy?: 'baseQuantity' | 'maxQuoteQuantityIn';
    clientId?: string;
    stop?: Stop;
  },
): OrderRequestInput {
  return {
    orderType: 'MarketOrder',
    order: {
      quoteToken: {
        type: 'chain',
        data: { tokenId: '0', chainId: base.id, contractAddress: sandbox.contracts.usdc },
      },
      baseToken: { type: 'venue', data: { marketId: order.ticker, side: order.side } },
      orderType: order.direction,
      baseQuantity: order.contracts,
      ...(order.direction === 'BUY'
        ? { maxQuoteQuantityIn: order.quoteLimit }
        : { minQuoteQuantityOut: order.quoteLimit }),
      ...(order.sizedBy && { sizedBy: order.sizedBy }),
      ...order.stop,
    },
    chainId: base.id,
    userAddress: trader.wallet.address,
    ...(order.clientId === undefined ? {} : { clientId: order.clientId }),
  };
}

/** The body of a limit order on a market. */
export function limitBody(
  sandbox: Sandbox,
  trader: Trader,
  order: {
    direction: 'BUY' | 'SELL';
    ticker: string;
    side?: 'yes' | 'no';
    contracts: string;
    price: string;
    stop?: Stop;
  } & Partial<
    Pick<LimitOrderRequestInput['order'], 'timeInForce' | 'expiresAt' | 'postOnly' | 'reduceOnly'>
  >,
): LimitOrderRequestInput {
  const { direction, ticker, side = 'yes', contracts, price, stop, ...terms } = order;
  return {
    orderType: 'LimitOrder',
    order: {
      quoteToken: {
        type: 'chain',
        data: { tokenId: '0', chainId: base.id, contractAddress: sandbox.contracts.usdc },
      },
      baseToken: { type: 'venue', data: { marketId: ticker, side } },
      orderType: direction,
      baseQuantity: contracts,
      limitPrice: price,
      ...terms,
      ...stop,
    },
    chainId: base.id,
    userAddress: trader.wallet.address,
  };
}

/** Waits until an order's log has an entry of this type. */
export async function untilLogged(
  trader: Trader,
  id: string,
  type: string,
  times = 1,
): Promise<OrderRecordWithEvents> {
  return await untilOrder(trader, id, {
    what: `get to ${type}`,
    isSo: ({ events }) => events.filter((event) => event.type === type).length >= times,
  });
}

/** Waits until an order has ended. */
export async function untilComplete(
  trader: Trader<LocalAccount>,
  id: string,
  timeoutMs?: number,
): Promise<OrderRecordWithEvents> {
  const isSo = ({ isComplete }: OrderRecordWithEvents) => isComplete;
  return await untilOrder(trader, id, { what: 'end', isSo, timeoutMs });
}

async function untilOrder(
  { api }: Pick<Trader, 'api'>,
  id: string,
  wanted: {
    what: string;
    isSo: (order: OrderRecordWithEvents) => boolean;
    timeoutMs?: number | undefined;
  },
): Promise<OrderRecordWithEvents> {
  let seen = await api.getOrder(id);
  const order = await pollUntil(
    async () => {
      seen = await api.getOrder(id);
      return wanted.isSo(seen) ? seen : undefined;
    },
    { timeoutMs: wanted.timeoutMs, everyMs: 100 },
  );
  if (order) return order;
  const log = seen.events.map(({ type, detail }) => [type, detail].join(' ').trim()).join(', ');
  throw new Error(`order ${id} (${seen.status}) did not ${wanted.what}: ${log}`);
}

const BALANCES_ABI = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function balanceOf(address account, uint256 id) view returns (uint256)',
]);

/** The chain's state, read directly. */
export async function readHoldings(
  sandbox: Sandbox,
  holder: Address,
  outcome: { ticker: string; side: 'yes' | 'no' },
): Promise<{ usdcMicros: bigint; contractMicros: bigint }> {
  const client = createPublicClient({ chain: base, transport: http(sandbox.rpcUrl) });
  const [usdcMicros, contractMicros] = await Promise.all([
    client.readContract({
      address: sandbox.contracts.usdc,
      abi: BALANCES_ABI,
      functionName: 'balanceOf',
      args: [holder],
    }),
    client.readContract({
      address: sandbox.contracts.outcomeToken,
      abi: BALANCES_ABI,
      functionName: 'balanceOf',
      args: [holder, outcomeTokenId(outcome.ticker, outcome.side)],
    }),
  ]);
  return { usdcMicros, contractMicros };
}

/** A market tradable on both sides, among the busiest. */
export async function findLiquidMarket(trader: Trader<LocalAccount>): Promise<string> {
  const ticker = await pollUntil(
    async () => {
      const { markets } = await trader.api.listMarkets({ limit: 50 });
      const closesLater = Date.now() + 3_600_000;
      return markets.find(
        (one) =>
          one.yesBid >= 15 &&
          one.yesAsk <= 85 &&
          one.yesAsk > one.yesBid &&
          Date.parse(one.expectedEndTime) > closesLater,
      )?.ticker;
    },
    { everyMs: 250 },
  );
  if (!ticker) throw new Error('the sandbox exchange offers no market to trade on');
  return ticker;
}
