import { getAddress, type Hex, type Log, pad, padHex } from 'viem';
import { expect, test } from 'vitest';
import { PERMISSION_EVENTS, readEndedPermissions } from './permissionLogs.ts';

const VAULT = pad('0xa3', { size: 20 });
const OTHER = pad('0xa4', { size: 20 });
const account = (n: number) => getAddress(pad(`0x${n}c`, { size: 20 }));
const log = (of: Hex, ...topics: (Hex | undefined)[]) =>
  ({ address: of.toLowerCase(), topics }) as Log;

test('given logs of accounts, those whose permission the vault has lost are named once', () => {
  const [revoked, set] = PERMISSION_EVENTS;
  const logs = [
    log(account(1), revoked),
    log(account(1), revoked),
    log(account(2), set, padHex(OTHER)),
    log(account(3), set, padHex(VAULT)),
    log(account(4), padHex('0x01')),
  ];
  expect(readEndedPermissions(VAULT, logs)).toEqual([account(1), account(2)]);
});
