import { parseTransaction, recoverTransactionAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChainSigner, openChainSigner, type UnsignedTransaction } from './chainSigner.ts';
import { createKeyService, KeyServiceError } from './keyService.ts';
import { type KeyServiceServer, startKeyService } from './testing/keyServiceServer.ts';

const chainKey = generatePrivateKey();
const { address } = privateKeyToAccount(chainKey);
let held: KeyServiceServer;
let signer: ChainSigner;

const call = (nonce: number): UnsignedTransaction => ({
  type: 'eip1559',
  chainId: 8453,
  nonce,
  to: '0x00000000000000000000000000000000000000a3',
  data: '0xabcdef',
  gas: 900_000n,
  maxFeePerGas: 1_000n,
  maxPriorityFeePerGas: 1n,
});

const service = (changes: { token?: string; url?: string } = {}) =>
  createKeyService({ url: held.url, token: held.token, timeoutMs: 1_000, ...changes });

beforeAll(async () => {
  held = await startKeyService({ operator: { chainKey } }, { token: 'a token of the key service' });
  signer = await openChainSigner({ kind: 'service', keyId: 'operator' }, service());
});

afterAll(() => held.close());

describe('a key at a key service', () => {
  test('has the address of the key', () => {
    expect(signer.address).toBe(address);
  });

  test('signs like the key itself, for either of the two equivalent signatures', async () => {
    for (let nonce = 0; nonce < 16; nonce += 1) {
      const raw = await signer.signTransaction(call(nonce));
      const signed = { serializedTransaction: raw as `0x02${string}` };
      expect(await recoverTransactionAddress(signed)).toBe(address);
      const { s } = parseTransaction(raw as `0x02${string}`);
      expect(BigInt(s ?? 0) < 2n ** 255n).toBe(true);
    }
  });

  test.each(['silent', 'busy'] as const)('retries once when the service is %s', async (fault) => {
    held.faults[fault] = 1;
    const raw = await signer.signTransaction(call(1));
    const signed = { serializedTransaction: raw as `0x02${string}` };
    expect(await recoverTransactionAddress(signed)).toBe(address);
  });

  test('gives up after two attempts, and signs on a later request', async () => {
    held.faults.silent = 2;
    await expect(signer.signTransaction(call(2))).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(signer.signTransaction(call(2))).resolves.toMatch(/^0x02/);
  });

  test('rejects a signature of another key', async () => {
    held.faults.wrongKey = 1;
    await expect(signer.signTransaction(call(3))).rejects.toMatchObject({ kind: 'refused' });
  });

  test.each([
    ['an unknown key', { kind: 'service', keyId: 'nobody' } as const, {}],
    ['another token', { kind: 'service', keyId: 'operator' } as const, { token: 'no' }],
  ])('is not opened with %s', async (_what, source, changes) => {
    const opening = openChainSigner(source, service(changes));
    await expect(opening).rejects.toMatchObject({ kind: 'refused' });
  });

  test('is not opened when the service does not respond, with that reason', async () => {
    const opening = openChainSigner(
      { kind: 'service', keyId: 'operator' },
      service({ url: 'http://127.0.0.1:1' }),
    );
    await expect(opening).rejects.toBeInstanceOf(KeyServiceError);
    await expect(opening).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
