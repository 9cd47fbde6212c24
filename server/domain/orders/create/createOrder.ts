import { randomUUID } from 'node:crypto';
import { type Address, isAddressEqual } from 'viem';
import type { AnyOrderRequest, OrderIntent } from '#lib/api/schemas/order.ts';
import { formatMicros } from '#lib/money.ts';
import type { Chain } from '#server/chain/client.ts';
import { clientRefOf, vaultOrderId } from '#server/chain/vaultOrder.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { ServiceError, throwFirst } from '#server/platform/errors.ts';
import type { Log } from '#server/platform/log.ts';
import { type AccountIdentity, resolveAccount, storeAccount } from '../../accounts/accounts.ts';
import { requireNotServiceAddress } from '../../accounts/serviceAddresses.ts';
import type { OrderRow } from '../lifecycle/orderRow.ts';
import { vaultOrderOf } from '../lifecycle/orderRow.ts';
import { ORDER_TTL_MS } from '../lifecycle/placingTime.ts';
import { serializeOrderIntent } from '../read/serializeOrder.ts';
import { DELIVERY_MARGIN_MS } from './limitTerms.ts';
import { requireReducing } from './reduceOnly.ts';
import { type ResolvedTrade, resolveTrade } from './resolveTrade.ts';
import { findByClientId, hashRequest, requireSameRequest, storeOrder } from './storeOrder.ts';

export type OrderDeps = { database: Database; chain: Chain; exchange: Exchange; log: Log };

/** A redemption locks nothing, so it may wait for the on-chain delay of every settlement. */
const REDEMPTION_TTL_MS = 24 * 60 * 60_000;

/**
 * Creates an order that the service places for the user; a processor executes it.
 * @throws {ServiceError} address_not_allowed, wrong_owner, receiver_not_allowed, client_id_conflict
 *   and what `resolveTrade` throws
 */
export async function createOrder(
  deps: OrderDeps,
  input: { apiKeyId: string; owner: Address; body: AnyOrderRequest },
): Promise<OrderIntent> {
  const { apiKeyId, owner, body } = input;
  const requestHash = hashRequest({ kind: 'api', ...body, clientId: undefined });
  await requireNotServiceAddress(deps, { '/userAddress': body.userAddress });
  // Requested in parallel. A failed resolution counts only when the request is new.
  const [identity, resolved] = await Promise.all([
    resolveAccount(deps, body.userAddress),
    resolveTrade(deps, body).then(
      (trade) => ({ trade }),
      (error: unknown) => ({ error }),
    ),
  ]);
  requireOwner(identity, { owner, userAddress: body.userAddress });
  await storeAccount(deps, identity);
  try {
    if ('error' in resolved) throw resolved.error;
    throwFirst(receiverProblems(resolved.trade, identity));
    await requireReducing(deps.chain, identity.account, resolved.trade);
  } catch (error) {
    const { clientId } = body;
    const own = { apiKeyId, owner: identity.owner, anonymous: false };
    const replay = clientId && (await findByClientId(deps.database, { ...own, clientId }));
    if (!replay) throw error;
    return serializeOrderIntent(requireSameRequest(replay, requestHash));
  }
  const { trade } = resolved;
  const row = await storeTradeOrder(deps, {
    kind: 'api',
    apiKeyId,
    requestHash,
    body,
    trade,
    ...identity,
    receiver: trade.receiver ?? identity.account,
    ttlMs: trade.isRedemption ? REDEMPTION_TTL_MS : ORDER_TTL_MS,
  });
  return serializeOrderIntent(row);
}

/** Why an order that the service places cannot deliver to its receiver. */
export function receiverProblems(
  trade: Pick<ResolvedTrade, 'receiver' | 'isRedemption'>,
  { owner, account }: AccountIdentity,
): ServiceError[] {
  const receiver = trade.receiver ?? account;
  if (trade.isRedemption) return holderProblems(account, receiver);
  if (isAddressEqual(receiver, account) || isAddressEqual(receiver, owner)) return [];
  return [
    new ServiceError(
      'receiver_not_allowed',
      'Orders placed by Crossbook deliver to the smart account or its owner only. ' +
        'Sign the order yourself (POST /v1/order/calldata) to deliver elsewhere.',
      { errors: [{ pointer: '/receiverAddress', detail: 'must be the account or its owner' }] },
    ),
  ];
}

