import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  serializeErc6492Signature,
} from 'viem';
import { signMessage } from 'viem/experimental/erc7739';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import type { AuthToken } from '#lib/api/schemas/auth.ts';
import type { OrderCreated } from '#lib/api/schemas/order.ts';
import { base } from '#lib/chains.ts';
import {
  giveGrant,
  newWallet,
  openMarket,
  openSession,
  orderBody,
  type Session,
  type TestWallet,
} from './testing/apiSession.ts';

let session: Session;
const { rpcUrl, contracts } = inject('sandbox');
const reader = createPublicClient({ chain: base, transport: http(rpcUrl), pollingInterval: 50 });

beforeAll(async () => {
  session = await openSession();
});

const deployment = (owner: Address) => ({
  factory: contracts.accountFactory,
  factoryData: encodeFunctionData({
    abi: tradingAccountFactoryAbi,
    functionName: 'createAccount',
    args: [owner],
  }),
});

async function deploy(owner: TestWallet): Promise<void> {
  const { factory, factoryData } = deployment(owner.address);
  const wallet = createWalletClient({ account: owner, chain: base, transport: http(rpcUrl) });
  const hash = await wallet.sendTransaction({ to: factory, data: factoryData });
  const receipt = await reader.waitForTransactionReceipt({ hash });
  expect(receipt.status).toBe('success');
}

/** A wallet with its funded smart account, deployed or not. */
async function newAccount(isDeployed: boolean): Promise<{ owner: TestWallet; account: Address }> {
  const owner = newWallet();
  const { smartAccountAddress } = await session.client.requestFunds(owner.address);
  if (isDeployed) await deploy(owner);
  return { owner, account: smartAccountAddress as Address };
}

/** The signature of a smart account over a message, made with this key. */
async function accountSignature(
  message: string,
  account: Address,
  by: { signer: TestWallet; deployedFor?: Address },
): Promise<Hex> {
  const wallet = createWalletClient({ account: by.signer, chain: base, transport: http(rpcUrl) });
  if (by.deployedFor === undefined) return signMessage(wallet, { message, verifier: account });
  const { factory, factoryData } = deployment(by.deployedFor);
  const signature = await signMessage(wallet, {
    message,
    verifierDomain: {
      name: 'Crossbook Account',
      version: '1',
      chainId: base.id,
      verifyingContract: account,
    },
  });
  return serializeErc6492Signature({ address: factory, data: factoryData, signature });
}

async function exchange(account: Address, sign: (message: string) => Promise<Hex>) {
  const { message } = await session.client.getSignInMessage(account);
  const body = { message, signature: await sign(message) };
  return session.send('POST', '/v1/auth/token', { body, key: false });
}

describe.each([
  ['deployed (ERC-1271)', true],
  ['not deployed yet (ERC-6492)', false],
])('a smart account that is %s', (_, isDeployed) => {
  const signerOf = (owner: TestWallet, signer = owner) =>
    isDeployed ? { signer } : { signer, deployedFor: owner.address };

  it('200: signs in for its owner and can trade', async () => {
    const { owner, account } = await newAccount(isDeployed);
    const response = await exchange(account, (message) =>
      accountSignature(message, account, signerOf(owner)),
    );
    expect(response.status, response.text).toBe(200);
    const { token, address } = response.body as AuthToken;
    expect(address).toBe(owner.address);
    await giveGrant(session, owner);
    const { ticker } = await openMarket(session);
    const trade = { ticker, side: 'yes', contracts: '1', buyForAtMost: '1' } as const;
    const body = { ...orderBody({ wallet: owner }, trade), userAddress: account };
    const created = await session.send('POST', '/v1/order', { body, token });
    expect(created.status, created.text).toBe(200);
    const { id } = (created.body as OrderCreated).intent;
    expect((await session.send('GET', `/v1/order/${id}`, { token })).status).toBe(200);
  });

  it('401: not with another’s key, nor with a plain signature of the owner', async () => {
    const { owner, account } = await newAccount(isDeployed);
    const stranger = newWallet();
    const attempts: ((message: string) => Promise<Hex>)[] = [
      (message) => accountSignature(message, account, signerOf(owner, stranger)),
      (message) => owner.signMessage({ message }),
      // The deployment of another owner's account does not deploy this one.
      (message) =>
        accountSignature(message, account, { signer: stranger, deployedFor: stranger.address }),
    ];
    for (const attempt of attempts) {
      const refused = await exchange(account, attempt);
      expect(refused.status).toBe(401);
      expect(refused.body).toMatchObject({ code: 'sign_in_failed' });
    }
  });
});

it('401: given a signature that deploys what it likes, it is only simulated, and only of a moderate length', async () => {
  const { owner, account } = await newAccount(false);
  const others = newWallet();
  const { factory, factoryData } = deployment(others.address);
  const deploying = async (message: string) =>
    serializeErc6492Signature({
      address: factory,
      data: factoryData,
      signature: await owner.signMessage({ message }),
    });
  expect((await exchange(account, deploying)).status).toBe(401);
  // Nor does the right one deploy anything.
  const right = (message: string) =>
    accountSignature(message, account, { signer: owner, deployedFor: owner.address });
  expect((await exchange(account, right)).status).toBe(200);
  const address = await reader.readContract({
    address: factory,
    abi: tradingAccountFactoryAbi,
    functionName: 'addressOf',
    args: [others.address],
  });
  expect(await reader.getCode({ address })).toBeUndefined();
  expect(await reader.getCode({ address: account })).toBeUndefined();
  const long = await exchange(account, async () => `0x${'00'.repeat(10_000)}`);
  expect(long.status).toBe(400);
});

it('401: a signature for one account does not sign in another of the same owner’s wallets', async () => {
  const { owner, account } = await newAccount(true);
  const refused = await exchange(owner.address, (message) =>
    accountSignature(message, account, { signer: owner }),
  );
  expect(refused.status).toBe(401);
});
