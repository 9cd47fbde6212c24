import { createPublicClient, custom, type Hex, numberToHex, pad } from 'viem';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import type { Chain } from '#server/chain/client.ts';
import type { Database } from '#server/platform/database/client.ts';
import { createLog } from '#server/platform/log.ts';
import { recheckStored } from '#server/processor/signers/recoverTransaction.ts';

/** A receipt that was stored while a fork removed its block. */

const ID = '00000000-0000-0000-0000-000000000001';
const BLOCK = 7n;
const OURS = pad('0x01');
const OTHER = pad('0x02');
const log = createLog('test', 'silent');
let database: Database;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  database = migrated.database;
  return migrated.close;
});

beforeEach(async () => {
  await database.pool.query('truncate chain_transactions, chain_operations');
  await database.pool.query(
    `insert into chain_transactions
       (id, signer, nonce, raw, hash, mined_hash, state, block_number, block_hash, signed_at)
     values ($1, '0xsigner', 1, '0x', '0xhash', '0xhash', 'confirmed', $2, $3, now())`,
    [ID, BLOCK, OURS],
  );
  await database.pool.query(
    `insert into chain_operations
       (id, account_id, order_id, kind, attempt, args, state, transaction_id, created_at)
     values ($1, '0xaccount', $1, 'attest', 1, '{}', 'succeeded', $1, now())`,
    [ID],
  );
});

/** A node without the transaction, with this block in place of that of the receipt. */
function nodeWith(hash: Hex | null): Pick<Chain, 'client'> {
  const request = async ({ method }: { method: string }) =>
    method === 'eth_getBlockByNumber' && hash
      ? { number: numberToHex(BLOCK), hash, transactions: [], timestamp: '0x1' }
      : null;
  return { client: createPublicClient({ transport: custom({ request }) }) };
}

test.each([
  ['whose block is on the chain, stays confirmed', OURS, 'confirmed', 'succeeded'],
  ['whose block the node does not have, stays confirmed', null, 'confirmed', 'succeeded'],
  ['whose block was replaced, is sent again', OTHER, 'lost', 'sent'],
] as const)('given a transaction %s', async (_, hash, transactionState, operationState) => {
  const deps = { database, chain: nodeWith(hash), log };
  await recheckStored(
    deps,
    { id: ID, signer: '0xsigner' },
    { blockNumber: BLOCK, blockHash: OURS },
  );
  const { rows } = await database.pool.query(
    `select t.state as transaction, o.state as operation
     from chain_transactions t join chain_operations o on o.transaction_id = t.id`,
  );
  expect(rows).toEqual([{ transaction: transactionState, operation: operationState }]);
});