/** The vault pays for tokens of settled markets only to their holder. */
export function holderProblems(holder: Address, receiver: Address): ServiceError[] {
  if (isAddressEqual(receiver, holder)) return [];
  return [
    new ServiceError(
      'receiver_not_allowed',
      'The market is settled: payouts go to the token holder only. Nothing was created.',
      { errors: [{ pointer: '/receiverAddress', detail: `must be ${holder}, or omitted` }] },
    ),
  ];
}

export function ownerProblems(
  identity: AccountIdentity,
  input: { owner: Address; userAddress: string },
): ServiceError[] {
  if (isAddressEqual(identity.owner, input.owner)) return [];
  const detail = `${input.userAddress} belongs to another wallet`;
  return [
    new ServiceError(
      'wrong_owner',
      'The signed-in wallet owns neither this address nor its smart account. Nothing was created.',
      { errors: [{ pointer: '/userAddress', detail }] },
    ),
  ];
}

/** @throws {ServiceError} wrong_owner */
export function requireOwner(
  identity: AccountIdentity,
  input: { owner: Address; userAddress: string },
): void {
  throwFirst(ownerProblems(identity, input));
}

/** Stores an order of either kind under an id that the chain uses too. */
export async function storeTradeOrder(
  deps: OrderDeps,
  input: {
    kind: 'api' | 'calldata';
    apiKeyId: string;
    requestHash: string;
    body: AnyOrderRequest;
    trade: ResolvedTrade;
    owner: Address;
    account: Address;
    receiver: Address;
    ttlMs: number;
    /** Given where another order already names this one. */
    id?: string;
    withoutToken?: boolean;
    anonymous?: boolean;
  },
): Promise<OrderRow> {
  const { kind, apiKeyId, requestHash, body, withoutToken = false, anonymous = false } = input;
  const { isRedemption, receiver: _, limit, trigger, ...trade } = input.trade;
  const { id = randomUUID() } = input;
  const clientId = body.clientId ?? id;
  const order = {
    ...trade,
    ...limit,
    ...trigger,
    id,
    accountId: input.account,
    receiverAddress: input.receiver,
    expiresAt: expiryOf(trigger?.restsUntil ?? limit?.restsUntil ?? undefined, input.ttlMs),
    clientRef: clientRefOf(apiKeyId, clientId),
  };
  const { id: chainId, contracts } = deps.chain;
  return await storeOrder(deps, {
    ...order,
    ownerAddress: input.owner,
    userAddress: body.userAddress,
    apiKeyId,
    clientId,
    requestHash,
    kind,
    withoutToken,
    anonymous,
    ...(isRedemption
      ? { stage: 'redeem' as const, isRedemption }
      : {
          stage: 'request' as const,
          chainOrderId: vaultOrderId(chainId, contracts.swapVault, vaultOrderOf(order)),
        }),
    action: actionOf(body, input.trade),
  });
}

/** When the vault lets anyone return the funds: a resting order's fills are delivered before. */
function expiryOf(restsUntil: Date | undefined, ttlMs: number): Date {
  if (restsUntil) return new Date(restsUntil.getTime() + DELIVERY_MARGIN_MS);
  return new Date(Math.floor((Date.now() + ttlMs) / 1000) * 1000);
}

/** A limit order is published with its quantity and what it locks, whatever the request gave. */
function actionOf({ orderType, order, chainId }: AnyOrderRequest, trade: ResolvedTrade) {
  if (orderType === 'MarketOrder') return { orderType, order, chainId };
  const locked = formatMicros(trade.quoteLimitUsdcMicros);
  const { maxQuoteQuantityIn: _, ...terms } = order;
  const sized = {
    ...terms,
    baseQuantity: formatMicros(trade.contractMicros),
    ...(trade.tradeAction === 'buy'
      ? { maxQuoteQuantityIn: locked }
      : { minQuoteQuantityOut: locked }),
  };
  return { orderType, order: sized, chainId };
}
