import { z } from 'zod';
import { clientIdSchema } from '#lib/api/schemas/common.ts';
import { amendOrderRequestSchema, cancelOrdersRequestSchema } from '#lib/api/schemas/limitOrder.ts';
import { mergeCalldataSchema, mergeRequestSchema } from '#lib/api/schemas/merge.ts';
import type { AnyOrderRequest } from '#lib/api/schemas/order.ts';
import * as shapes from '#lib/api/schemas/order.ts';
import {
  orderPreviewQuerySchema,
  orderPreviewRequestSchema,
  orderPreviewsSchema,
} from '#lib/api/schemas/orderPreview.ts';
import {
  prepareWithdrawalRequestSchema,
  withdrawalToSignSchema,
  withdrawRequestSchema,
} from '#lib/api/schemas/withdraw.ts';
import type { SignatureDeps } from '../../domain/auth/walletSignature.ts';
import { cancelOrder, cancelRestingOrders } from '../../domain/orders/create/cancelOrder.ts';
import { createCalldataOrder } from '../../domain/orders/create/createCalldataOrder.ts';
import { createMergeCalldata } from '../../domain/orders/create/createMergeCalldata.ts';
import {
  createOrder,
  type OrderDeps,
  prepareOrder,
} from '../../domain/orders/create/createOrder.ts';
import {
  createWithdrawal,
  prepareWithdrawal,
} from '../../domain/orders/create/createWithdrawal.ts';
import { getOrder, getOrderByClientId, listOrders } from '../../domain/orders/read/readOrders.ts';
import { redeemPositions } from '../../domain/orders/redeem/redeemPositions.ts';
import { previewOrder } from '../../domain/preview/previewOrder.ts';
import type { PreviewCaller, PreviewDeps } from '../../domain/preview/readPreviewFacts.ts';
import { changeOrder, prepareChange } from '../../domain/replacements/changeOrder.ts';
import { keyIdOf, ownerOf, viewerOf } from '../middleware/caller.ts';
import {
  findGuardProblems,
  type GuardDeps,
  guardOrder,
  guardTransfer,
} from '../middleware/complianceGuard.ts';
import type { Caller } from '../middleware/env.ts';
import { type Route, route } from './route.ts';

type Deps = OrderDeps & GuardDeps & PreviewDeps & SignatureDeps;

const READ = {
  method: 'GET',
  tags: ['Orders'],
  auth: { apiKey: 'required', token: 'optional', scope: 'read' },
  rateClass: 'read',
} as const;
const TRADE = { method: 'POST', tags: ['Orders'], rateClass: 'trade' } as const;

function previewCaller(caller: Caller): PreviewCaller {
  return {
    apiKeyId: keyIdOf(caller),
    isSharedKey: caller.apiKey?.kind === 'pub',
    signedIn: caller.owner,
  };
}

const idSchema = z.strictObject({
  id: z.string().min(1).max(128).meta({ description: 'The order ID.' }),
});

