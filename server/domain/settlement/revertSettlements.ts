import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/database/client.ts';
import { isOneOf } from '../../platform/database/isOneOf.ts';
import { marketSettlements } from '../../platform/database/schema/settlement.ts';
import { removePostingsOf } from '../ledger/ledger.ts';

type TouchedMarkets = {
  /** Markets whose settlement logs changed. */
  marketKeys: readonly string[];
  /** Markets whose outcome tokens moved differently. */
  tickers: readonly string[];
};

const LAST_EVENT = sql`(select e.kind from settlement_events e
  where e.market_key = ${marketSettlements.marketKey}
  order by e.block_number desc, e.log_index desc limit 1)`;

/** Matches settlements whose state differs from the vault's log. */
const IS_UNFOUNDED = sql`case ${marketSettlements.state}
  when 'proposed' then ${LAST_EVENT} is distinct from 'proposed'
  when 'final' then not exists (select 1 from settlement_events e
    where e.market_key = ${marketSettlements.marketKey} and e.kind = 'finalized'
      and e.transaction_hash = ${marketSettlements.transactionHash}
      and e.collateral_usdc_micros = ${marketSettlements.collateralUsdcMicros})
  when 'held' then ${LAST_EVENT} is null
  else false end`;

/**
 * Reverts every state of these settlements that no vault log supports, with the posted collateral:
 * the settlement is due again and continues from the vault's current state. Must run after the
 * change of the logs, in the same transaction.
 * @param touched the markets whose logs have changed; without it all settlements are checked
 * @returns their tickers
 */
export async function revertSettlements(
  tx: Queryable,
  touched?: TouchedMarkets,
): Promise<string[]> {
  if (touched && touched.marketKeys.length + touched.tickers.length === 0) return [];
  const isTouched = touched && isOneOf(marketSettlements.marketKey, touched.marketKeys);
  const hasMoved = touched && isOneOf(marketSettlements.ticker, touched.tickers);
  // A concurrent advance waits here and then reads the current logs and orders.
  await tx.select().from(marketSettlements).where(or(isTouched, hasMoved)).for('update');
  const reverted = await setDue(tx, and(isTouched, IS_UNFOUNDED));
  await removePostingsOf(
    tx,
    reverted.map((row) => row.id),
    'collateral',
  );
  const reopened = await setDue(tx, and(hasMoved, eq(marketSettlements.state, 'not_needed')));
  return [...reverted, ...reopened].map((row) => row.ticker);
}

async function setDue(tx: Queryable, which: SQL | undefined) {
  return await tx
    .update(marketSettlements)
    .set({
      state: 'due',
      finalizableAt: null,
      collateralUsdcMicros: null,
      transactionHash: null,
      finalAt: null,
      autoRedeemedAt: null,
    })
    .where(which)
    .returning({ id: marketSettlements.id, ticker: marketSettlements.ticker });
}
