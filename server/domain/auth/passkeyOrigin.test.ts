import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { signatureByKey, walletSignature } from '#lib/passkey/passkeyWallet.ts';
import { isOfForeignSite } from './passkeyOrigin.ts';

const OURS = 'https://crossbook.example';
const key: Hex = `0x${'ab'.repeat(64)}`;

const signedWith = (clientDataJSON: string) =>
  signatureByKey(key, {
    r: 1n,
    s: 2n,
    challengeIndex: 23,
    typeIndex: 1,
    authenticatorData: `0x${'cd'.repeat(37)}`,
    clientDataJSON,
  });
const clientData = (part: Record<string, unknown>) =>
  signedWith(JSON.stringify({ type: 'webauthn.get', challenge: 'AA', origin: OURS, ...part }));

describe('a passkey’s signature', () => {
  test.each([
    ['of our site', clientData({ crossOrigin: false })],
    ['of our site by a browser that names no frames', clientData({})],
  ])('given it is %s, it is ours', (_, signature) => {
    expect(isOfForeignSite(signature, `${OURS}/`)).toBe(false);
  });

  test.each([
    ['of a site beside ours', clientData({ origin: 'https://beside.crossbook.example' })],
    ['of our host without encryption', clientData({ origin: 'http://crossbook.example' })],
    ['of another port', clientData({ origin: `${OURS}:8443` })],
    ['of a frame of another site', clientData({ crossOrigin: true })],
    ['without an origin', clientData({ origin: undefined })],
    ['of client data that is no JSON', signedWith('{"type":"webauthn.get"')],
  ])('given it is %s, it is foreign, also with the deployment of its wallet', (_, signature) => {
    expect(isOfForeignSite(signature, OURS)).toBe(true);
    const wrapped = walletSignature(`0x${'12'.repeat(20)}`, key, signature);
    expect(isOfForeignSite(wrapped, OURS)).toBe(true);
  });
});

test('given the signature of a plain or another smart wallet, it names no site', async () => {
  const wallet = privateKeyToAccount(`0x${'7'.repeat(64)}`);
  expect(isOfForeignSite(await wallet.signMessage({ message: 'hello' }), OURS)).toBe(false);
  expect(isOfForeignSite(`0x${'00'.repeat(400)}`, OURS)).toBe(false);
});
