import type { Hex } from 'viem';
import { beforeAll, expect } from 'vitest';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { parseMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { FAUCET_USDC_MICROS } from '#server/domain/accounts/faucet.ts';
import { chainReader } from './chainTrader.ts';
import { type OwnTestStack, ownTestStack } from './ownTestStack.ts';
import { findLiquidMarket, readHoldings, signIn, type Trader } from './trader.ts';
import { placeBuyOn } from './trades.ts';

export type OperationSent = {
  kind: string;
  attempt: number;
  state: string;
  failure: string | null;
  signer: string | null;
  versions: number;
};

/** A stack for one test file to break, and trades whose traces on chain are compared. */
export type FaultyStack = OwnTestStack & {
  /** A market to trade on. */
  readonly ticker: string;
  /** Orders contracts, five by default, for at most 98 cents each. */
  placeBuy(trader: Trader, contracts?: number): Promise<string>;
  holdingsOf(trader: Trader): Promise<{ usdcMicros: bigint; contractMicros: bigint }>;
  /** The vault's events of an order, with their counts. */
  eventsOf(id: string): Promise<{ kind: string; times: number }[]>;
  awaitVaultEvent(id: string, kind: string): Promise<void>;
  operationsOf(id: string): Promise<OperationSent[]>;
  /** Five contracts bought by a new trader must look the same with and without faults. */
  expectBought(trader: Trader, order: OrderRecordWithEvents): Promise<void>;
};

export function ownFaultyStack(name: string): FaultyStack {
  const stack = ownTestStack(name);
  const { query } = stack;
  let ticker = '';
  beforeAll(async () => {
    ticker = await findLiquidMarket(await signIn(stack.description()));
  });
  const holdingsOf: FaultyStack['holdingsOf'] = (trader) =>
    readHoldings(stack.description(), trader.account, { ticker, side: 'yes' });
  const eventsOf: FaultyStack['eventsOf'] = (id) =>
    query(
      `select e.kind, count(*)::int as times from vault_events e
       join orders o on o.chain_order_id = e.chain_order_id
       where o.id = $1 group by e.kind order by e.kind`,
      [id],
    );
  return {
    ...stack,
    get ticker() {
      return ticker;
    },
    holdingsOf,
    eventsOf,
    placeBuy: (trader, contracts = 5) =>
      placeBuyOn(stack.description(), trader, { ticker, contracts }),
    async awaitVaultEvent(id, kind) {
      const seen = await pollUntil(
        async () => (await eventsOf(id)).find((event) => event.kind === kind),
        { everyMs: 10 },
      );
      if (!seen) throw new Error(`the vault did not log that ${id} was ${kind}`);
    },
    operationsOf: (id) =>
      query(
        `select o.kind, o.attempt, o.state, o.failure, t.signer, 1 + (select count(*)::int
           from chain_replacements r where r.transaction_id = t.id) as versions
         from chain_operations o left join chain_transactions t on t.id = o.transaction_id
         where o.order_id = $1 order by o.created_at, o.attempt`,
        [id],
      ),
    async expectBought(trader, order) {
      expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
      expect(await holdingsOf(trader)).toEqual({
        contractMicros: 5_000_000n,
        usdcMicros: FAUCET_USDC_MICROS - parseMicros(order.quoteAmount ?? ''),
      });
      // A reader of a lagging node assumes lost events, and finds them again.
      await expect
        .poll(() => eventsOf(order.id))
        .toEqual([
          { kind: 'filled', times: 1 },
          { kind: 'requested', times: 1 },
        ]);
      const receipt = await chainReader(stack.description()).getTransactionReceipt({
        hash: order.transactionHash as Hex,
      });
      expect(receipt.status).toBe('success');
    },
  };
}
