import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  http,
  type PublicClient,
  parseErc6492Signature,
  serializeErc6492Signature,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { passkeyWalletFactoryAbi } from '#contracts/abi/passkeyWalletFactory.ts';
import { createClient } from '#lib/api/client.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import { base } from '#lib/chains.ts';
import { batchTypedData } from '#lib/relay/batchToSign.ts';
import {
  createTestPasskey,
  passkeySiteOf,
  type TestPasskey,
} from '#sandbox/testing/passkeyWallet.ts';
import { relay, revocationOf, signBatch } from '#sandbox/testing/relayed.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import {
  fetchToken,
  findLiquidMarket,
  giveGrant,
  orderBody,
  readHoldings,
  signWithdrawal,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import { hasP256Check } from '#server/chain/p256Check.ts';

const sandbox = sandboxUnderTest();
const reader = createPublicClient({ chain: base, transport: http(sandbox.rpcUrl) });
const { baseUrl, apiKey } = sandbox;
const anonymous = createClient({ baseUrl, apiKey });
const site = passkeySiteOf(sandbox);
const { factory } = site;

/** Signed in by a passkey whose wallet is not deployed. */
async function arrive({ wallet }: TestPasskey) {
  const token = await fetchToken(anonymous, wallet);
  const api = createClient({ baseUrl, apiKey, token });
  const { smartAccountAddress } = await api.getAccount(wallet.address);
  return { wallet, account: smartAccountAddress as Address, api };
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (isApiProblem(error)) return error.code;
    throw error;
  }
}

const usdcOf = (holder: Address) =>
  reader.readContract({
    address: sandbox.contracts.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [holder],
  });

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address;

const withdrawalTo = (destinationAddress: Address) => ({
  intentType: 'Withdraw' as const,
  destinationAddress,
  amount: '2',
  tokenType: 'erc20' as const,
  tokenAddress: sandbox.contracts.usdc,
});

test('given a passkey alone, it signs in, trades, withdraws and revokes without ether', async () => {
  const passkey = createTestPasskey(site);
  const trader = await arrive(passkey);
  await giveGrant(trader.api, trader.wallet);
  await trader.api.requestFunds(trader.wallet.address);
  const ticker = await findLiquidMarket(trader);
  const order = { direction: 'BUY', ticker, side: 'yes', contracts: '2', quoteLimit: '2' } as const;
  const { intent } = await trader.api.createOrder(orderBody(sandbox, trader, order));
  expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });
  expect(await reader.getCode({ address: trader.wallet.address })).toBeDefined();
  const held = await readHoldings(sandbox, trader.account, { ticker, side: 'yes' });
  expect(held.contractMicros).toBe(2_000_000n);

  const to = newAddress();
  const signed = await signWithdrawal(trader, withdrawalTo(to));
  const { intent: withdrawal } = await trader.api.withdraw(signed);
  expect(await untilComplete(trader, withdrawal.id)).toMatchObject({ status: 'completed' });
  expect(await usdcOf(to)).toBe(2_000_000n);

  const sent = await relay(trader, await signBatch(trader, [revocationOf(trader)]));
  expect(sent).toMatchObject({ status: 'completed' });
  expect((await trader.api.getAccount(trader.wallet.address)).grant).toBeNull();
});

test('given a first message of any kind, it deploys the wallet', async () => {
  const relaying = await arrive(createTestPasskey(site));
  const withdrawing = await arrive(createTestPasskey(site));
  const batch = await signBatch(relaying, [revocationOf(relaying)]);
  expect(await codeOf(relaying.api.relay(batch))).toBe('relay_refused'); // before a deposit
  await relaying.api.requestFunds(relaying.wallet.address);
  await withdrawing.api.requestFunds(withdrawing.wallet.address);
  expect(await relay(relaying, batch)).toMatchObject({ status: 'completed' });

  const to = newAddress();
  const signed = await signWithdrawal(withdrawing, withdrawalTo(to));
  const { intent } = await withdrawing.api.withdraw(signed);
  expect(await untilComplete(withdrawing, intent.id)).toMatchObject({ status: 'completed' });
  expect(await usdcOf(to)).toBe(2_000_000n);
});

test('the chain checks signatures of passkeys itself', async () => {
  expect(await hasP256Check({ client: reader as PublicClient })).toBe(true);
});

