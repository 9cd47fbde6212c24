import { randomUUID } from 'node:crypto';
import { createWalletClient, encodeFunctionData, type Hex, http, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import { base } from '#lib/chains.ts';
import { amendSigned } from '#lib/order/amendSigned.ts';
import { type OrderMessage, orderDigest, saltOf } from '#lib/order/orderToSign.ts';
import { generateP256, p256Signer } from '#lib/order/p256Signer.ts';
import { secp256k1Signer } from '#lib/order/secp256k1Signer.ts';
import { type OrderSigner, placeOrder, signOrder } from '#lib/order/signOrder.ts';
import { controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import { chainReader } from '#sandbox/testing/chainTrader.ts';
import { relay, type SignedCall, signBatch } from '#sandbox/testing/relayed.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import {
  createTrader,
  findLiquidMarket,
  giveGrant,
  limitBody,
  orderBody,
  readHoldings,
  signIn,
  signWithdrawal,
  type Trader,
  untilComplete,
  untilLogged,
} from '#sandbox/testing/trader.ts';
import { readOrderMessage, type VaultOrder } from '#server/chain/vaultOrder.ts';
import { readSessionKey } from '../../accounts/sessionKey.ts';

/** Accounts whose permission names a session key: orders that it signed, and no others. */

const sandbox = sandboxUnderTest();
let ticker = '';
beforeAll(async () => {
  ticker = await findLiquidMarket(await signIn(sandbox));
});

const createP256 = async () => await p256Signer(await generateP256());
/** What the service does with a key of the other kind differs in the check of its signature only. */
const SIGNERS: [name: string, create: () => Promise<OrderSigner>, tags: string[]][] = [
  ['P-256', createP256, []],
  ['secp256k1', async () => secp256k1Signer(generatePrivateKey()), ['long']],
];

const keyed = (signer: OrderSigner) => createTrader(sandbox, { sessionKey: signer.sessionKey });
const buy = (trader: Trader, change: object = {}) =>
  orderBody(sandbox, trader, {
    direction: 'BUY',
    ticker,
    side: 'yes',
    contracts: '2',
    quoteLimit: '1.96',
    clientId: randomUUID(),
    ...change,
  });
const bid = (trader: Trader) =>
  limitBody(sandbox, trader, { direction: 'BUY', ticker, contracts: '3', price: '0.02' });
const usdcOf = async ({ account }: Trader) =>
  (await readHoldings(sandbox, account, { ticker, side: 'yes' })).usdcMicros;

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (isApiProblem(error)) return error.code;
    throw error;
  }
}

