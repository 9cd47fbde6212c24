import { randomUUID } from 'node:crypto';
import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  http,
  serializeErc6492Signature,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { signMessage, signTypedData } from 'viem/experimental/erc7739';
import { beforeAll, describe, expect, test } from 'vitest';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { tradingAccountFactoryBytecode } from '#contracts/bytecode/tradingAccountFactory.ts';
import { createClient } from '#lib/api/client.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import type { PrepareWithdrawalInput } from '#lib/api/schemas/withdraw.ts';
import { base } from '#lib/chains.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import {
  createTrader,
  fetchToken,
  findLiquidMarket,
  orderBody,
  readHoldings,
  signIn,
  signWithdrawal,
  type Trader,
  untilComplete,
  WIDE_LIMITS,
} from '#sandbox/testing/trader.ts';

/** Withdrawals to addresses other than the owner, which the default permission refuses. */

const sandbox = sandboxUnderTest();
let ticker = '';
beforeAll(async () => {
  ticker = await findLiquidMarket(await signIn(sandbox));
});

const someAddress = () => privateKeyToAccount(generatePrivateKey()).address;
const now = () => Math.floor(Date.now() / 1_000);

const usdcBody = (to: Address, amount = '12.345678'): PrepareWithdrawalInput => ({
  intentType: 'Withdraw',
  destinationAddress: to,
  amount,
  tokenType: 'erc20',
  tokenAddress: sandbox.contracts.usdc,
});

const holdingsOf = (holder: Address) => readHoldings(sandbox, holder, { ticker, side: 'yes' });
const usdcOf = async (holder: Address) => (await holdingsOf(holder)).usdcMicros;

/** A wallet with funds, without a permission; its account is not deployed. */
async function createUnpermitted(): Promise<Trader> {
  const trader = await signIn(sandbox);
  await trader.api.requestFunds(trader.wallet.address);
  return trader;
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

describe('a withdrawal to another address', () => {
  test('fails without a signature under the default permission', async () => {
    const trader = await createTrader(sandbox);
    const to = someAddress();
    const { intent } = await trader.api.withdraw(usdcBody(to));
    expect(await untilComplete(trader, intent.id)).toMatchObject({
      status: 'failed',
      terminationReason: 'withdrawal_not_allowed',
      transactionHash: null,
    });
    expect(await usdcOf(to)).toBe(0n);
  });

  test('arrives without a signature when the owner has allowed other destinations', async () => {
    const trader = await createTrader(sandbox, WIDE_LIMITS);
    const to = someAddress();
    const { intent } = await trader.api.withdraw(usdcBody(to));
    expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });
    expect(await usdcOf(to)).toBe(12_345_678n);
  });

  test.each([
    ['the usual permission', () => createTrader(sandbox)],
    ['no permission, from an account that is not on the chain', createUnpermitted],
  ])('signed by the owner arrives to the micro-unit under %s', async (_, create) => {
    const trader = await create();
    const before = await usdcOf(trader.account);
    const to = someAddress();
    const deadline = now() + 600;
    const body = await signWithdrawal(trader, { ...usdcBody(to), deadline });
    const { intent } = await trader.api.withdraw(body);
    const order = await untilComplete(trader, intent.id);
    expect(order).toMatchObject({
      status: 'completed',
      expiresAt: new Date(deadline * 1_000).toISOString(),
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(await usdcOf(to)).toBe(12_345_678n);
    expect(await usdcOf(trader.account)).toBe(before - 12_345_678n);
  });

  test('exceeds every spending cap when the owner signs it', async () => {
    const trader = await createTrader(sandbox, {
      maxPerOrder: '1',
      maxPerDay: '1',
      maxWithdrawPerDay: '1',
      withdrawAnywhere: 'true',
    });
    const to = someAddress();
    const body = await signWithdrawal(trader, usdcBody(to, '9999.000001'));
    const { intent } = await trader.api.withdraw(body);
    expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });
    expect(await usdcOf(to)).toBe(9_999_000_001n);
  });

  test('transfers outcome tokens when the owner signs it', async () => {
    const trader = await createTrader(sandbox);
    const bought = await trader.api.createOrder(
      orderBody(sandbox, trader, {
        direction: 'BUY',
        ticker,
        side: 'yes',
        contracts: '3',
        quoteLimit: '2.97',
      }),
    );
    await untilComplete(trader, bought.intent.id);
    const { properties } = await trader.api.getTokenByMarket(ticker, 'yes');
    const to = someAddress();
    const body = await signWithdrawal(trader, {
      ...usdcBody(to, '1.25'),
      tokenType: 'erc1155',
      tokenAddress: sandbox.contracts.outcomeToken,
      tokenId: properties.tokenId,
    });
    const { intent } = await trader.api.withdraw(body);
    expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });
    expect((await holdingsOf(to)).contractMicros).toBe(1_250_000n);
    expect((await holdingsOf(trader.account)).contractMicros).toBe(1_750_000n);
  });
});

