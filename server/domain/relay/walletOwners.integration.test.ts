import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseErc6492Signature,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { createClient } from '#lib/api/client.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import { base } from '#lib/chains.ts';
import { ownerIdOfAddress, ownerIdOfKey } from '#lib/passkey/passkeyWallet.ts';
import { addAddressCall, addKeyCall, removeOwnerCall } from '#lib/passkey/walletCalls.ts';
import {
  createTestPasskey,
  passkeySiteOf,
  type TestPasskey,
} from '#sandbox/testing/passkeyWallet.ts';
import { relay, revocationOf, signBatch } from '#sandbox/testing/relayed.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import { fetchToken, signWithdrawal, untilComplete } from '#sandbox/testing/trader.ts';
import { signWalletBatch, walletAsOwner } from '#sandbox/testing/walletBatch.ts';

const sandbox = sandboxUnderTest();
const reader = createPublicClient({ chain: base, transport: http(sandbox.rpcUrl) });
const { baseUrl, apiKey } = sandbox;
const api = createClient({ baseUrl, apiKey });
const site = passkeySiteOf(sandbox);
const { factory } = site;

/** A passkey with a funded account whose wallet is not deployed. */
async function fund(passkey: TestPasskey): Promise<{ wallet: Address; account: Address }> {
  const wallet = passkey.wallet.address;
  await api.requestFunds(wallet);
  const { smartAccountAddress } = await api.getAccount(wallet);
  return { wallet, account: smartAccountAddress as Address };
}

/** A second passkey of the same wallet, which the first has made its owner. */
async function addSecond(first: TestPasskey): Promise<TestPasskey> {
  const second = createTestPasskey(site, first.publicKey);
  const wallet = first.wallet.address;
  const calls = [addKeyCall(wallet, second.publicKey)];
  const sent = await relay({ api }, await signWalletBatch(api, wallet, first.signDigest, calls));
  expect(sent).toMatchObject({ status: 'completed', type: 'walletBatch' });
  return second;
}

async function signIn({ wallet }: TestPasskey) {
  const token = await fetchToken(api, wallet);
  return createClient({ baseUrl, apiKey, token });
}

async function problemOf(work: Promise<unknown>) {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (isApiProblem(error))
      return { code: error.code, status: error.status, detail: pointersOf(error) };
    throw error;
  }
}

const pointersOf = ({
  errors,
}: {
  errors?: readonly { pointer: string; detail: string }[] | undefined;
}) => errors?.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');

const usdcOf = (holder: Address) =>
  reader.readContract({
    address: sandbox.contracts.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [holder],
  });

const payment = (to: Address, usdcMicros: bigint) => ({
  to: sandbox.contracts.usdc,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, usdcMicros] }),
});

const newWallet = () => privateKeyToAccount(generatePrivateKey());