describe.each(SIGNERS)('given a permission that names a %s key', (_, create, tags) => {
  let signer: OrderSigner;
  let trader: Trader;
  beforeAll(async () => {
    signer = await create();
    trader = await keyed(signer);
  });

  test('its account says so, and orders signed by it are carried out, both ways', async () => {
    const { grant } = await trader.api.getAccount(trader.account);
    expect(grant?.sessionKey?.kind).toBe(signer.sessionKey.length === 42 ? 'secp256k1' : 'p256');
    const { intent } = await placeOrder(trader.api, signer, buy(trader));
    const bought = await untilComplete(trader, intent.id);
    expect(bought).toMatchObject({ status: 'completed', filledBaseQuantity: '2' });
    const sale = buy(trader, { direction: 'SELL', quoteLimit: '0.02' });
    const sold = await placeOrder(trader.api, signer, sale);
    expect(await untilComplete(trader, sold.intent.id)).toMatchObject({ status: 'completed' });
  });

  test('orders for an amount, and those that rest or wait, are signed as well', {
    tags: ['long'],
  }, async () => {
    const amount = buy(trader, { sizedBy: 'maxQuoteQuantityIn' });
    const spent = await placeOrder(trader.api, signer, amount);
    const { intent: resting } = await placeOrder(trader.api, signer, bid(trader));
    const stop = { triggerPrice: '0.99', direction: 'above', triggerSource: 'ask' } as const;
    const { intent: waiting } = await placeOrder(trader.api, signer, buy(trader, { stop }));
    expect(await untilComplete(trader, spent.intent.id)).toMatchObject({ status: 'completed' });
    await untilLogged(trader, resting.id, 'resting');
    await untilLogged(trader, waiting.id, 'validated');
    // Within what is locked nothing needs a signature.
    await trader.api.amendOrder(resting.id, { limitPrice: '0.01' });
    for (const { id } of [resting, waiting]) {
      await trader.api.cancelOrder(id);
      expect(await untilComplete(trader, id)).toMatchObject({ terminationReason: 'cancelled' });
    }
  });

  test('a change beyond what is locked is signed as well, and the order that takes its place is opened', {
    tags: ['long'],
  }, async () => {
    const { intent } = await placeOrder(trader.api, signer, bid(trader));
    const rests = await untilLogged(trader, intent.id, 'resting');
    const change = { limitPrice: '0.03', baseQuantity: '4' };
    const stranger = await create();
    expect(await codeOf(trader.api.amendOrder(intent.id, change))).toBe('order_signature_required');
    expect(await codeOf(amendSigned(trader.api, stranger, rests, change))).toBe(
      'order_signature_invalid',
    );
    // What was signed for one change carries no other one.
    const prepared = await trader.api.prepareAmendment(intent.id, change);
    const { preparedAt, clientId } = prepared;
    const id = randomUUID();
    const message = { ...prepared.typedData?.message, salt: saltOf(id).toString() };
    const signature = await signer.signDigest(orderDigest(base.id, message as OrderMessage));
    const signed = { id, preparedAt, signature };
    const dearer = { ...change, limitPrice: '0.04', clientId, signed };
    expect(await codeOf(trader.api.amendOrder(intent.id, dearer))).toBe('order_signature_invalid');
    expect((await trader.api.getOrder(intent.id)).status).toBe('executing');

    const within = await trader.api.prepareAmendment(intent.id, { limitPrice: '0.01' });
    expect(within.typedData).toBeNull();
    const { order } = await amendSigned(trader.api, signer, rests, change);
    const replacedBy = order.replacedBy ?? '';
    await untilLogged(trader, intent.id, 'replaced');
    expect(await untilLogged(trader, replacedBy, 'resting')).toMatchObject({
      limitPrice: '0.03',
      remainingBaseQuantity: '4',
    });
    await trader.api.cancelOrder(replacedBy);
    expect(await untilComplete(trader, replacedBy)).toMatchObject({
      terminationReason: 'cancelled',
    });
  });

  test('without its signature, or with another one, an order is refused at once', {
    tags,
  }, async () => {
    const body = buy(trader);
    expect(await codeOf(trader.api.createOrder(body))).toBe('order_signature_required');
    const stranger = await create();
    expect(await codeOf(placeOrder(trader.api, stranger, body))).toBe('order_signature_invalid');
    const signed = await signOrder(signer, body, await trader.api.prepareOrder(body));
    const { clientId } = body;
    const dearer = { ...buy(trader, { quoteLimit: '1.97', clientId }), signed: signed.signed };
    expect(await codeOf(trader.api.createOrder(dearer))).toBe('order_signature_invalid');
    const another = { ...signed, clientId: randomUUID() };
    expect(await codeOf(trader.api.createOrder(another))).toBe('order_signature_invalid');
    // Sent twice, and signed twice, it is one order.
    const { intent } = await trader.api.createOrder(signed);
    expect((await trader.api.createOrder(signed)).intent.id).toBe(intent.id);
    expect((await placeOrder(trader.api, signer, body)).intent.id).toBe(intent.id);
    expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });
  });

  test('a malicious operator neither makes an order, nor worsens one, nor takes anything', {
    tags,
  }, async () => {
    const faults = controlChainFaults(sandbox);
    const thief = privateKeyToAccount(generatePrivateKey());
    const operator = await chainReader(sandbox).readContract({
      address: sandbox.contracts.swapVault,
      abi: swapVaultAbi,
      functionName: 'OPERATOR_ROLE',
    });
    const role = (functionName: 'grantRole' | 'revokeRole') =>
      faults.callVaultAs(
        'ADMIN',
        encodeFunctionData({ abi: swapVaultAbi, functionName, args: [operator, thief.address] }),
      );
    await faults.setGasMoney(thief.address, parseEther('1'));
    await role('grantRole');
    try {
      const body = buy(trader);
      const prepared = await trader.api.prepareOrder(body);
      const signed = await signOrder(signer, body, prepared);
      if (!prepared.typedData || !signed.signed) throw new Error('it is not signed');
      const salt = saltOf(signed.signed.id);
      const order = { ...readOrderMessage(prepared.typedData.message), salt };
      const signature = signed.signed.signature as Hex;
      const before = await usdcOf(trader);
      const open = (orders: VaultOrder[], by: Hex) => openAs(thief, orders, by);
      expect(
        await open(
          [
            { ...order, quoteLimit: order.quoteLimit + 1n },
            { ...order, outcome: 1 },
            { ...order, receiver: trader.wallet.address },
            { ...order, isBuy: false },
            { ...order, salt: order.salt + 1n },
          ],
          signature,
        ),
      ).toEqual([false, false, false, false, false]);
      expect(await open([order], '0x')).toEqual([false]);
      const reader = chainReader(sandbox);
      const args = [sandbox.contracts.usdc, 0n, 1n, thief.address, order.clientRef] as const;
      const withdrawal = {
        abi: tradingAccountAbi,
        functionName: 'operatorWithdraw',
        args,
      } as const;
      await expect(
        reader.simulateContract({ ...withdrawal, address: trader.account, account: thief }),
      ).rejects.toThrow(/DestinationNotAllowed/);
      expect(await usdcOf(trader)).toBe(before);
      // The one that the key signed opens, once, and its funds return.
      expect(await open([order, order], signature)).toEqual([true, false]);
      await faults.refundEarly(order);
      expect(await open([order], signature)).toEqual([false]);
      expect(await usdcOf(trader)).toBe(before);
    } finally {
      await role('revokeRole');
    }
  });

  test('the owner adds a key and removes each without ether, and what a removed one signs is refused', {
    tags,
  }, async () => {
    const owner = await keyed(signer);
    const { intent: first } = await placeOrder(owner.api, signer, buy(owner));
    expect(await untilComplete(owner, first.id)).toMatchObject({ status: 'completed' });
    const second = await create();
    const codeFor = (by: OrderSigner) => codeOf(placeOrder(owner.api, by, buy(owner)));
    expect(await codeFor(second)).toBe('order_signature_invalid');

    await relayed(owner, addition(owner, second));
    const { intent } = await placeOrder(owner.api, second, buy(owner));
    expect(await untilComplete(owner, intent.id)).toMatchObject({ status: 'completed' });

    const before = await usdcOf(owner);
    await relayed(owner, removal(owner, signer));
    expect(await codeFor(signer)).toBe('session_key_removed');
    const renewal = owner.api.getGrant({ address: owner.wallet.address });
    expect(await codeOf(renewal)).toBe('invalid_request'); // it must name a key
    const { intent: alone } = await placeOrder(owner.api, second, bid(owner));
    await untilLogged(owner, alone.id, 'resting');
    await owner.api.cancelOrder(alone.id);
    await untilComplete(owner, alone.id);

    await relayed(owner, removal(owner, second));
    expect(await codeFor(second)).toBe('session_key_removed');
    expect(await usdcOf(owner)).toBe(before);
    await giveGrant(owner.api, owner.wallet, { sessionKey: second.sessionKey });
    const { intent: anew } = await placeOrder(owner.api, second, buy(owner));
    expect(await untilComplete(owner, anew.id)).toMatchObject({ status: 'completed' });
  });

  test('a renewal keeps the key, and another device’s ends it', { tags }, async () => {
    await giveGrant(trader.api, trader.wallet);
    const before = (await trader.api.getAccount(trader.account)).grant;
    expect(before?.sessionKey).not.toBeNull();
    const next = await create();
    await giveGrant(trader.api, trader.wallet, { sessionKey: next.sessionKey });
    expect(await codeOf(placeOrder(trader.api, signer, buy(trader)))).toBe(
      'order_signature_invalid',
    );
    const { intent } = await placeOrder(trader.api, next, buy(trader));
    expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });
    await giveGrant(trader.api, trader.wallet, { sessionKey: 'none' });
    const { intent: plain } = await trader.api.createOrder(buy(trader));
    expect(await untilComplete(trader, plain.id)).toMatchObject({ status: 'completed' });
  });
});

