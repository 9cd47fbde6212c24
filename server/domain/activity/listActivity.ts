import { and, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import { getAddress, type Hex } from 'viem';
import type { ActivityItem, ActivityList, ActivityQuery } from '#lib/api/schemas/activity.ts';
import { formatMicros } from '#lib/money.ts';
import {
  marketKeyOf,
  OUTCOME_INDEX,
  type OutcomeSide,
  outcomeTokenIdOfKey,
  tokenIdHex,
} from '#lib/outcomeToken.ts';
import type { Chain } from '../../chain/client.ts';
import type { Database, Queryable } from '../../platform/database/client.ts';
import { orders } from '../../platform/database/schema/orders.ts';
import { stableId } from '../../platform/stableId.ts';
import { holdersOf, resolveAccount } from '../accounts/accounts.ts';
import { foreignCursor, readCursor, writeCursor } from '../markets/catalogue/cursor.ts';
import { findOutcomesByTokenIds, type MarketOutcome } from '../markets/catalogue/outcomes.ts';
import { NO_TERMS, type OpenTerms, readOpenTerms } from '../orders/read/openTerms.ts';
import { findNthOrderBefore, type Viewer } from '../orders/read/readOrders.ts';
import { listRedemptionOrders, type RedemptionOrder } from '../orders/redeem/redemptionOrders.ts';
import { allActivity, type Subject } from './activityQuery.ts';

type ActivityDeps = { database: Database; chain: Chain };

type ActivityRow = {
  key: string;
  place: string;
  kind: ActivityItem['kind'];
  /** Milliseconds, as a string. */
  at: string;
  order_id: string | null;
  ticker: string | null;
  side: OutcomeSide | null;
  token_id: string | null;
  market_key: Hex | null;
  outcome: number | null;
  contract_micros: string | null;
  usdc_micros: string | null;
  fee_micros: string | null;
  transaction_hash: string | null;
  status: ActivityItem['status'];
  source: ActivityItem['source'];
  reason: string | null;
};

/**
 * The activity of an account, newest first, in pages that stay stable while items arrive. Items on
 * chain are public; pending and failed ones, and the ids of our orders, are only returned to
 * callers who may see the order.
 *
 * @throws {ServiceError} `invalid_request` for a foreign cursor, `chain_unavailable`
 */
export async function listActivity(
  deps: ActivityDeps,
  input: { viewer: Viewer } & ActivityQuery,
): Promise<ActivityList> {
  const identity = await resolveAccount(deps, input.address);
  const { account } = identity;
  const subject = {
    account,
    holders: holdersOf(identity, input.address),
    vault: getAddress(deps.chain.contracts.swapVault),
    settlement: getAddress(deps.chain.contracts.settlement),
  };
  const rows = await readRows(deps, subject, input);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  const [outcomes, openTerms, replacements, redemptionOrders] = await Promise.all([
    findOutcomesByTokenIds(deps, page.flatMap(tokenOf)),
    readOpenTerms(deps.database.orm, page.flatMap(openOrderOf)),
    readReplacements(deps.database.orm, page),
    listRedemptionOrders(deps.database.orm, input.viewer, {
      accountId: account,
      transactionHashes: page.flatMap((row) =>
        row.market_key === null ? [] : (row.transaction_hash ?? []),
      ),
    }),
  ]);
  const orderOf = matchOrders(redemptionOrders);
  return {
    items: page.map((row) => ({
      ...itemOf(row, outcomes, orderOf(row)),
      ...(openTerms.get(row.order_id ?? '') ?? NO_TERMS),
      replacedBy: replacements.get(row.order_id ?? '') ?? null,
    })),
    cursor: rows.length > input.limit && last ? writeCursor([last.at, last.place, last.key]) : '',
  };
}

/**
 * Reads one row more than the page holds. Starts with the period that the account's orders suggest
 * and extends it while the page is not full, so that a long history costs nothing.
 */
async function readRows(
  deps: ActivityDeps,
  subject: Omit<Subject, 'since'>,
  input: { viewer: Viewer } & ActivityQuery,
): Promise<ActivityRow[]> {
  const before = input.cursor ? positionOf(input.cursor) : undefined;
  for (let orders = input.limit + 1; ; orders *= 8) {
    const since = await findNthOrderBefore(deps.database.orm, {
      accountId: subject.account,
      before: before?.at,
      n: orders,
    });
    const rows = await readWindow(deps, { ...subject, since }, input, before);
    if (since === undefined || rows.length > input.limit) return rows;
  }
}

type Position = { at: Date; place: string; key: string };

function positionOf(cursor: string): Position {
  const [at = '', place = '', key = ''] = readCursor(cursor, 3);
  if (!/^\d{1,15}$/.test(at) || !/^[\w:-]*$/.test(place + key)) throw foreignCursor();
  return { at: new Date(Number(at)), place, key };
}

async function readWindow(
  deps: ActivityDeps,
  subject: Subject,
  input: { viewer: Viewer } & ActivityQuery,
  before: Position | undefined,
): Promise<ActivityRow[]> {
  const conditions: SQL[] = [sql`at is not null`];
  if (subject.since) conditions.push(sql`at >= ${subject.since.toISOString()}::timestamptz`);
  if (input.type) conditions.push(sql`kind = ${input.type}`);
  if (input.status) conditions.push(isSoFar(input.status));
  if (input.marketId !== undefined) conditions.push(isOfMarket(input.marketId));
  if (input.from) conditions.push(sql`at >= ${input.from}::timestamptz`);
  if (input.to) conditions.push(sql`at < ${input.to}::timestamptz`);
  if (before) {
    const at = sql`${before.at.toISOString()}::timestamptz`;
    conditions.push(sql`(at, place, key collate "C") < (${at}, ${before.place}, ${before.key})`);
  }
  const response = await deps.database.orm.execute<ActivityRow>(sql`
    select key, place, kind, round(extract(epoch from at) * 1000)::bigint::text as at, order_id,
      ticker, side, token_id, market_key, outcome, contract_micros::text as contract_micros,
      usdc_micros::text as usdc_micros, transaction_hash, status, source, reason,
      fee_micros::text as fee_micros
    from (${allActivity(subject, input.viewer)}) as facts
    where ${sql.join(conditions, sql` and `)}
    order by facts.at desc, place desc, key collate "C" desc
    limit ${input.limit + 1}`);
  return response.rows;
}

function isSoFar(state: NonNullable<ActivityQuery['status']>): SQL {
  return state === 'under_way'
    ? sql`status not in ('completed', 'failed')`
    : sql`status = ${state}`;
}

function isOfMarket(ticker: string): SQL {
  const marketKey = marketKeyOf(ticker);
  const [yes, no] = [OUTCOME_INDEX.yes, OUTCOME_INDEX.no].map((outcome) =>
    tokenIdHex(outcomeTokenIdOfKey(marketKey, outcome)),
  );
  return sql`(ticker = ${ticker} or token_id in (${yes}, ${no}) or market_key = ${marketKey})`;
}

/** The token of an item that does not name market and side itself; one of them for a merge. */
function tokenOf(row: ActivityRow): Hex[] {
  if (row.token_id !== null) return [row.token_id as Hex];
  if (row.market_key === null) return [];
  return [tokenIdHex(outcomeTokenIdOfKey(row.market_key, row.outcome ?? OUTCOME_INDEX.yes))];
}

/** The order of an item that is under way. */
function openOrderOf({ order_id: id, status }: ActivityRow): string[] {
  return id === null || status === 'completed' || status === 'failed' ? [] : [id];
}

/** What takes the place of orders that are not completed, by their ids. */
async function readReplacements(
  db: Queryable,
  rows: readonly ActivityRow[],
): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ order_id: id, status }) =>
    id === null || status === 'completed' ? [] : [id],
  );
  if (ids.length === 0) return new Map();
  const replaced = await db
    .select({ id: orders.id, replacedBy: orders.replacedBy })
    .from(orders)
    .where(and(inArray(orders.id, ids), isNotNull(orders.replacedBy)));
  return new Map(replaced.map(({ id, replacedBy }) => [id, replacedBy ?? '']));
}

