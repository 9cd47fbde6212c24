import { randomUUID } from 'node:crypto';
import { type Address, isAddressEqual } from 'viem';
import type { OrderIntent, OrderRequest } from '#lib/api/schemas/order.ts';
import { resolveAccount } from '../accounts/accounts.ts';
import type { Chain } from '../chain/client.ts';
import { clientRefOf, vaultOrderId } from '../chain/vaultOrder.ts';
import type { Database } from '../db/client.ts';
import { ServiceError } from '../errors.ts';
import type { Venue } from '../venue/port.ts';
import { vaultOrderOf } from './chainOrder.ts';
import { findByClientId, hashRequest, requireSameRequest, storeIntent } from './intentStore.ts';
import type { OrderRow } from './lease.ts';
import type { OrderQueue } from './queue.ts';
import { intentOf } from './record.ts';
import { type ResolvedTrade, resolveTrade } from './resolveTrade.ts';

export type OrderDeps = { database: Database; chain: Chain; venue: Venue; queue: OrderQueue };

/** How long the service may take before the user can fetch the funds back without it. */
const ORDER_TTL_MS = 10 * 60_000;

/**
 * Takes an order that the service places for the user; a processor carries it from here.
 * @throws {ServiceError} wrong_owner, receiver_not_allowed, client_id_conflict and what
 *   `resolveTrade` throws
 */
export async function createOrder(
  deps: OrderDeps,
  input: { apiKeyId: string; owner: Address; body: OrderRequest },
): Promise<OrderIntent> {
  const { apiKeyId, owner, body } = input;
  const requestHash = hashRequest({ kind: 'api', ...body, clientId: undefined });
  const replay = body.clientId && (await findByClientId(deps.database, apiKeyId, body.clientId));
  const identity = await resolveAccount(deps, body.userAddress);
  if (!isAddressEqual(identity.owner, owner)) throw wrongOwner(body.userAddress);
  if (replay) return intentOf(requireSameRequest(replay, requestHash));
  const trade = await resolveTrade(deps, body);
  const receiver = trade.receiver ?? identity.account;
  if (!isAddressEqual(receiver, identity.account) && !isAddressEqual(receiver, identity.owner)) {
    throw new ServiceError(
      'receiver_not_allowed',
      'An order that the service places delivers to the smart account or its owner only. ' +
        'Sign the order yourself (POST /v1/order/calldata) to deliver elsewhere.',
      { errors: [{ pointer: '/receiverAddress', detail: 'must be the account or its owner' }] },
    );
  }
  const row = await storeTradeIntent(deps, {
    kind: 'api',
    apiKeyId,
    requestHash,
    body,
    trade,
    owner: identity.owner,
    account: identity.account,
    receiver,
    ttlMs: ORDER_TTL_MS,
  });
  return intentOf(row);
}

function wrongOwner(userAddress: string): ServiceError {
  return new ServiceError(
    'wrong_owner',
    'The signed-in wallet owns neither this address nor its smart account. Nothing was created.',
    { errors: [{ pointer: '/userAddress', detail: `${userAddress} belongs to another wallet` }] },
  );
}

/** Stores an order of either kind under an id that the chain will know it by. */
export async function storeTradeIntent(
  deps: OrderDeps,
  input: {
    kind: 'api' | 'calldata';
    apiKeyId: string;
    requestHash: string;
    body: OrderRequest;
    trade: ResolvedTrade;
    owner: Address;
    account: Address;
    receiver: Address;
    ttlMs: number;
  },
): Promise<OrderRow> {
  const id = randomUUID();
  const clientId = input.body.clientId ?? id;
  const expiresAt = new Date(Math.floor((Date.now() + input.ttlMs) / 1000) * 1000);
  const order = {
    id,
    accountId: input.account,
    receiverAddress: input.receiver,
    ticker: input.trade.ticker,
    side: input.trade.side,
    tradeAction: input.trade.tradeAction,
    contractMicros: input.trade.contractMicros,
    limitUsdcMicros: input.trade.limitUsdcMicros,
    expiresAt,
    clientRef: clientRefOf(input.apiKeyId, clientId),
  };
  return await storeIntent(deps, {
    ...order,
    ownerAddress: input.owner,
    userAddress: input.body.userAddress,
    apiKeyId: input.apiKeyId,
    clientId,
    requestHash: input.requestHash,
    kind: input.kind,
    stage: 'request',
    chainOrderId: vaultOrderId(deps.chain.id, deps.chain.contracts.swapVault, vaultOrderOf(order)),
    action: {
      orderType: input.body.orderType,
      order: input.body.order,
      chainId: input.body.chainId,
    },
  });
}