/** Under the first grant. */
function addition({ account }: Trader, { sessionKey }: OrderSigner): SignedCall {
  const { keyKind, key } = readSessionKey(sessionKey);
  const args = [0n, keyKind, key] as const;
  const named = { abi: tradingAccountAbi, functionName: 'addSessionKey', args } as const;
  return { to: account, data: encodeFunctionData(named) };
}

function removal({ account }: Trader, { sessionKey }: OrderSigner): SignedCall {
  const args = [0n, readSessionKey(sessionKey).key] as const;
  const named = { abi: tradingAccountAbi, functionName: 'removeSessionKey', args } as const;
  return { to: account, data: encodeFunctionData(named) };
}

async function relayed(trader: Trader, call: SignedCall): Promise<void> {
  expect(await relay(trader, await signBatch(trader, [call]))).toMatchObject({
    status: 'completed',
  });
}

/** Opens orders with an operator's key; returns which of them the vault accepted. */
async function openAs(
  operator: ReturnType<typeof privateKeyToAccount>,
  orders: VaultOrder[],
  signature: Hex,
): Promise<boolean[]> {
  const reader = chainReader(sandbox);
  const wallet = createWalletClient({
    account: operator,
    chain: base,
    transport: http(sandbox.rpcUrl),
  });
  const request = {
    address: sandbox.contracts.swapVault,
    abi: swapVaultAbi,
    functionName: 'requestFor',
    args: [orders, orders.map(() => signature)],
    gas: 6_000_000n,
  } as const;
  const { result } = await reader.simulateContract({ ...request, account: operator });
  const hash = await wallet.writeContract(request);
  await reader.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  return [...result];
}

