import { type Address, encodeFunctionData, erc20Abi, getAddress, isAddressEqual } from 'viem';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import type {
  AnyOrderRequest,
  CalldataResult,
  CalldataTransaction,
} from '#lib/api/schemas/order.ts';
import { formatMicros } from '#lib/money.ts';
import { type Call, encodeAccountExecute } from '#server/chain/accountExecute.ts';
import { readBalances } from '#server/chain/accountReads.ts';
import { type Chain, isDeployed } from '#server/chain/client.ts';
import { ServiceError, throwFirst } from '#server/platform/errors.ts';
import {
  type AccountIdentity,
  fromChain,
  resolveAccount,
  storeAccount,
} from '../../accounts/accounts.ts';
import { requireNotServiceAddress } from '../../accounts/serviceAddresses.ts';
import { findSettlement, type Settlement } from '../../settlement/settlementStore.ts';
import {
  asTradeOrder,
  isLongLived,
  isSizedByAmount,
  SEND_WITHIN_MS,
  type TradeOrder,
  vaultOrderOf,
} from '../lifecycle/orderRow.ts';
import { serializeOrderIntent } from '../read/serializeOrder.ts';
import { holderProblems, newTradeOrder, type OrderDeps, storeTradeOrder } from './createOrder.ts';
import { redemptionOf } from './redemption.ts';
import { requireReducing } from './reduceOnly.ts';
import { type ResolvedTrade, resolveTrade } from './resolveTrade.ts';
import { claimForOwner, findByClientId, hashRequest, requireSameRequest } from './storeOrder.ts';

/**
 * Time for the user to sign and send. The vault rejects the request of a market order afterwards,
 * and the service returns the funds of a resting one.
 */
const CALLDATA_TTL_MS = SEND_WITHIN_MS;

type CalldataInput = {
  apiKeyId: string;
  /** Every visitor of our pages has this key, so it does not identify the caller. */
  isSharedKey: boolean;
  /** The wallet that the request's token authenticates. */
  signedIn: Address | undefined;
  body: AnyOrderRequest;
};

/**
 * Creates and stores an order that the user's own wallet sends. The order is `pending` until the
 * vault emits its event, regardless of the sender. `userAddress` must send the transactions in
 * order. Callers may pass any address: without the owner's token, the order is visible only by its
 * key and client id until the owner claims it.
 * @throws {ServiceError} address_not_allowed, receiver_not_allowed, chain_unavailable,
 *   client_id_conflict and what `resolveTrade` throws
 */
export async function createCalldataOrder(
  deps: OrderDeps,
  input: CalldataInput,
): Promise<CalldataResult> {
  const { apiKeyId, body } = input;
  await requireNotServiceAddress(deps, {
    '/userAddress': body.userAddress,
    '/receiverAddress': body.receiverAddress,
  });
  const identity = await resolveAccount(deps, body.userAddress);
  const isOwner = input.signedIn !== undefined && isAddressEqual(input.signedIn, identity.owner);
  if (isOwner) await storeAccount(deps, identity);
  const by = { withoutToken: !isOwner, anonymous: !isOwner && input.isSharedKey };
  const requestHash = hashRequest({ kind: 'calldata', ...body, clientId: undefined });
  const own = { apiKeyId, owner: identity.owner, anonymous: by.anonymous };
  const { clientId } = body;
  const replay = clientId ? await findByClientId(deps.database, { ...own, clientId }) : undefined;
  if (replay) requireSameRequest(replay, requestHash);
  const trade = replay ? undefined : await resolveTrade(deps, body);
  const account = replay
    ? (replay.accountId as Address)
    : await fromChain(() => findPayer(deps, identity, body, trade));
  if (trade?.isRedemption) {
    throwFirst(holderProblems(account, trade.receiver ?? account));
    throwFirst(
      payoutsProblems(trade.ticker, await findSettlement(deps.database.orm, trade.ticker)),
    );
  }
  if (trade) await requireReducing(deps.chain, account, trade);
  const row =
    replay ??
    (await storeTradeOrder(
      deps,
      newTradeOrder({
        apiKeyId,
        body,
        trade: trade as ResolvedTrade,
        account,
        now: new Date(),
        ttlMs: CALLDATA_TTL_MS,
      }),
      {
        kind: 'calldata',
        apiKeyId,
        requestHash,
        body,
        trade: trade as ResolvedTrade,
        owner: identity.owner,
        ...by,
      },
    ));
  const order = asTradeOrder(isOwner ? await claimForOwner(deps.database, row) : row);
  const sender = getAddress(body.userAddress.toLowerCase());
  return {
    success: true,
    transactions: await fromChain(() =>
      transactionsFor(deps.chain, order, sender, body.includeTokenTransfer),
    ),
    description: describe(order),
    intent: serializeOrderIntent(row),
  };
}