describe('a further owner', () => {
  test('given one signature of a present owner, a second passkey owns the same account', async () => {
    const first = createTestPasskey(site);
    const { wallet, account } = await fund(first);
    expect(await api.getWalletOwners(account)).toEqual({
      wallet,
      isDeployed: false,
      firstKey: null,
      owners: [],
      batch: { nonce: '0', isAccepted: true },
    });
    const second = await addSecond(first);
    const { credentialId, publicKey } = second;
    const stored = await api.storePasskey({
      credentialId,
      publicKey,
      firstKey: first.publicKey,
      name: 'Crossbook, second',
    });
    expect(stored).toMatchObject({ address: wallet, firstKey: first.publicKey, isOwner: true });
    expect(await api.getWalletOwners(wallet)).toMatchObject({
      isDeployed: true,
      firstKey: first.publicKey,
      owners: [
        { id: ownerIdOfKey(first.publicKey), type: 'passkey', publicKey: first.publicKey },
        { id: ownerIdOfKey(publicKey), type: 'passkey', publicKey, name: 'Crossbook, second' },
      ],
      batch: { nonce: '1' },
    });

    const to = newWallet().address;
    const trader = { wallet: second.wallet, account, api: await signIn(second) };
    const signed = await signWithdrawal(trader, {
      intentType: 'Withdraw',
      destinationAddress: to,
      amount: '2',
      tokenType: 'erc20',
      tokenAddress: sandbox.contracts.usdc,
    });
    const { intent } = await trader.api.withdraw(signed);
    expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });
    expect(await usdcOf(to)).toBe(2_000_000n);
  });

  test('given a removed passkey, everything it signs is refused at once', async () => {
    const first = createTestPasskey(site);
    const { wallet, account } = await fund(first);
    const second = await addSecond(first);
    const { credentialId, publicKey } = second;
    await api.storePasskey({ credentialId, publicKey, firstKey: first.publicKey });
    const ofSecond = { wallet: second.wallet, account, api };
    const late = await signBatch(ofSecond, [revocationOf({ account })]);
    const calls = [removeOwnerCall(wallet, ownerIdOfKey(publicKey))];
    await relay({ api }, await signWalletBatch(api, wallet, first.signDigest, calls));

    expect(await problemOf(api.relay(late))).toMatchObject({
      code: 'relay_refused',
      detail: expect.stringContaining('/signature'),
    });
    expect(await problemOf(signIn(second))).toMatchObject({ code: 'sign_in_failed', status: 401 });
    const again = await signWalletBatch(api, wallet, second.signDigest, [
      addKeyCall(wallet, publicKey),
    ]);
    expect(await problemOf(api.relay(again))).toMatchObject({
      code: 'relay_refused',
      detail: '/message would revert: InvalidSignature',
    });
    expect(await api.getPasskey(credentialId)).toMatchObject({ address: wallet, isOwner: false });
    expect((await api.getWalletOwners(wallet)).owners).toHaveLength(1);
  });

  test('given the last owner, it is kept', async () => {
    const passkey = createTestPasskey(site);
    const { wallet } = await fund(passkey);
    const calls = [removeOwnerCall(wallet, ownerIdOfKey(passkey.publicKey))];
    const removal = await signWalletBatch(api, wallet, passkey.signDigest, calls);
    expect(await problemOf(api.relay(removal))).toMatchObject({
      code: 'relay_refused',
      detail: '/message would revert: LastOwner',
    });
  });

  test('given a lost passkey, a wallet that is an owner replaces it without ether', async () => {
    const lost = createTestPasskey(site);
    const { wallet, account } = await fund(lost);
    const friend = newWallet();
    const calls = [addAddressCall(wallet, friend.address)];
    await relay({ api }, await signWalletBatch(api, wallet, lost.signDigest, calls));
    expect((await api.getWalletOwners(wallet)).owners.at(-1)).toEqual({
      id: ownerIdOfAddress(friend.address),
      type: 'wallet',
      address: friend.address,
      publicKey: null,
      name: null,
      createdAt: null,
    });

    const found = createTestPasskey(site, lost.publicKey);
    const sign = walletAsOwner(factory, lost.publicKey, friend);
    const replacing = await signWalletBatch(api, wallet, sign, [
      addKeyCall(wallet, found.publicKey),
      removeOwnerCall(wallet, ownerIdOfKey(lost.publicKey)),
    ]);
    expect(await relay({ api }, replacing)).toMatchObject({ status: 'completed' });
    const signedIn = await signIn(found);
    expect((await signedIn.getAccount(wallet)).smartAccountAddress).toBe(account);
    expect(await problemOf(signIn(lost))).toMatchObject({ code: 'sign_in_failed' });
  });

  test('given two messages with one nonce, the later is refused and signed again', async () => {
    const first = createTestPasskey(site);
    const { wallet } = await fund(first);
    const second = await addSecond(first);
    const nonce = (await api.getWalletOwners(wallet)).batch.nonce;
    const friend = newWallet().address;
    const calls = [addAddressCall(wallet, friend)];
    const one = await signWalletBatch(api, wallet, first.signDigest, calls, { nonce });
    const others = [addAddressCall(wallet, newWallet().address)];
    const other = await signWalletBatch(api, wallet, second.signDigest, others, { nonce });
    await relay({ api }, one);
    expect(await problemOf(api.relay(other))).toMatchObject({
      code: 'relay_refused',
      detail: '/message would revert: BadNonce',
    });
    const removal = [removeOwnerCall(wallet, ownerIdOfAddress(friend))];
    const again = await signWalletBatch(api, wallet, second.signDigest, removal);
    expect(await relay({ api }, again)).toMatchObject({ status: 'completed' });
    expect((await api.getWalletOwners(wallet)).owners).toHaveLength(2);
  });
});

describe('a batch of a wallet', () => {
  test('given money in the wallet itself, one signature moves it into the account and out', async () => {
    const payer = createTestPasskey(site);
    const { wallet, account } = await fund(payer);
    const fill = await signBatch({ wallet: payer.wallet, account, api }, [
      payment(wallet, 5_000_000n),
    ]);
    expect(await relay({ api }, fill)).toMatchObject({ status: 'completed' });
    const before = await usdcOf(account);
    const to = newWallet().address;
    const calls = [payment(account, 3_000_000n), payment(to, 2_000_000n)];
    const sent = await relay({ api }, await signWalletBatch(api, wallet, payer.signDigest, calls));
    expect(sent).toMatchObject({ status: 'completed', account });
    expect([await usdcOf(account), await usdcOf(to), await usdcOf(wallet)]).toEqual([
      before + 3_000_000n,
      2_000_000n,
      0n,
    ]);
  });

  test('given another wallet with the same owner, its signature is refused', async () => {
    const first = createTestPasskey(site);
    const { wallet } = await fund(first);
    const second = await addSecond(first);
    // The second passkey is also the first key of a wallet of its own.
    const foreign = createTestPasskey(site);
    await fund(foreign);
    const signed = await signWalletBatch(api, wallet, second.signDigest, [
      payment(newWallet().address, 1n),
    ]);
    expect(
      await problemOf(api.relay({ ...signed, address: foreign.wallet.address })),
    ).toMatchObject({
      code: 'relay_refused',
      detail: expect.stringContaining('/signature must deploy the passkey’s wallet'),
    });
    const inner = parseErc6492Signature(signed.signature as Hex).signature;
    expect(await problemOf(api.relay({ ...signed, signature: inner }))).toMatchObject({
      code: 'relay_refused',
      detail: expect.stringContaining('/signature must deploy the passkey’s wallet'),
    });
  });

  test('given no deposit, nothing is deployed for it', async () => {
    const passkey = createTestPasskey(site);
    const wallet = passkey.wallet.address;
    const { batch } = await api.getWalletOwners(wallet);
    expect(batch).toEqual({ nonce: '0', isAccepted: false });
    const signed = await signWalletBatch(api, wallet, passkey.signDigest, []);
    expect(await problemOf(api.relay(signed))).toMatchObject({ code: 'relay_refused' });
  });
});

test('given a contract that is no wallet of a passkey, it has no owners here', async () => {
  expect(await problemOf(api.getWalletOwners(sandbox.contracts.usdc))).toMatchObject({
    code: 'passkey_not_found',
    status: 404,
  });
  expect(await problemOf(api.getWalletOwners('0x12'))).toMatchObject({
    code: 'invalid_request',
    status: 400,
  });
});
