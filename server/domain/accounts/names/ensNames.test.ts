import {
  type Address,
  createPublicClient,
  custom,
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionResult,
  type Hex,
  type PublicClient,
  parseAbi,
} from 'viem';
import { namehash, toCoinType } from 'viem/ens';
import { describe, expect, test } from 'vitest';
import { mainnet } from '#lib/chains.ts';
import { ensNames } from './ensNames.ts';

const ALICE: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BOB: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const BASE = toCoinType(8453);
const UNIVERSAL = parseAbi([
  'function resolveWithGateways(bytes name, bytes data, string[] gateways) view returns (bytes, address)',
  'function reverseWithGateways(bytes lookupAddress, uint256 coinType, string[] gateways) view returns (string, address, address)',
  'error ResolverNotFound(bytes name)',
  'error HttpError(uint16 status, string message)',
]);
const ADDR = parseAbi([
  'function addr(bytes32 node) view returns (address)',
  'function addr(bytes32 node, uint256 coinType) view returns (bytes)',
]);

type Records = {
  /** By name and coin type; 60 is the record of Ethereum. */
  addresses?: Record<string, Address>;
  /** By address and coin type. */
  names?: Record<string, string>;
  fails?: 'the node' | 'a gateway';
};

class Revert extends Error {
  readonly code = 3;
  readonly data: Hex;
  constructor(data: Hex) {
    super('execution reverted');
    this.data = data;
  }
}

/** A fake of Ethereum's name resolver. */
function ethereum({ addresses = {}, names = {}, fails }: Records): PublicClient {
  const nothing = () =>
    new Revert(encodeErrorResult({ abi: UNIVERSAL, errorName: 'ResolverNotFound', args: ['0x'] }));
  const resolve = (query: Hex): Hex => {
    const { args } = decodeFunctionData({ abi: ADDR, data: query });
    const [node, coinType] = args as readonly [Hex, bigint?];
    const key = Object.keys(addresses).find((one) => {
      const [name = '', type = ''] = one.split(' ');
      return namehash(name) === node && BigInt(type) === (coinType ?? 60n);
    });
    const found = key === undefined ? undefined : addresses[key];
    if (!found) throw nothing();
    return coinType === undefined
      ? encodeAbiParameters([{ type: 'address' }], [found])
      : encodeAbiParameters([{ type: 'bytes' }], [found]);
  };
  const response = (data: Hex): Hex => {
    const call = decodeFunctionData({ abi: UNIVERSAL, data });
    if (call.functionName === 'resolveWithGateways') {
      return encodeFunctionResult({
        abi: UNIVERSAL,
        functionName: 'resolveWithGateways',
        result: [resolve(call.args[1]), BOB],
      });
    }
    const name = names[`${call.args[0].toLowerCase()} ${call.args[1]}`];
    if (name === undefined) throw nothing();
    return encodeFunctionResult({
      abi: UNIVERSAL,
      functionName: 'reverseWithGateways',
      result: [name, BOB, BOB],
    });
  };
  const request = async ({ params }: { params: [{ data: Hex }] }) => {
    if (fails === 'the node') throw new Error('connection refused');
    if (fails === 'a gateway') {
      const args = [502, 'bad gateway'] as const;
      throw new Revert(encodeErrorResult({ abi: UNIVERSAL, errorName: 'HttpError', args }));
    }
    return response(params[0].data);
  };
  return createPublicClient({ chain: mainnet, transport: custom({ request }, { retryCount: 0 }) });
}

const namesOf = (records: Records) => ensNames(ethereum(records), 8453);

describe('resolve', () => {
  test('prefers the record of the chain to that of Ethereum', async () => {
    const addresses = { 'alice.eth 60': ALICE, [`alice.eth ${BASE}`]: BOB, 'bob.eth 60': BOB };
    const names = namesOf({ addresses });
    expect(await names.resolve('alice.eth')).toEqual({ address: BOB, source: 'chain' });
    expect(await names.resolve('bob.eth')).toEqual({ address: BOB, source: 'ethereum' });
    expect(await names.resolve('carol.eth')).toBeUndefined();
  });

  test.each(['the node', 'a gateway'] as const)('fails when %s fails', async (fails) => {
    await expect(namesOf({ fails }).resolve('alice.eth')).rejects.toThrow();
    await expect(namesOf({ fails }).nameOf(ALICE)).rejects.toThrow();
  });
});

describe('nameOf', () => {
  const claimed = (name: string, type: bigint = 60n) => ({
    [`${ALICE.toLowerCase()} ${type}`]: name,
  });

  test('returns a name that resolves back to the address', async () => {
    const addresses = { 'alice.eth 60': ALICE };
    const names = namesOf({ addresses, names: claimed('alice.eth') });
    expect(await names.nameOf(ALICE)).toBe('alice.eth');
    expect(await names.nameOf(BOB)).toBeUndefined();
  });

  test('prefers the name claimed on the chain', async () => {
    const addresses = { 'alice.eth 60': ALICE, [`alice.base.eth ${BASE}`]: ALICE };
    const names = { ...claimed('alice.eth'), ...claimed('alice.base.eth', BASE) };
    expect(await namesOf({ addresses, names }).nameOf(ALICE)).toBe('alice.base.eth');
  });

  test.each([
    ['belongs to another owner', 'bob.eth'],
    ['would lead to another owner on the chain', 'taken.eth'],
    ['is not spelled the one way', 'Alice.eth'],
    ['has invisible characters', 'al\u200bice.eth'],
    ['has no owner', 'none.eth'],
  ])('gives no name that %s', async (_, name) => {
    const addresses = {
      'bob.eth 60': BOB,
      'taken.eth 60': ALICE,
      [`taken.eth ${BASE}`]: BOB,
      'Alice.eth 60': ALICE,
      'al\u200bice.eth 60': ALICE,
    };
    expect(await namesOf({ addresses, names: claimed(name) }).nameOf(ALICE)).toBeUndefined();
  });
});
