import { randomUUID } from 'node:crypto';
import { type Address, type Hex, isAddressEqual } from 'viem';
import type { AnyOrderRequest, OrderIntent, OrderToSign } from '#lib/api/schemas/order.ts';
import { formatMicros } from '#lib/money.ts';
import { orderTypedData } from '#lib/order/orderToSign.ts';
import type { Chain } from '#server/chain/client.ts';
import { clientRefOf, orderMessage, vaultOrderId } from '#server/chain/vaultOrder.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { isQueryOutage } from '#server/platform/database/outage.ts';
import { ServiceError, throwFirst } from '#server/platform/errors.ts';
import type { Log } from '#server/platform/log.ts';
import { type AccountIdentity, resolveAccount, storeAccount } from '../../accounts/accounts.ts';
import { requireNotServiceAddress } from '../../accounts/serviceAddresses.ts';
import type { OrderRow } from '../lifecycle/orderRow.ts';
import { vaultOrderOf } from '../lifecycle/orderRow.ts';
import { ORDER_TTL_MS } from '../lifecycle/placingTime.ts';
import { serializeOrderIntent } from '../read/serializeOrder.ts';
import { DELIVERY_MARGIN_MS } from './limitTerms.ts';
import { readPreparedAt, requireOrderSignature, wantsOrderSignature } from './orderSignature.ts';
import { requireReducing } from './reduceOnly.ts';
import { type ResolvedTrade, resolveTrade } from './resolveTrade.ts';
import { findByClientId, hashRequest, requireSameRequest, storeOnce } from './storeOrder.ts';

export type OrderDeps = { database: Database; chain: Chain; exchange: Exchange; log: Log };

/** A redemption locks nothing, so it may wait for the on-chain delay of every settlement. */
const REDEMPTION_TTL_MS = 24 * 60 * 60_000;

type CreateInput = { apiKeyId: string; owner: Address; body: AnyOrderRequest };

/**
 * Creates an order that the service places for the user; a processor executes it.
 * @throws {ServiceError} address_not_allowed, wrong_owner, receiver_not_allowed, client_id_conflict,
 *   order_signature_required, order_signature_invalid, session_key_removed and what `resolveTrade` throws
 */
export async function createOrder(deps: OrderDeps, input: CreateInput): Promise<OrderIntent> {
  const { apiKeyId, body } = input;
  // Prepared and signed once more, it is still the same request.
  const requestHash = hashRequest({ kind: 'api', ...body, clientId: undefined, signed: undefined });
  // Requested in parallel. A failed resolution counts only when the request is new.
  const { identity, resolved } = await readRequest(deps, input, () => {
    const now = body.signed ? readPreparedAt(body.signed, new Date()) : new Date();
    return resolveTrade(deps, body, now).then((trade) => ({ trade, now }));
  });
  await storeAccount(deps, identity);
  try {
    const { trade, now } = resolved();
    const order = newTradeOrder({ apiKeyId, body, trade, ...identity, now, id: body.signed?.id });
    throwFirst(receiverProblems(trade, identity));
    await requireReducing(deps.chain, identity.account, trade);
    const orderSignature = trade.isRedemption
      ? null
      : await requireOrderSignature(deps, vaultOrderOf(order), body.signed);
    const stored = { kind: 'api' as const, apiKeyId, requestHash, body, trade, ...identity };
    return serializeOrderIntent(await storeTradeOrder(deps, order, { ...stored, orderSignature }));
  } catch (error) {
    // A second query would double the caller's wait for a lost database.
    if (isQueryOutage(error)) throw error;
    const { clientId } = body;
    const own = { apiKeyId, owner: identity.owner, anonymous: false };
    const replay = clientId && (await findByClientId(deps.database, { ...own, clientId }));
    if (!replay) throw error;
    return serializeOrderIntent(requireSameRequest(replay, requestHash));
  }
}