const createRoutes: Route<Deps>[] = [
  route({
    ...TRADE,
    path: '/v1/order',
    operationId: 'createOrder',
    summary: 'Place an order',
    description:
      'Stores a market or limit order and executes it asynchronously; track it by ID. The ' +
      'signed-in wallet must own `userAddress`.',
    auth: { apiKey: 'required', token: 'required', scope: 'trade' },
    body: shapes.anyOrderRequestSchema,
    response: { schema: shapes.orderCreatedSchema },
    async handler({ deps, caller, body, c }) {
      await guardOrder({ deps, c }, body);
      const input = { apiKeyId: keyIdOf(caller), owner: ownerOf(caller), body };
      return { success: true, intent: await createOrder(deps, input) };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/order/typed-data',
    operationId: 'prepareOrder',
    summary: 'Get an order to sign',
    description:
      'Returns EIP-712 data for the session key that the account’s trading permission names, and ' +
      'what POST /v1/order needs beside the signature, within two minutes. The `salt` may be ' +
      'replaced by the bits of a random UUID of your own, which is then the order’s ID. Nothing is ' +
      'stored.',
    tags: ['Orders'],
    auth: { apiKey: 'required', token: 'required', scope: 'trade' },
    rateClass: 'quote',
    body: shapes.anyOrderRequestSchema,
    response: { schema: shapes.orderToSignSchema },
    handler: ({ deps, caller, body }) =>
      prepareOrder(deps, { apiKeyId: keyIdOf(caller), owner: ownerOf(caller), body }),
  }),
  route({
    ...TRADE,
    path: '/v1/order/calldata',
    operationId: 'createCalldataOrder',
    summary: 'Get the transactions of a self-signed order',
    description:
      'Returns a batch for the user’s own wallet. Track the order by its client ID from the ' +
      'moment the batch is issued. With the owner’s bearer token it belongs to the account ' +
      'at once; without one it belongs to the API key and client ID only until the vault has ' +
      'logged its request.',
    auth: { apiKey: 'required', token: 'optional', scope: 'trade' },
    body: shapes.anyOrderRequestSchema,
    response: { schema: shapes.calldataResultSchema },
    async handler({ deps, caller, body, c }) {
      await guardOrder({ deps, c }, body);
      const isSharedKey = caller.apiKey?.kind === 'pub';
      const signedIn = caller.owner;
      const input = { apiKeyId: keyIdOf(caller), isSharedKey, signedIn, body };
      return await createCalldataOrder(deps, input);
    },
  }),
  route({
    ...TRADE,
    path: '/v1/merge/calldata',
    operationId: 'createMergeCalldata',
    summary: 'Get the transactions that merge pairs',
    description:
      'Returns a batch for the user’s own wallet that turns Yes and No of a market into a dollar ' +
      'per pair, before its settlement and without a fee. Its calls may be sent in one batch with ' +
      'those of POST /v1/order/calldata. Nothing is stored: activity and portfolio show the ' +
      'merge once the chain has logged it.',
    auth: { apiKey: 'required', token: 'optional', scope: 'trade' },
    body: mergeRequestSchema,
    response: { schema: mergeCalldataSchema },
    async handler({ deps, body, c }) {
      await guardOrder(
        { deps, c },
        { userAddress: body.userAddress, order: { orderType: 'SELL' } },
      );
      return await createMergeCalldata(deps, body);
    },
  }),
  route({
    ...TRADE,
    path: '/v1/order/redeem',
    operationId: 'redeemPositions',
    summary: 'Redeem every settled position',
    description:
      'Places one SELL at the payout for each position of the smart account whose market pays out ' +
      'now; track them by ID. Positions without a payout, or already being redeemed, ' +
      'are skipped. To redeem a single position, sell it (POST /v1/order).',
    auth: { apiKey: 'required', token: 'required', scope: 'trade' },
    body: shapes.redeemRequestSchema,
    response: { schema: shapes.ordersCreatedSchema },
    async handler({ deps, caller, body, c }) {
      await guardTransfer({ deps, c }, ownerOf(caller), undefined);
      const input = { apiKeyId: keyIdOf(caller), owner: ownerOf(caller), ...body };
      return { success: true, intents: await redeemPositions(deps, input) };
    },
  }),
  route({
    ...TRADE,
    path: '/v1/order/withdraw',
    operationId: 'withdraw',
    summary: 'Withdraw from the smart account',
    description:
      'Sends USDC or outcome tokens from the smart account of the signed-in wallet; track it by ' +
      'order ID. The trading permission allows withdrawals to the owner only, unless the ' +
      'owner allowed other addresses; any other destination requires the owner’s `signature`.',
    auth: { apiKey: 'required', token: 'required', scope: 'withdraw' },
    body: withdrawRequestSchema,
    response: { schema: shapes.withdrawalCreatedSchema },
    async handler({ deps, caller, body, c }) {
      await guardTransfer({ deps, c }, ownerOf(caller), body.destinationAddress);
      const input = { apiKeyId: keyIdOf(caller), owner: ownerOf(caller), body };
      return { success: true, intent: await createWithdrawal(deps, input) };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/order/withdraw/typed-data',
    operationId: 'prepareWithdrawal',
    summary: 'Get a withdrawal to sign',
    description:
      'Returns EIP-712 data for the owner to sign, and the body for POST /v1/order/withdraw that ' +
      'the signature completes. Nothing is stored.',
    tags: ['Orders'],
    auth: { apiKey: 'required', token: 'required', scope: 'withdraw' },
    rateClass: 'read',
    body: prepareWithdrawalRequestSchema,
    response: { schema: withdrawalToSignSchema },
    handler: ({ deps, caller, body }) => prepareWithdrawal(deps, { owner: ownerOf(caller), body }),
  }),
];

const previewRoutes: Route<Deps>[] = [
  route({
    method: 'POST',
    path: '/v1/order/preview',
    operationId: 'previewOrder',
    summary: 'Preview orders',
    description:
      'Says of each order what would happen to it now: everything that blocks it, what it would ' +
      'cost or bring at the current book, and what must be signed. Nothing is stored.',
    tags: ['Orders'],
    auth: { apiKey: 'required', token: 'optional', scope: 'read' },
    rateClass: 'quote',
    query: orderPreviewQuerySchema,
    body: orderPreviewRequestSchema,
    response: { schema: orderPreviewsSchema },
    async handler({ deps, caller, query, body, c }) {
      const from = previewCaller(caller);
      const { source = caller.owner ? 'api' : 'calldata' } = query;
      const bodies = Array.isArray(body) ? body : [body];
      const previews = bodies.map((order) => {
        const guardProblems = () => findGuardProblems({ deps, c }, order);
        return previewOrder(deps, from, { source, body: order, guardProblems });
      });
      return { previews: await Promise.all(previews) };
    },
  }),
];

const readRoutes: Route<Deps>[] = [
  route({
    ...READ,
    path: '/v1/order',
    operationId: 'listOrders',
    summary: 'List orders',
    description:
      'Newest first: orders placed with this API key and, with a bearer token, also those of the ' +
      'signed-in wallet. Filtered by `userAddress`, the list omits orders requested ' +
      'without a token that have not reached the chain.',
    query: shapes.orderListQuerySchema,
    response: { schema: shapes.orderListSchema },
    handler: ({ deps, caller, query }) => listOrders(deps, { viewer: viewerOf(caller), ...query }),
  }),
  route({
    ...READ,
    path: '/v1/order/{id}',
    operationId: 'getOrder',
    summary: 'Get an order or withdrawal',
    params: idSchema,
    response: { schema: shapes.orderRecordWithEventsSchema },
    handler: ({ deps, caller, params }) =>
      getOrder(deps, { viewer: viewerOf(caller), id: params.id }),
  }),
  route({
    ...READ,
    path: '/v1/order/by-client-id/{clientId}',
    operationId: 'getOrderByClientId',
    summary: 'Get an order by your own id',
    description:
      'A client ID belongs to an API key and an owner. If several owners used the same one, the ' +
      'signed-in wallet’s order is returned, else that of `userAddress`, else the newest.',
    params: z.strictObject({ clientId: clientIdSchema }),
    query: shapes.orderOwnerQuerySchema,
    response: { schema: shapes.orderRecordWithEventsSchema },
    handler: ({ deps, caller, params, query }) =>
      getOrderByClientId(deps, { viewer: viewerOf(caller), ...params, ...query }),
  }),
  route({
    ...TRADE,
    path: '/v1/order/{id}/cancel',
    operationId: 'cancelOrder',
    summary: 'Cancel an order',
    description:
      'Possible until its funds are moving into the vault, and while it rests at the exchange: ' +
      'then what it has filled is delivered and the rest returned. An order for the user’s own wallet ' +
      'ends at once as well; if its calls are still sent, nothing is traded and the ' +
      'funds are returned at once, as the order’s log and returned amounts show.',
    auth: { apiKey: 'required', token: 'optional', scope: 'trade' },
    params: idSchema,
    response: { schema: shapes.orderCancelledSchema },
    async handler({ deps, caller, params }) {
      const order = await cancelOrder(deps, { viewer: viewerOf(caller), id: params.id });
      return { success: true, order };
    },
  }),
];

/** Changes of orders that rest at the exchange. */
const restingRoutes: Route<Deps>[] = [
  route({
    ...TRADE,
    method: 'DELETE',
    path: '/v1/order/{id}',
    operationId: 'deleteOrder',
    summary: 'Cancel an order',
    description: 'The same as POST /v1/order/{id}/cancel.',
    auth: { apiKey: 'required', token: 'optional', scope: 'trade' },
    params: idSchema,
    response: { schema: shapes.orderCancelledSchema },
    async handler({ deps, caller, params }) {
      const order = await cancelOrder(deps, { viewer: viewerOf(caller), id: params.id });
      return { success: true, order };
    },
  }),
  route({
    ...TRADE,
    path: '/v1/order/cancel',
    operationId: 'cancelOrders',
    summary: 'Cancel every resting order',
    description:
      'Those of this API key and, with a bearer token, of the signed-in wallet: in one market, or ' +
      'in all. Returns the ids of the orders that end; each one’s log shows when it has.',
    auth: { apiKey: 'required', token: 'optional', scope: 'trade' },
    body: cancelOrdersRequestSchema,
    response: { schema: shapes.ordersCancelledSchema },
    async handler({ deps, caller, body }) {
      const viewer = viewerOf(caller);
      return {
        success: true,
        ids: await cancelRestingOrders(deps, { viewer, ticker: body.ticker }),
      };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/order/{id}/typed-data',
    operationId: 'prepareAmendment',
    summary: 'Get an amendment to sign',
    description:
      'Returns EIP-712 data of the order that would take the place of this one, for a session key of ' +
      'the account’s trading permission, and what PATCH /v1/order/{id} needs beside the signature, ' +
      'within two minutes. `typedData` is null where nothing is to be signed, as for an amendment ' +
      'within what the vault has locked. Nothing is stored.',
    tags: ['Orders'],
    auth: { apiKey: 'required', token: 'required', scope: 'trade' },
    rateClass: 'quote',
    params: idSchema,
    body: amendOrderRequestSchema,
    response: { schema: shapes.orderToSignSchema },
    handler: ({ deps, caller, params, body }) =>
      prepareChange(deps, { viewer: viewerOf(caller), id: params.id, body }),
  }),
  route({
    ...TRADE,
    method: 'PATCH',
    path: '/v1/order/{id}',
    operationId: 'amendOrder',
    summary: 'Amend an open order',
    description:
      'Changes price or size of an order that rests. Within what the vault has locked, the ' +
      'exchange amends it: it keeps its place in the queue only if its size falls and its price ' +
      'stays, and its log shows `amended` or `amend_refused`. Beyond that it ends, and the order ' +
      '`replacedBy` takes its place for what is not filled; this needs the owner’s token, and `signed` ' +
      'where the permission names a session key (POST /v1/order/{id}/typed-data). A stop order that ' +
      'waits takes a new `triggerPrice` at once; other terms replace it.',
    auth: { apiKey: 'required', token: 'optional', scope: 'trade' },
    params: idSchema,
    body: amendOrderRequestSchema,
    response: { schema: shapes.orderAmendedSchema },
    async handler({ deps, caller, params, body, c }) {
      const viewer = viewerOf(caller);
      const guardProblems = (order: AnyOrderRequest) => findGuardProblems({ deps, c }, order);
      const change = { viewer, caller: previewCaller(caller), id: params.id, body, guardProblems };
      return { success: true, order: await changeOrder(deps, change) };
    },
  }),
];

export const orderRoutes: Route<Deps>[] = [
  ...createRoutes,
  ...previewRoutes,
  ...readRoutes,
  ...restingRoutes,
];
