import { encodeEventTopics, erc20Abi, type Log, parseEventLogs } from 'viem';
import { expect, it } from 'vitest';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
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

const transfers = eventFilter(erc20Abi, ['Transfer']);

it('selects the wanted events of the contract, however its address is written', () => {
  const mine = logOf(TOKEN.toLowerCase(), 'Transfer');
  const logs = [mine, logOf(TOKEN, 'Approval'), logOf(OTHER, 'Transfer')];
  expect(transfers.select(TOKEN, logs)).toEqual([mine]);
});

it('leaves an ABI that reads them as the whole one does', () => {
  const logs = transfers.select(TOKEN, [logOf(TOKEN, 'Transfer')]);
  const read = (abi: typeof erc20Abi) => parseEventLogs({ abi, eventName: 'Transfer', logs });
  expect(read(transfers.abi)).toEqual(read(erc20Abi));
  expect(read(transfers.abi)[0]?.args.value).toBe(7n);
});

it('selects nothing where the contract has no such event', () => {
  const none = eventFilter(outcomeTokenAbi, ['Transfer']);
  expect(none.select(TOKEN, [logOf(TOKEN, 'Transfer')])).toEqual([]);
});