/** Matches redemptions to orders by amount, because the vault's log has no order id. */
function matchOrders(orders: readonly RedemptionOrder[]) {
  const left = [...orders];
  return ({ market_key: marketKey, outcome, ...row }: ActivityRow): string | null => {
    if (marketKey === null) return row.order_id;
    const at = left.findIndex(
      (order) =>
        order.transactionHash === row.transaction_hash &&
        order.contractMicros?.toString() === row.contract_micros &&
        order.ticker !== null &&
        marketKeyOf(order.ticker) === marketKey &&
        order.side !== null &&
        OUTCOME_INDEX[order.side] === outcome,
    );
    const [order] = at < 0 ? [] : left.splice(at, 1);
    return order?.id ?? null;
  };
}

function itemOf(
  row: ActivityRow,
  outcomes: ReadonlyMap<string, MarketOutcome>,
  orderId: string | null,
): Omit<ActivityItem, keyof OpenTerms | 'replacedBy'> {
  const [tokenId] = tokenOf(row);
  const outcome = tokenId === undefined ? undefined : outcomes.get(tokenId);
  return {
    id: stableId('activity', row.key),
    kind: row.kind,
    at: new Date(Number(row.at)).toISOString(),
    orderId,
    marketId: row.ticker ?? outcome?.ticker ?? null,
    side: row.side ?? (row.kind === 'merge' ? null : (outcome?.side ?? null)),
    contracts: amount(row.contract_micros),
    usdc: amount(row.usdc_micros),
    fee: amount(row.fee_micros),
    transactionHash: row.transaction_hash,
    status: row.status,
    source: row.source,
    terminationReason: row.reason,
  };
}

function amount(micros: string | null): string | null {
  return micros === null ? null : formatMicros(BigInt(micros));
}