/** Whose order it is, and what else is read meanwhile; that throws only when it is asked for. */
async function readRequest<Result>(
  deps: OrderDeps,
  { owner, body }: CreateInput,
  read: () => Promise<Result>,
): Promise<{ identity: AccountIdentity; resolved: () => Result }> {
  await requireNotServiceAddress(deps, { '/userAddress': body.userAddress });
  const [identity, [settled]] = await Promise.all([
    resolveAccount(deps, body.userAddress),
    Promise.allSettled([Promise.resolve().then(read)]),
  ]);
  requireOwner(identity, { owner, userAddress: body.userAddress });
  const resolved = () => {
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  };
  return { identity, resolved };
}

/**
 * What the session key of the account's permission must sign for `createOrder`. Stores nothing.
 * @throws {ServiceError} address_not_allowed, wrong_owner, receiver_not_allowed and what
 *   `resolveTrade` throws
 */
export async function prepareOrder(deps: OrderDeps, input: CreateInput): Promise<OrderToSign> {
  const { apiKeyId, body } = input;
  const id = randomUUID();
  const clientId = body.clientId ?? id;
  const now = new Date();
  const { identity, resolved } = await readRequest(deps, input, () =>
    resolveTrade(deps, body, now),
  );
  const trade = resolved();
  throwFirst(receiverProblems(trade, identity));
  const named = { ...body, clientId };
  const order = newTradeOrder({ apiKeyId, body: named, trade, ...identity, now, id });
  const isSigned = !trade.isRedemption && (await wantsOrderSignature(deps, identity.account));
  return {
    typedData: isSigned ? orderTypedData(deps.chain.id, orderMessage(vaultOrderOf(order))) : null,
    clientId,
    preparedAt: now.toISOString(),
  };
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

/** The columns of an order that the chain knows too. */
export type NewTradeOrder = ReturnType<typeof newTradeOrder>;

/** An order of either kind under an id that the chain uses too. */
export function newTradeOrder(input: {
  apiKeyId: string;
  body: AnyOrderRequest;
  trade: ResolvedTrade;
  account: Address;
  now: Date;
  ttlMs?: number;
  /** Given where another order already names this one, or a session key has signed it. */
  id?: string | undefined;
}) {
  const { apiKeyId, body, account, now, id = randomUUID() } = input;
  const { isRedemption, receiver, limit, trigger, ...trade } = input.trade;
  const { ttlMs = isRedemption ? REDEMPTION_TTL_MS : ORDER_TTL_MS } = input;
  const clientId = body.clientId ?? id;
  const restsUntil = trigger?.restsUntil ?? limit?.restsUntil ?? undefined;
  return {
    ...trade,
    ...limit,
    ...trigger,
    id,
    clientId,
    accountId: account as string,
    receiverAddress: receiver ?? account,
    expiresAt: expiryOf(restsUntil, now, ttlMs),
    clientRef: clientRefOf(apiKeyId, clientId),
  };
}

/** Stores an order of either kind. */
export async function storeTradeOrder(
  deps: OrderDeps,
  order: NewTradeOrder,
  input: {
    kind: 'api' | 'calldata';
    apiKeyId: string;
    requestHash: string;
    body: AnyOrderRequest;
    trade: ResolvedTrade;
    owner: Address;
    orderSignature?: Hex | null;
    withoutToken?: boolean;
    anonymous?: boolean;
  },
): Promise<OrderRow> {
  const { kind, apiKeyId, requestHash, body, trade, orderSignature = null } = input;
  const { withoutToken = false, anonymous = false } = input;
  const { id: chainId, contracts } = deps.chain;
  return await storeOnce(deps, {
    ...order,
    ownerAddress: input.owner,
    userAddress: body.userAddress,
    apiKeyId,
    requestHash,
    kind,
    withoutToken,
    anonymous,
    ...(trade.isRedemption
      ? { stage: 'redeem' as const, isRedemption: true }
      : {
          stage: 'request' as const,
          chainOrderId: vaultOrderId(chainId, contracts.swapVault, vaultOrderOf(order)),
          orderSignature,
        }),
    action: actionOf(body, trade),
  });
}

/** When the vault lets anyone return the funds: a resting order's fills are delivered before. */
function expiryOf(restsUntil: Date | undefined, now: Date, ttlMs: number): Date {
  if (restsUntil) return new Date(restsUntil.getTime() + DELIVERY_MARGIN_MS);
  return new Date(Math.floor((now.getTime() + ttlMs) / 1000) * 1000);
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