describe('given a passkey that signs on a site beside ours', () => {
  const beside = { factory, origin: 'https://beside.crossbook.example' };

  test('it opens no session', async () => {
    const { wallet } = createTestPasskey(beside);
    expect(await codeOf(fetchToken(anonymous, wallet))).toBe('sign_in_failed');
  });

  test('no batch, grant or withdrawal reaches the chain, which would take them', async () => {
    const signing = { ...site };
    const { wallet, account, api } = await arrive(createTestPasskey(signing));
    await api.requestFunds(wallet.address);
    signing.origin = beside.origin;
    const trader = { wallet, account, api };
    const batch = await signBatch(trader, [revocationOf(trader)]);
    const typedData = batchTypedData(base.id, account, batch.message);
    const { address } = wallet;
    const signature = batch.signature as `0x${string}`;
    expect(await reader.verifyTypedData({ ...typedData, address, signature })).toBe(true);
    expect(await codeOf(api.relay(batch))).toBe('relay_refused');
    expect(await codeOf(giveGrant(api, wallet))).toBe('grant_invalid');
    const withdrawal = await signWithdrawal(trader, withdrawalTo(newAddress()));
    expect(await codeOf(api.withdraw(withdrawal))).toBe('withdrawal_signature_invalid');
    expect(await reader.getCode({ address: wallet.address })).toBeUndefined();

    signing.origin = site.origin;
    const again = await signBatch(trader, [revocationOf(trader)]);
    expect(await relay(trader, again)).toMatchObject({ status: 'completed' });
  });
});

describe('a signature that calls another factory', () => {
  test('given it wraps a valid one, no message with it is taken', async () => {
    const passkey = createTestPasskey(site);
    const trader = await arrive(passkey);
    await trader.api.requestFunds(trader.wallet.address);
    const batch = await signBatch(trader, [revocationOf(trader)]);
    const { data, signature } = parseErc6492Signature(batch.signature as `0x${string}`);
    const foreign = serializeErc6492Signature({
      address: newAddress(),
      data: data ?? '0x',
      signature,
    });
    expect(await codeOf(trader.api.relay({ ...batch, signature: foreign }))).toBe('relay_refused');
    const other = encodeFunctionData({
      abi: passkeyWalletFactoryAbi,
      functionName: 'createAndCall',
      args: [
        passkey.publicKey.slice(0, 66) as `0x${string}`,
        `0x${passkey.publicKey.slice(66)}`,
        factory,
        '0x',
      ],
    });
    const otherCall = serializeErc6492Signature({ address: factory, data: other, signature });
    expect(await codeOf(trader.api.relay({ ...batch, signature: otherCall }))).toBe(
      'relay_refused',
    );
    expect(await reader.getCode({ address: trader.wallet.address })).toBeUndefined();
  });
});

describe('the public key of a passkey', () => {
  test('given a stored one, another device finds it and the wallet', async () => {
    const { credentialId, publicKey, wallet } = createTestPasskey(site);
    expect(await codeOf(anonymous.getPasskey(credentialId))).toBe('passkey_not_found');
    const stored = await anonymous.storePasskey({ credentialId, publicKey });
    expect(stored).toEqual({
      credentialId,
      publicKey,
      firstKey: publicKey,
      address: wallet.address,
      isOwner: true,
    });
    expect(await anonymous.storePasskey({ credentialId, publicKey })).toEqual(stored);
    expect(await anonymous.getPasskey(credentialId)).toEqual(stored);
    const [qx, qy] = [publicKey.slice(0, 66) as `0x${string}`, `0x${publicKey.slice(66)}`] as const;
    const onChain = await reader.readContract({
      address: factory,
      abi: passkeyWalletFactoryAbi,
      functionName: 'addressOf',
      args: [qx, qy],
    });
    expect(onChain).toBe(wallet.address);
  });

  test('given another key for a stored credential, it is refused', async () => {
    const { credentialId, publicKey } = createTestPasskey(site);
    await anonymous.storePasskey({ credentialId, publicKey });
    const other = createTestPasskey(site).publicKey;
    const taken = anonymous.storePasskey({ credentialId, publicKey: other });
    expect(await codeOf(taken)).toBe('passkey_taken');
  });

  test('given a point off the curve, it is refused', async () => {
    const { credentialId } = createTestPasskey(site);
    const publicKey = `0x${'11'.repeat(64)}`;
    expect(await codeOf(anonymous.storePasskey({ credentialId, publicKey }))).toBe(
      'invalid_request',
    );
  });
});
