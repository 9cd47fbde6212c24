import { encodeAbiParameters, encodeEventTopics, type Hex, type Log, padHex } from 'viem';
import { expect, test } from 'vitest';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { KEY_KIND } from '#lib/account/sessionKey.ts';
import { readSessionKeyEvents, SESSION_KEY_TOPICS } from './sessionKeyEvents.ts';

const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const STRANGER = '0x7777777777777777777777777777777777777777';
const KEY: Hex = `0x${'ab'.repeat(32)}`;
const at = { transactionHash: padHex('0x1', { size: 32 }), logIndex: 2, blockNumber: 9n };

function log(address: Hex, topics: ReturnType<typeof encodeEventTopics>, data: Hex): Log {
  return {
    ...at,
    address: address.toLowerCase() as Hex,
    topics: topics as Log['topics'],
    data,
    blockHash: padHex('0x9', { size: 32 }),
    transactionIndex: 0,
    removed: false,
  };
}

function granted(keyKind: number, key: Hex): Log {
  const abi = tradingAccountAbi;
  const topics = encodeEventTopics({ abi, eventName: 'GrantSet', args: { operator: STRANGER } });
  const types = ['uint48', 'bool', 'uint64', 'uint64', 'uint64', 'uint64', 'uint8', 'bytes32'];
  const values = [1_900_000_000, false, 1n, 2n, 0n, 5n, keyKind, key];
  return log(
    ACCOUNT,
    topics,
    encodeAbiParameters(
      types.map((type) => ({ type })),
      values,
    ),
  );
}

function added(address: Hex): Log {
  const abi = tradingAccountAbi;
  const topics = encodeEventTopics({ abi, eventName: 'SessionKeyAdded', args: { key: KEY } });
  const types = [{ type: 'uint64' }, { type: 'uint8' }] as const;
  return log(address, topics, encodeAbiParameters(types, [5n, KEY_KIND.secp256k1]));
}

function removed(): Log {
  const abi = tradingAccountAbi;
  const topics = encodeEventTopics({ abi, eventName: 'SessionKeyRemoved', args: { key: KEY } });
  return log(ACCOUNT, topics, encodeAbiParameters([{ type: 'uint64' }], [5n]));
}

const common = { ...at, accountAddress: ACCOUNT, key: KEY, grantNonce: 5n };

test('given the logs of an account, each key comes with its grant and kind', () => {
  const logs = [granted(KEY_KIND.p256, KEY), added(ACCOUNT), removed()];
  expect(readSessionKeyEvents([ACCOUNT], logs)).toEqual([
    { ...common, kind: 'granted', keyKind: KEY_KIND.p256 },
    { ...common, kind: 'added', keyKind: KEY_KIND.secp256k1 },
    { ...common, kind: 'removed', keyKind: null },
  ]);
  const selectors = logs.map(({ topics: [selector] }) => selector);
  expect(SESSION_KEY_TOPICS).toEqual(selectors);
});

test('given a grant without a key, or another contract’s log, there is nothing to store', () => {
  const logs = [granted(KEY_KIND.none, padHex('0x', { size: 32 })), added(STRANGER)];
  expect(readSessionKeyEvents([ACCOUNT], logs)).toEqual([]);
});