describe('a signed withdrawal', () => {
  test('is refused when a field differs from what the owner signed', async () => {
    const [trader, other] = await Promise.all([createTrader(sandbox), createTrader(sandbox)]);
    const good = await signWithdrawal(trader, usdcBody(someAddress()));
    const changes = [
      { destinationAddress: someAddress() },
      { amount: '12.345679' },
      { clientId: randomUUID() },
      { deadline: (good.deadline ?? 0) + 1 },
      { signature: '0x' },
      { signature: (await signWithdrawal(other, usdcBody(someAddress()))).signature },
    ];
    for (const change of changes) {
      const refused = codeOf(trader.api.withdraw({ ...good, ...change }));
      expect(await refused, JSON.stringify(change)).toBe('withdrawal_signature_invalid');
    }
    // The same withdrawal from another account.
    expect(await codeOf(other.api.withdraw(good))).toBe('withdrawal_signature_invalid');
    expect(await usdcOf(good.destinationAddress as Address)).toBe(0n);
  });

  test('is refused when a stranger signed exactly this withdrawal', async () => {
    const trader = await createTrader(sandbox);
    const stranger = privateKeyToAccount(generatePrivateKey());
    const body = await signWithdrawal(
      { api: trader.api, wallet: stranger },
      usdcBody(someAddress()),
    );
    expect(await codeOf(trader.api.withdraw(body))).toBe('withdrawal_signature_invalid');
  });

  test('is refused past its deadline, and for a deadline too near or too far away', async () => {
    const trader = await createTrader(sandbox);
    const body = usdcBody(someAddress());
    for (const seconds of [-60, 0, 10, 86_400 + 60]) {
      const deadline = now() + seconds;
      const prepared = codeOf(trader.api.prepareWithdrawal({ ...body, deadline }));
      expect(await prepared, `${seconds}`).toBe('deadline_not_allowed');
      const signature: Hex = `0x${'11'.repeat(65)}`;
      const sent = { ...body, deadline, signature, clientId: randomUUID() };
      expect(await codeOf(trader.api.withdraw(sent)), `${seconds}`).toBe('deadline_not_allowed');
    }
  });

  test('lists the fields that a signature needs', async () => {
    const trader = await createTrader(sandbox);
    const good = await signWithdrawal(trader, usdcBody(someAddress()));
    for (const field of ['clientId', 'deadline', 'signature'] as const) {
      const { [field]: _, ...rest } = good;
      await expect(trader.api.withdraw(rest)).rejects.toMatchObject({
        code: 'invalid_request',
        errors: [{ pointer: `/${field}` }],
      });
    }
  });

  test('returns the same order and pays once when it is sent again', async () => {
    const trader = await createTrader(sandbox);
    const to = someAddress();
    const body = await signWithdrawal(trader, usdcBody(to, '7'));
    const responses = await Promise.all([1, 2, 3].map(() => trader.api.withdraw(body)));
    const [first] = responses;
    await untilComplete(trader, first?.intent.id ?? '');
    responses.push(await trader.api.withdraw(body));
    expect(new Set(responses.map(({ intent }) => intent.id)).size).toBe(1);
    expect(await usdcOf(to)).toBe(7_000_000n);
  });

  test('is refused when another key of the owner sends it again', async () => {
    const trader = await createTrader(sandbox);
    const to = someAddress();
    const body = await signWithdrawal(trader, usdcBody(to, '7'));
    const { intent } = await trader.api.withdraw(body);
    const { secret } = await trader.api.createKey({ name: 'second', scopes: ['withdraw', 'read'] });
    const token = await fetchToken(trader.api, trader.wallet);
    const second = createClient({ baseUrl: sandbox.baseUrl, apiKey: secret, token });
    await expect(second.withdraw(body)).rejects.toMatchObject({
      status: 409,
      code: 'client_id_conflict',
    });
    expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });
    expect(await usdcOf(to)).toBe(7_000_000n);
  });

  test('fails before funds move when it exceeds the account’s balance', async () => {
    const trader = await createTrader(sandbox);
    const body = await signWithdrawal(trader, usdcBody(someAddress(), '10000.000001'));
    const { intent } = await trader.api.withdraw(body);
    expect(await untilComplete(trader, intent.id)).toMatchObject({
      status: 'failed',
      terminationReason: 'insufficient_funds',
    });
  });
});

