import { type Address, encodeFunctionData, erc20Abi, getAddress, isAddressEqual } from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import type { CalldataResult, CalldataTransaction, OrderRequest } from '#lib/api/schemas/order.ts';
import { formatMicros } from '#lib/money.ts';
import { fromChain, resolveAccount } from '../accounts/accounts.ts';
import { type Call, encodeAccountExecute } from '../chain/accountExecute.ts';
import { readBalances } from '../chain/accountReads.ts';
import { type Chain, isDeployed } from '../chain/client.ts';
import { ServiceError } from '../errors.ts';
import { findSettlement } from '../settlement/settlementStore.ts';
import { asTradeOrder, type TradeOrder, vaultOrderOf } from './chainOrder.ts';
import { type OrderDeps, requireHolderReceives, storeTradeIntent } from './createOrder.ts';
import { findByClientId, hashRequest, requireSameRequest } from './intentStore.ts';
import { intentOf } from './record.ts';
import { redemptionOf } from './redemption.ts';
import { type ResolvedTrade, resolveTrade } from './resolveTrade.ts';

/** Time for the user to sign and send; the vault takes nothing after it. */
const CALLDATA_TTL_MS = 20 * 60_000;

/**
 * Issues an order for the user's own wallet to send, and remembers it: from here it is `pending`
 * until the vault's event shows up, whoever sent it. The transactions are to be sent in order by
 * `userAddress`.
 * @throws {ServiceError} chain_unavailable, client_id_conflict and what `resolveTrade` throws
 */
export async function createCalldataOrder(
  deps: OrderDeps,
  input: { apiKeyId: string; body: OrderRequest },
): Promise<CalldataResult> {
  const { apiKeyId, body } = input;
  const requestHash = hashRequest({ kind: 'calldata', ...body, clientId: undefined });
  const replay = body.clientId
    ? await findByClientId(deps.database, apiKeyId, body.clientId)
    : undefined;
  if (replay) requireSameRequest(replay, requestHash);
  const trade = replay ? undefined : await resolveTrade(deps, body);
  const payer = await fromChain(() => findPayer(deps, body, trade));
  if (trade?.isRedemption) {
    requireHolderReceives(payer.account, trade.receiver ?? payer.account);
    await requirePayoutsOpen(deps, trade.ticker);
  }
  const row =
    replay ??
    (await storeTradeIntent(deps, {
      kind: 'calldata',
      apiKeyId,
      requestHash,
      body,
      trade: trade as ResolvedTrade,
      owner: payer.owner,
      account: payer.account,
      receiver: trade?.receiver ?? payer.account,
      ttlMs: CALLDATA_TTL_MS,
    }));
  const order = asTradeOrder(row);
  const sender = getAddress(body.userAddress.toLowerCase());
  return {
    success: true,
    transactions: await fromChain(() =>
      transactionsFor(deps.chain, order, sender, body.includeTokenTransfer),
    ),
    description: describe(order),
    intent: intentOf(row),
  };
}

/**
 * Whose funds the order moves. A smart wallet pays from itself. A plain wallet pays from its smart
 * account, unless it holds the input itself and the smart account does not.
 */
async function findPayer(
  deps: OrderDeps,
  body: OrderRequest,
  trade: ResolvedTrade | undefined,
): Promise<{ owner: Address; account: Address }> {
  const user = getAddress(body.userAddress.toLowerCase());
  const identity = await resolveAccount(deps, user);
  if (isAddressEqual(user, identity.account)) return identity;
  if (await isDeployed(deps.chain, user)) return { owner: user, account: user };
  if (!trade) return identity;
  const holds = async (address: Address) => {
    const balances = await readBalances(deps.chain, address, trade);
    return trade.tradeAction === 'buy'
      ? balances.usdcMicros >= trade.limitUsdcMicros
      : balances.contractMicros >= trade.contractMicros;
  };
  if (await holds(identity.account)) return identity;
  return (await holds(user)) ? { owner: user, account: user } : identity;
}

/** @throws {ServiceError} settlement_pending: a transaction sent now would fail */
async function requirePayoutsOpen(deps: OrderDeps, ticker: string): Promise<void> {
  const settlement = await findSettlement(deps.database.orm, ticker);
  if (settlement?.state === 'final') return;
  throw new ServiceError(
    'settlement_pending',
    `The exchange has settled ${ticker}; the vault does not pay it out yet. Nothing was created; ` +
      'try again shortly, or leave it to POST /v1/order, which waits.',
    { retryAfterSeconds: 5 },
  );
}

async function transactionsFor(
  chain: Chain,
  order: TradeOrder,
  sender: Address,
  includeTokenTransfer: boolean,
): Promise<CalldataTransaction[]> {
  const calls = order.isRedemption
    ? [redemptionCall(chain, order)]
    : vaultCalls(chain, order, includeTokenTransfer);
  const account = order.accountId as Address;
  if (isAddressEqual(sender, account)) return calls.map(asTransaction);
  const execute = { to: account, value: 0n, data: encodeAccountExecute(calls) };
  if (await isDeployed(chain, account)) return [asTransaction(execute)];
  const deploy = {
    to: chain.contracts.accountFactory,
    value: 0n,
    data: encodeFunctionData({
      abi: tradingAccountFactoryAbi,
      functionName: 'createAccount',
      args: [sender],
    }),
  };
  return [asTransaction(deploy), asTransaction(execute)];
}

function redemptionCall(chain: Chain, order: TradeOrder): Call {
  const { holder, marketKey, outcome, contractMicros } = redemptionOf(order);
  return {
    to: chain.contracts.swapVault,
    value: 0n,
    data: encodeFunctionData({
      abi: swapVaultAbi,
      functionName: 'redeem',
      args: [holder, marketKey, outcome, contractMicros],
    }),
  };
}

/** What the paying account itself must call: an approval of exactly the input, and the request. */
function vaultCalls(chain: Chain, order: TradeOrder, includeTokenTransfer: boolean): Call[] {
  const request: Call = {
    to: chain.contracts.swapVault,
    value: 0n,
    data: encodeFunctionData({
      abi: swapVaultAbi,
      functionName: 'request',
      args: [vaultOrderOf(order)],
    }),
  };
  // The vault needs no approval for outcome tokens.
  if (!includeTokenTransfer || order.tradeAction === 'sell') return [request];
  const approve: Call = {
    to: chain.contracts.usdc,
    value: 0n,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [chain.contracts.swapVault, order.limitUsdcMicros],
    }),
  };
  return [approve, request];
}

function asTransaction(call: Call): CalldataTransaction {
  return { to: call.to, value: call.value.toString(), data: call.data };
}

function describe(order: TradeOrder): string {
  const outcome = `${order.side === 'yes' ? 'Yes' : 'No'} of ${order.ticker}`;
  const contracts = formatMicros(order.contractMicros);
  const usdc = formatMicros(order.limitUsdcMicros);
  const until = order.expiresAt.toISOString();
  if (order.isRedemption) {
    return `Redeem ${contracts} ${outcome} for at least ${usdc} USDC; to be sent by ${until}`;
  }
  return order.tradeAction === 'buy'
    ? `Buy ${contracts} ${outcome} for at most ${usdc} USDC, fee included; to be sent by ${until}`
    : `Sell ${contracts} ${outcome} for at least ${usdc} USDC after the fee; to be sent by ${until}`;
}
