import {
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  getAbiItem,
  type Log,
  parseEventLogs,
} from 'viem';
import { expect, it } from 'vitest';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { eventFilter } from './eventFilter.ts';

const TOKEN = '0xAbCdEf0123456789aBcDeF0123456789abCDeF01';
const OTHER = '0x00000000000000000000000000000000000000f1';

function logOf(address: string, eventName: 'Transfer' | 'Approval'): Log {
  const [topic] = encodeEventTopics({ abi: erc20Abi, eventName });
  const party = `0x${'0'.repeat(24)}${OTHER.slice(2)}`;
  return {
    address,
    topics: [topic, party, party],
    data: `0x${'7'.padStart(64, '0')}`,
    blockNumber: 1n,
    logIndex: 0,
    transactionHash: '0x1',
  } as unknown as Log;
}

const order = {
  account: OTHER,
  receiver: OTHER,
  marketKey: `0x${'a'.repeat(64)}`,
  outcome: 1,
  isBuy: true,
  quantity: 5n,
  quoteLimit: 6n,
  expiry: 7n,
  salt: 8n,
  clientRef: `0x${'b'.repeat(64)}`,
} as const;
const event = getAbiItem({ abi: swapVaultAbi, name: 'OrderRequested' });
const requestedLog = {
  ...logOf(TOKEN, 'Transfer'),
  topics: encodeEventTopics({
    abi: [event],
    args: { orderId: order.marketKey, account: OTHER, clientRef: order.clientRef },
  }),
  data: encodeAbiParameters(
    event.inputs.filter((input) => !('indexed' in input && input.indexed)),
    [order],
  ),
} as unknown as Log;

const transfers = eventFilter(erc20Abi, ['Transfer']);

it('given any spelling of the contract’s address, selects its wanted events', () => {
  const mine = logOf(TOKEN.toLowerCase(), 'Transfer');
  const logs = [mine, logOf(TOKEN, 'Approval'), logOf(OTHER, 'Transfer')];
  expect(transfers.select(TOKEN, logs)).toEqual([mine]);
});

it('reads what viem reads, a structure among the data included', () => {
  const logs = [logOf(TOKEN, 'Transfer'), requestedLog];
  expect(transfers.read(TOKEN, logs)).toEqual(
    parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs }),
  );
  const requested = eventFilter(swapVaultAbi, ['OrderRequested', 'OrderFilled']);
  const read = requested.read(TOKEN, logs, 'OrderRequested');
  expect(read).toEqual(parseEventLogs({ abi: swapVaultAbi, logs: [requestedLog] }));
  expect(read[0]?.args.order.quantity).toBe(5n);
  expect(requested.read(TOKEN, logs, 'OrderFilled')).toEqual([]);
});

it('skips an event of the same name and types with other indexed fields', () => {
  const { topics, ...log } = logOf(TOKEN, 'Transfer');
  const other = { ...log, topics: topics.slice(0, 2) } as Log;
  expect(transfers.read(TOKEN, [other])).toEqual([]);
});

it('selects nothing where the contract has no such event', () => {
  const none = eventFilter(outcomeTokenAbi, ['TransferSingle']);
  expect(none.select(TOKEN, [logOf(TOKEN, 'Transfer')])).toEqual([]);
});
