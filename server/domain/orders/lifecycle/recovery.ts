import { and, eq, sql } from 'drizzle-orm';
import { type Address, type Hex, isAddressEqual } from 'viem';
import { formatMicros } from '#lib/money.ts';
import { outcomeTokenIdOfKey } from '#lib/outcomeToken.ts';
import { readKnownBlock } from '#server/chain/behind.ts';
import type { Chain } from '#server/chain/client.ts';
import { readRequestedOrders } from '#server/chain/vaultLogs.ts';
import type { VaultOrder } from '#server/chain/vaultOrder.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { vaultEvents } from '#server/platform/database/schema/chain.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import type { Log } from '#server/platform/log.ts';
import { resolveAccount } from '../../accounts/accounts.ts';
import { findOutcomeByTokenId } from '../../markets/catalogue/outcomes.ts';
import { clientOrderIdOf } from './attempts.ts';
import { notifyDue } from './dueOrders.ts';
import { findVaultEvent, type VaultEvent } from './orderContext.ts';
import { RECOVERED, uuidOf } from './orderRow.ts';
import { appendEvents } from './transition.ts';

export type RecoveryDeps = { database: Database; chain: Chain; exchange: Exchange; log: Log };

export async function listUnknownRequests(database: Database): Promise<VaultEvent[]> {
  return await database.orm
    .select()
    .from(vaultEvents)
    .where(
      and(
        eq(vaultEvents.kind, 'requested'),
        sql`not exists (select 1 from orders o where o.chain_order_id = ${vaultEvents.chainOrderId})`,
      ),
    );
}

/**
 * Recreates an order that a restore has lost, from its request on chain: the salt is the order's
 * id, and the exchange knows the order by it too. Processing then continues as usual. Returns false
 * for a foreign request.
 * @param operators our keys; their requests are ours
 */
export async function recoverOrder(
  deps: RecoveryDeps,
  event: VaultEvent,
  operators: readonly Address[],
): Promise<boolean> {
  const hash = event.transactionHash as Hex;
  const [receipt, transaction, block] = await Promise.all([
    deps.chain.client.getTransactionReceipt({ hash }),
    deps.chain.client.getTransaction({ hash }),
    readKnownBlock(deps.chain.client, event.blockNumber),
  ]);
  const logged = readRequestedOrders(deps.chain.contracts.swapVault, receipt.logs);
  const order = logged.get(event.chainOrderId as Hex);
  const tokenId = order && outcomeTokenIdOfKey(order.marketKey, order.outcome);
  const outcome = tokenId && (await findOutcomeByTokenId(deps, tokenId));
  if (!order || !outcome) return false;
  const isByUs = operators.some((operator) => isAddressEqual(operator, transaction.from));
  const createdAt = new Date(Number(block.timestamp) * 1000);
  const found = { event, order, ...outcome, createdAt };
  if (!isByUs && !(await isKnownAsOurs(deps, found))) return false;
  await storeRecovered(deps, found, isByUs ? 'api' : 'calldata');
  deps.log.warn(
    { orderId: uuidOf(order.salt), chainOrderId: event.chainOrderId },
    'order recovered from the chain',
  );
  return true;
}

type Found = {
  event: VaultEvent;
  order: VaultOrder;
  ticker: string;
  side: 'yes' | 'no';
  createdAt: Date;
};

/** Only orders that we created are ever filled, on chain or at the exchange. */
async function isKnownAsOurs(deps: RecoveryDeps, found: Found): Promise<boolean> {
  const { event, order, ticker, createdAt } = found;
  if (await findVaultEvent(deps.database.orm, event.chainOrderId, 'filled')) return true;
  const atExchange = await deps.exchange.findOrder({
    ticker,
    clientOrderId: clientOrderIdOf(uuidOf(order.salt), 1),
    sentAt: createdAt,
    since: createdAt,
  });
  if (atExchange.kind === 'not_yet_known')
    throw new Error('it is not certain yet whether the exchange has the order');
  return atExchange.kind === 'found';
}

async function storeRecovered(
  deps: RecoveryDeps,
  found: Found,
  kind: 'api' | 'calldata',
): Promise<void> {
  const { event, order, ticker, side, createdAt } = found;
  const identity = await resolveAccount(deps, order.account);
  const owner = isAddressEqual(identity.account, order.account) ? identity.owner : order.account;
  const id = uuidOf(order.salt);
  await deps.database.orm.transaction(async (tx) => {
    const [row] = await tx
      .insert(orders)
      .values({
        id,
        accountId: order.account,
        ownerAddress: owner,
        userAddress: owner,
        apiKeyId: RECOVERED,
        clientId: id,
        requestHash: RECOVERED,
        kind,
        action: actionOf(deps.chain, found),
        status: 'pending',
        stage: 'request',
        ticker,
        side,
        tradeAction: order.isBuy ? 'buy' : 'sell',
        contractMicros: order.quantity,
        quoteLimitUsdcMicros: order.quoteLimit,
        receiverAddress: order.receiver,
        expiresAt: new Date(Number(order.expiry) * 1000),
        clientRef: order.clientRef,
        chainOrderId: event.chainOrderId,
        createdAt,
        updatedAt: sql`now()`,
        nextRunAt: sql`now()`,
      })
      .onConflictDoNothing()
      .returning();
    if (!row) return;
    await appendEvents(tx, row, [{ type: 'recovered', transactionHash: event.transactionHash }]);
    await notifyDue(tx);
  });
}

function actionOf(chain: Chain, { order, ticker, side }: Found) {
  const limit = formatMicros(order.quoteLimit);
  return {
    orderType: 'MarketOrder',
    order: {
      quoteToken: {
        type: 'chain',
        data: { tokenId: '0', chainId: chain.id, contractAddress: chain.contracts.usdc },
      },
      baseToken: { type: 'venue', data: { marketId: ticker, side } },
      orderType: order.isBuy ? 'BUY' : 'SELL',
      baseQuantity: formatMicros(order.quantity),
      ...(order.isBuy ? { maxQuoteQuantityIn: limit } : { minQuoteQuantityOut: limit }),
    },
    chainId: chain.id,
  };
}