async function findPayer(
  { chain }: OrderDeps,
  { account }: AccountIdentity,
  body: AnyOrderRequest,
  trade: ResolvedTrade | undefined,
): Promise<Address> {
  const user = getAddress(body.userAddress.toLowerCase());
  if (isAddressEqual(user, account) || !trade) return account;
  const [isContract, ofAccount, ofUser] = await Promise.all([
    isDeployed(chain, user),
    readBalances(chain, account, trade),
    readBalances(chain, user, trade),
  ]);
  return choosePayer({ user, account }, trade, { isContract, ofAccount, ofUser });
}

type Balances = { usdcMicros: bigint; contractMicros: bigint };

/**
 * Determines whose funds an order for the user's own wallet moves. A smart wallet pays from itself.
 * A plain wallet pays from its smart account, unless only the plain wallet holds the input.
 */
export function choosePayer(
  { user, account }: { user: Address; account: Address },
  trade: Pick<ResolvedTrade, 'tradeAction' | 'contractMicros' | 'quoteLimitUsdcMicros'>,
  found: { isContract: boolean; ofAccount: Balances; ofUser: Balances },
): Address {
  if (isAddressEqual(user, account)) return account;
  if (found.isContract) return user;
  const holds = ({ usdcMicros, contractMicros }: Balances) =>
    trade.tradeAction === 'buy'
      ? usdcMicros >= trade.quoteLimitUsdcMicros
      : contractMicros >= trade.contractMicros;
  return !holds(found.ofAccount) && holds(found.ofUser) ? user : account;
}

/** Until the settlement is final, the transaction of a redemption reverts. */
export function payoutsProblems(
  ticker: string,
  settlement: Pick<Settlement, 'state'> | undefined,
): ServiceError[] {
  if (settlement?.state === 'final') return [];
  return [
    new ServiceError(
      'settlement_pending',
      `${ticker} has resolved but does not pay out yet. Nothing was created; ` +
        'try again shortly, or use POST /v1/order, which waits for the payout.',
      { retryAfterSeconds: 5 },
    ),
  ];
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
  return await transactionsOf(chain, { sender, account: order.accountId as Address }, calls);
}

/**
 * The transactions with which a wallet has an account make these calls, in order: those of the wallet
 * itself, or one of its smart account, which it deploys first if need be.
 */
export async function transactionsOf(
  chain: Chain,
  { sender, account }: { sender: Address; account: Address },
  calls: readonly Call[],
): Promise<CalldataTransaction[]> {
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
  const args = [holder, marketKey, outcome, contractMicros] as const;
  const data = encodeFunctionData({ abi: settlementAbi, functionName: 'redeem', args });
  return { to: chain.contracts.settlement, value: 0n, data };
}

/** The calls of the paying account: an approval of exactly the input, and the request. */
function vaultCalls(chain: Chain, order: TradeOrder, includeTokenTransfer: boolean): Call[] {
  const { usdc, swapVault } = chain.contracts;
  const call = { abi: swapVaultAbi, functionName: 'request', args: [vaultOrderOf(order)] } as const;
  const request = { to: swapVault, value: 0n, data: encodeFunctionData(call) };
  // The vault needs no approval for outcome tokens.
  if (!includeTokenTransfer || order.tradeAction === 'sell') return [request];
  const args = [swapVault, order.quoteLimitUsdcMicros] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
  return [{ to: usdc, value: 0n, data }, request];
}

function asTransaction(call: Call): CalldataTransaction {
  return { to: call.to, value: call.value.toString(), data: call.data };
}

function describe(order: TradeOrder): string {
  const outcome = `${order.side === 'yes' ? 'Yes' : 'No'} of ${order.ticker}`;
  const contracts = formatMicros(order.contractMicros);
  const usdc = formatMicros(order.quoteLimitUsdcMicros);
  const until = sendBy(order).toISOString();
  if (order.limitPriceMicros !== null) {
    const price = formatMicros(order.limitPriceMicros);
    const verb = order.tradeAction === 'buy' ? 'Buy' : 'Sell';
    const total = order.tradeAction === 'buy' ? `at most ${usdc}` : `at least ${usdc}`;
    return `${verb} ${contracts} ${outcome} at ${price} per contract or better, for ${total} USDC with fees; send by ${until}`;
  }
  if (order.isRedemption) {
    return `Redeem ${contracts} ${outcome} for at least ${usdc} USDC; send by ${until}`;
  }
  if (isSizedByAmount(order)) {
    return `Spend ${usdc} USDC, fee included, on ${outcome}, at least ${contracts} for the whole amount; send by ${until}`;
  }
  return order.tradeAction === 'buy'
    ? `Buy ${contracts} ${outcome} for at most ${usdc} USDC, fee included; send by ${until}`
    : `Sell ${contracts} ${outcome} for at least ${usdc} USDC after the fee; send by ${until}`;
}

function sendBy(order: TradeOrder): Date {
  return isLongLived(order)
    ? new Date(order.createdAt.getTime() + SEND_WITHIN_MS)
    : order.expiresAt;
}
