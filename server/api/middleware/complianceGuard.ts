import type { Address } from 'viem';
import type { AnyOrderRequest } from '#lib/api/schemas/order.ts';
import type { RelayRequest } from '#lib/api/schemas/relay.ts';
import type { Chain } from '../../chain/client.ts';
import { fromChain, resolveAccount } from '../../domain/accounts/accounts.ts';
import {
  complianceOf,
  findPartyProblems,
  findPurchaseProblems,
  requirePartiesAllowed,
} from '../../domain/compliance/compliance.ts';
import { counterpartiesOf } from '../../domain/relay/allowedCalls.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/client.ts';
import { type ServiceError, throwFirst } from '../../platform/errors.ts';
import type { ApiContext } from './env.ts';

export type GuardDeps = {
  database: Database;
  chain: Chain;
  config: Pick<Config, 'compliance' | 'trustedProxies'>;
};
type Context = { deps: GuardDeps; c: ApiContext };

function isUnguarded({ deps: { config } }: Context): boolean {
  return complianceOf(config).isOff && config.compliance.terms === undefined;
}

/** What compliance asks of an order. */
type GuardedOrder = Pick<AnyOrderRequest, 'userAddress' | 'receiverAddress'> & {
  order: Pick<AnyOrderRequest['order'], 'orderType'>;
};

/** Before an order is taken, or its transactions are handed out. @throws {ServiceError} */
export async function guardOrder(context: Context, body: GuardedOrder): Promise<void> {
  throwFirst(await findGuardProblems(context, body));
}

/** Every reason of compliance why an order is not taken. */
export async function findGuardProblems(
  context: Context,
  body: GuardedOrder,
): Promise<ServiceError[]> {
  if (isUnguarded(context)) return [];
  const { deps, c } = context;
  const { owner, account } = await fromChain(() => resolveAccount(deps, body.userAddress));
  const receivers = body.receiverAddress === undefined ? [] : [body.receiverAddress];
  const addresses = [body.userAddress, account, ...receivers];
  if (body.order.orderType === 'SELL') {
    return await findPartyProblems(deps, [owner, ...addresses]);
  }
  const region = complianceOf(deps.config).regionOf({
    peer: c.env.peer,
    header: (name) => c.req.header(name),
  });
  return await findPurchaseProblems(deps, { owner, addresses, region });
}

/** Before anything is sent to another address. @throws {ServiceError} */
export async function guardTransfer(
  context: Context,
  owner: Address,
  destination: string | undefined,
): Promise<void> {
  if (isUnguarded(context)) return;
  const addresses = destination === undefined ? [owner] : [owner, destination];
  await requirePartiesAllowed(context.deps, addresses);
}

/** Before a signed message is sent: neither its owner nor anyone it pays. @throws {ServiceError} */
export async function guardRelay(context: Context, body: RelayRequest): Promise<void> {
  if (isUnguarded(context)) return;
  const { owner, account } = await fromChain(() => resolveAccount(context.deps, body.address));
  const others = 'calls' in body.message ? counterpartiesOf(body.message) : [];
  await requirePartiesAllowed(context.deps, [owner, account, ...others]);
}
