import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { marketKeyOf } from '#lib/outcomeToken.ts';
import { storeMarkets } from '#sandbox/testing/storedMarkets.ts';
import type { Database } from '../../platform/database/client.ts';
import { createLog } from '../../platform/log.ts';
import { listAlerts } from '../admin/alerts.ts';
import { readAudit } from '../admin/audit.ts';
import { openEmptyDatabase } from '../notifications/testing/emptyDatabase.ts';
import { approveProposal, listSettlements, proposePayout } from './adminActions.ts';
import { alertUnreadableResults } from './unreadableResults.ts';

/** A payout that differs from the exchange's requires two admins. Uses its own database. */

const TICKER = 'BENCH-3';
const EXCHANGE_MICROS = 1_000_000n;
const OTHER_MICROS = 400_000n;

let empty: Awaited<ReturnType<typeof openEmptyDatabase>>;
let database: Database;

beforeAll(async () => {
  empty = await openEmptyDatabase(inject('sandbox').databaseUrl);
  database = empty.database;
  await storeMarkets(database, 3, 3);
});
afterAll(() => empty.close());

beforeEach(async () => {
  await exchangeSays(EXCHANGE_MICROS);
  await database.pool.query(
    'truncate market_settlements, pending_proposals, chain_operations cascade',
  );
  await database.pool.query(
    `insert into market_settlements
       (ticker, id, market_key, payout_yes_micros, state, settled_at, created_at)
     values ($1, $2, $3, $4, 'held', now(), now())`,
    [TICKER, randomUUID(), marketKeyOf(TICKER), EXCHANGE_MICROS],
  );
});

async function exchangeSays(payoutYesMicros: bigint | null): Promise<void> {
  await database.pool.query(
    `update markets set status = 'settled', result = 'yes', payout_yes_micros = $2,
       settled_at = now() where ticker = $1`,
    [TICKER, payoutYesMicros],
  );
}

const propose = (by: string, payoutYesMicros?: bigint) =>
  proposePayout({ database }, { ticker: TICKER, by, reason: 'to try it', payoutYesMicros });
const confirm = (by: string, payoutYesMicros = OTHER_MICROS) =>
  approveProposal({ database }, { ticker: TICKER, by, reason: 'looked at', payoutYesMicros });

/** The payouts of a Yes submitted to the chain, in micros. */
async function handedOff(): Promise<string[]> {
  const { rows } = await database.pool.query<{ payout: string }>(
    `select args->>'payoutYesMicros' as payout from chain_operations order by attempt`,
  );
  return rows.map(({ payout }) => payout);
}

const current = async () => (await listSettlements({ database }, 10))[0];

test('the exchange’s result needs one admin, with or without an explicit payout', async () => {
  expect(await propose('Ada')).toBe('sent');
  expect(await handedOff()).toEqual(['1000000']);
  expect(await current()).toMatchObject({ payoutYesMicros: EXCHANGE_MICROS, pending: null });
});

test('submits another payout to the chain once a second admin has confirmed it', async () => {
  expect(await propose('Ada', OTHER_MICROS)).toBe('pending');
  expect(await handedOff()).toEqual([]);
  expect(await current()).toMatchObject({
    payoutYesMicros: EXCHANGE_MICROS,
    pending: { payoutYesMicros: OTHER_MICROS, proposedBy: 'Ada', reason: 'to try it' },
  });
  for (const self of ['Ada', ' ada']) {
    await expect(confirm(self)).rejects.toThrow('An admin other');
  }
  expect(await handedOff()).toEqual([]);
  await confirm('Wim');
  expect(await handedOff()).toEqual(['400000']);
  expect(await current()).toMatchObject({ payoutYesMicros: OTHER_MICROS, pending: null });
  const trail = await readAudit({ database }, { subject: TICKER, limit: 2 });
  expect(trail.map(({ actor, action }) => [actor, action])).toEqual([
    ['Wim', 'confirm_settlement'],
    ['Ada', 'propose_settlement'],
  ]);
  await expect(confirm('Eve')).rejects.toThrow('No proposal');
});

test('refuses to confirm a proposal that replaced the one the second admin saw', async () => {
  await propose('Ada', OTHER_MICROS);
  await propose('Ada', 0n);
  await expect(confirm('Wim')).rejects.toThrow('No proposal of this payout');
  expect(await handedOff()).toEqual([]);
});

test('replaces a pending proposal with one of the exchange’s result', async () => {
  await propose('Ada', OTHER_MICROS);
  expect(await propose('Wim', EXCHANGE_MICROS)).toBe('sent');
  await expect(confirm('Eve')).rejects.toThrow('No proposal');
  expect(await handedOff()).toEqual(['1000000']);
});

test('without a result of the exchange, every payout needs a second admin', async () => {
  await exchangeSays(null);
  expect(await propose('Ada', EXCHANGE_MICROS)).toBe('pending');
  expect(await propose('Ada')).toBe('pending');
});

test('a payout confirmed by two admins no longer counts as the exchange’s', async () => {
  await propose('Ada', OTHER_MICROS);
  await confirm('Wim');
  await database.pool.query(`update chain_operations set state = 'failed'`);
  expect(await propose('Ada')).toBe('pending');
});

test('given two concurrent confirmations, one succeeds', async () => {
  await propose('Ada', OTHER_MICROS);
  const outcomes = await Promise.allSettled([confirm('Wim'), confirm('Eve')]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await handedOff()).toEqual(['400000']);
});

describe('a traded market that the exchange settled without a readable payout', () => {
  const log = createLog('test', 'silent');
  const openAlerts = async () =>
    (await listAlerts({ database }, { kind: 'settlement_unreadable' })).map((one) => one.subject);

  beforeEach(async () => {
    await exchangeSays(null);
    await database.pool.query('truncate market_settlements, exchange_fills');
    await database.pool.query(
      `insert into exchange_fills (fill_id, account_id, order_id, client_order_id, ticker, side,
         trade_action, contract_micros, price_micros, fee_micros, filled_at)
       values ('f1', 'a', $1, 'c', $2, 'yes', 'buy', 1000000, 500000, 0, now())`,
      [randomUUID(), TICKER],
    );
  });

  test('raises an alert until it has a settlement', async () => {
    await alertUnreadableResults({ database, log }, [TICKER]);
    expect(await openAlerts()).toEqual([TICKER]);
    await alertUnreadableResults({ database, log }, []);
    expect(await openAlerts()).toEqual([]);
  });

  test('begins its settlement with the payout that two admins agree on', async () => {
    await expect(propose('Ada')).rejects.toThrow('State the payout');
    expect(await propose('Ada', OTHER_MICROS)).toBe('pending');
    expect(await current()).toBe(undefined);
    await expect(confirm('Ada')).rejects.toThrow('An admin other');
    await confirm('Wim');
    expect(await current()).toMatchObject({ state: 'due', payoutYesMicros: OTHER_MICROS });
    const [entry] = await readAudit({ database }, { subject: TICKER, limit: 1 });
    expect(entry).toMatchObject({ actor: 'Wim', action: 'confirm_settlement' });
  });

  test('refuses a payout for one that was never traded here', async () => {
    await database.pool.query('truncate exchange_fills');
    await expect(propose('Ada', OTHER_MICROS)).rejects.toThrow('never traded here');
  });
});
