import type { Address } from 'viem';
import { readBalances } from '#server/chain/accountReads.ts';
import { isVaultPaused } from '#server/chain/operations/effects.ts';
import { otherSide } from '#server/domain/orders/create/reduceOnly.ts';
import { asTradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import { claimPrice } from '#server/domain/orders/lifecycle/ownLevels.ts';
import { listStoredFills, mayChangeOrder } from '#server/domain/orders/lifecycle/restingStore.ts';
import type { RestingAttempt } from '../steps/facts.ts';
import type { FactReaders } from './readers.ts';

type RestingFact =
  | 'priceClaim'
  | 'restingOrder'
  | 'restFills'
  | 'storedFills'
  | 'cancelSent'
  | 'amendSent'
  | 'isVaultPaused'
  | 'reducibleMicros';

/** The facts that only orders that rest at the exchange need. */
export const RESTING_READERS: FactReaders<RestingFact> = {
  async priceClaim({ database }, order, { priceMicros }) {
    return await claimPrice(database, asTradeOrder(order), priceMicros);
  },
  async restingOrder({ exchange }, order, { attempt }) {
    const { ticker } = asTradeOrder(order);
    const { storedAt: sentAt } = attempt;
    const found = await exchange.readOrder({ ticker, ...idOf(attempt), sentAt });
    if (found.kind === 'found') return found.order;
    if (found.kind === 'not_yet_known') return null;
    throw new Error(`the exchange does not know ${attempt.clientOrderId}, which it had accepted`);
  },
  async restFills({ exchange, database, checkpoint }, order, { attempt }) {
    const { id, ticker, side, createdAt: sentAt } = asTradeOrder(order);
    const listed = await exchange.listFills({ ticker, ...idOf(attempt), side, sentAt });
    const stored = await listStoredFills(database, id);
    checkpoint('exchange.fills_read');
    return { stored, listed };
  },
  async storedFills({ database }, { id }) {
    return await listStoredFills(database, id);
  },
  async cancelSent({ exchange, database, checkpoint }, order, { attempt }) {
    const { ticker } = asTradeOrder(order);
    checkpoint('exchange.before_cancel');
    const outcome = await exchange.cancelOrder({
      ticker,
      shard: attempt.shard,
      ...idOf(attempt),
      mayBeSent: () => mayChangeOrder(database, order),
    });
    checkpoint('exchange.after_cancel');
    return outcome;
  },
  async amendSent({ exchange, database, checkpoint }, order, { attempt, amendment }) {
    const { ticker, side, tradeAction: action } = asTradeOrder(order);
    const { storedAt } = amendment;
    const withinMs = Math.round((exchange.timing.toleranceMs * 2) / 3);
    checkpoint('exchange.before_amend');
    const outcome = await exchange.amendOrder({
      ...amendment,
      ticker,
      shard: attempt.shard,
      ...idOf(attempt),
      side,
      action,
      mayBeSent: () => mayChangeOrder(database, order, { storedAt, withinMs }),
    });
    checkpoint('exchange.after_amend');
    return outcome;
  },
  async isVaultPaused({ chain }) {
    return await isVaultPaused(chain);
  },
  async reducibleMicros({ chain }, order) {
    const { accountId, ticker, side } = asTradeOrder(order);
    const reduced = { ticker, side: otherSide(side) };
    return (await readBalances(chain, accountId as Address, reduced)).contractMicros;
  },
};

function idOf({ exchangeOrderId }: RestingAttempt): { exchangeOrderId: string } {
  return { exchangeOrderId: exchangeOrderId ?? '' };
}