test('given a script with the session and the use of the key, it orders within the caps and does nothing else', async () => {
  const privateKey = generatePrivateKey();
  const signer = secp256k1Signer(privateKey);
  const caps = { maxPerOrder: '3', maxPerDay: '5', sessionKey: signer.sessionKey };
  const owner = await createTrader(sandbox, caps);
  // What the key would have to sign as the owner.
  const sign = privateKeyToAccount(privateKey).signTypedData;
  const script: Trader = { ...owner, wallet: { ...owner.wallet, signTypedData: sign } };
  const before = await usdcOf(owner);

  const dear = { contracts: '4', quoteLimit: '3.92' };
  const { intent } = await placeOrder(owner.api, signer, buy(owner, dear));
  expect(await untilComplete(owner, intent.id)).toMatchObject({
    status: 'failed',
    terminationReason: 'grant_exceeded',
  });
  const payment = {
    intentType: 'Withdraw',
    destinationAddress: privateKeyToAccount(generatePrivateKey()).address,
    amount: '1',
    tokenType: 'erc20',
    tokenAddress: sandbox.contracts.usdc,
  } as const;
  const { intent: unsigned } = await owner.api.withdraw(payment);
  expect(await untilComplete(owner, unsigned.id)).toMatchObject({
    status: 'failed',
    terminationReason: 'withdrawal_not_allowed',
  });
  const signed = await signWithdrawal(script, payment);
  expect(await codeOf(owner.api.withdraw(signed))).toBe('withdrawal_signature_invalid');
  const wider = { maxPerOrder: '10000', maxPerDay: '10000', withdrawAnywhere: 'true' } as const;
  const grant = { ...wider, sessionKey: 'none' };
  expect(await codeOf(giveGrant(owner.api, script.wallet, grant))).toBe('grant_invalid');
  for (const call of [removal(owner, signer), addition(owner, await createP256())]) {
    expect(await codeOf(owner.api.relay(await signBatch(script, [call])))).toBe('relay_refused');
  }
  expect(await usdcOf(owner)).toBe(before);

  const { intent: within } = await placeOrder(owner.api, signer, buy(owner));
  expect(await untilComplete(owner, within.id)).toMatchObject({ status: 'completed' });
});

test('given a permission without a key, nothing is to be signed', async () => {
  const trader = await createTrader(sandbox);
  const { typedData } = await trader.api.prepareOrder(buy(trader));
  expect(typedData).toBeNull();
  const signer = secp256k1Signer(generatePrivateKey());
  const { intent } = await placeOrder(trader.api, signer, buy(trader));
  expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });
});

test('given coordinates off the curve, or withdrawals elsewhere, no key is granted', async () => {
  const trader = await signIn(sandbox);
  const { sessionKey } = await p256Signer(await generateP256());
  const offCurve = `${sessionKey.slice(0, -2)}${sessionKey.endsWith('00') ? '01' : '00'}`;
  const ask = (query: object) => trader.api.getGrant({ address: trader.wallet.address, ...query });
  expect(await codeOf(ask({ sessionKey: offCurve }))).toBe('invalid_request');
  expect(await codeOf(ask({ sessionKey, withdrawAnywhere: 'true' }))).toBe('invalid_request');
});