describe('an owner who is a smart wallet (ERC-1271)', () => {
  const reader = createPublicClient({
    chain: base,
    transport: http(sandbox.rpcUrl),
    pollingInterval: 50,
  });

  /** A contract wallet that is not ours: a clone of another factory that signs by ERC-7739. */
  async function createSmartWallet() {
    const funded = await createUnpermitted();
    const client = createWalletClient({
      account: funded.wallet,
      chain: base,
      transport: http(sandbox.rpcUrl),
    });
    const deployed = async (hash: Hex) => {
      const receipt = await reader.waitForTransactionReceipt({ hash });
      expect(receipt.status).toBe('success');
      return receipt;
    };
    const { contractAddress } = await deployed(
      await client.sendTransaction({
        data: encodeDeployData({
          abi: tradingAccountFactoryAbi,
          bytecode: tradingAccountFactoryBytecode,
          args: [sandbox.contracts.swapVault],
        }),
      }),
    );
    const factory = contractAddress ?? '0x';
    const args = [funded.wallet.address] as const;
    const call = { abi: tradingAccountFactoryAbi, args } as const;
    const wallet = await reader.readContract({
      ...call,
      address: factory,
      functionName: 'addressOf',
    });
    const factoryData = encodeFunctionData({ ...call, functionName: 'createAccount' });
    const deploy = async () =>
      deployed(await client.sendTransaction({ to: factory, data: factoryData }));
    return { client, wallet, factory, factoryData, deploy };
  }

  test('signs a withdrawal once it is deployed, also with a signature that would deploy it', async () => {
    const { client, wallet, factory, factoryData, deploy } = await createSmartWallet();
    const anonymous = createClient({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
    const { message } = await anonymous.getSignInMessage(wallet);
    const wrap = (signature: Hex) =>
      serializeErc6492Signature({ address: factory, data: factoryData, signature });
    const signature = wrap(
      await signMessage(client, { message, verifier: wallet, factory, factoryData }),
    );
    const { token } = await anonymous.createToken({ message, signature });
    const api = createClient({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey, token });
    const { smartAccountAddress } = await api.requestFunds(wallet);
    const owner = { api, wallet: client.account, account: smartAccountAddress as Address };

    const to = someAddress();
    const { typedData, withdrawal } = await api.prepareWithdrawal(usdcBody(to, '3.5'));
    expect(typedData.domain.verifyingContract).toBe(smartAccountAddress);
    const { domain, types, primaryType, message: signed } = typedData;
    const plain = await signTypedData(client, {
      domain: { ...domain, verifyingContract: domain.verifyingContract as Hex },
      types: { Withdrawal: types.Withdrawal },
      primaryType,
      message: signed,
      verifier: wallet,
      factory,
      factoryData,
    });
    const body = { ...withdrawal, signature: wrap(plain) };
    expect(await codeOf(api.withdraw(body))).toBe('withdrawal_signature_invalid');
    await deploy();
    const { intent } = await api.withdraw(body);
    expect(await untilComplete(owner, intent.id)).toMatchObject({ status: 'completed' });
    expect(await usdcOf(to)).toBe(3_500_000n);
  });
});
