import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Address,
  concatHex,
  createPublicClient,
  createTestClient,
  createWalletClient,
  decodeAbiParameters,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  parseEther,
  parseSignature,
} from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { ACCOUNT_BATCH } from '#lib/accountBatch.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import type { RelayRequestInput } from '#lib/api/schemas/relay.ts';
import { base } from '#lib/chains.ts';
import { signedTransferArgs } from '#lib/relay/depositToSign.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import {
  relay,
  revocationOf,
  type SignedCall,
  signBatch,
  signDeposit,
  signPermit,
  signReceiving,
  untilRelayed,
} from '#sandbox/testing/relayed.ts';
import {
  createTrader,
  findLiquidMarket,
  giveGrant,
  orderBody,
  readHoldings,
  signIn,
  signWithdrawal,
  type Trader,
  untilComplete,
  WIDE_LIMITS,
} from '#sandbox/testing/trader.ts';
import { GAS_PRICE_ORACLE } from '#server/chain/dataFee.ts';
import { CRASH_FILE } from '../../processor/runner/checkpoints.ts';

/** A wallet that never has ether, from its deposit to its last withdrawal. */

const DEPOSIT_MICROS = 40_000_000n;
const TRANSFER_WITH_AUTHORIZATION =
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)';
const MOST_MESSAGES = 4;
const stack = ownTestStack('relay', {
  environment: { RELAY_MESSAGES_PER_ACCOUNT: String(MOST_MESSAGES) },
});
const sandbox = () => stack.description();
const chain = () => createPublicClient({ chain: base, transport: http(sandbox().rpcUrl) });
let ticker = '';
let rich: Trader;

beforeAll(async () => {
  rich = await createTrader(sandbox(), WIDE_LIMITS);
  ticker = await findLiquidMarket(rich);
});

const holdingsOf = (holder: Address) => readHoldings(sandbox(), holder, { ticker, side: 'yes' });
const usdcOf = async (holder: Address) => (await holdingsOf(holder)).usdcMicros;
const etherOf = (address: Address) => chain().getBalance({ address });

/** Without ether, with USDC in the wallet. */
async function createPoor(usdc = '41'): Promise<Trader> {
  const trader = await signIn(sandbox());
  const { intent } = await rich.api.withdraw({
    intentType: 'Withdraw',
    destinationAddress: trader.wallet.address,
    amount: usdc,
    tokenType: 'erc20',
    tokenAddress: sandbox().contracts.usdc,
  });
  expect(await untilComplete(rich, intent.id)).toMatchObject({ status: 'completed' });
  return trader;
}

async function createDeposited(): Promise<Trader> {
  const trader = await createPoor();
  const request = await signDeposit(sandbox(), trader, DEPOSIT_MICROS);
  expect(await relay(trader, request)).toMatchObject({ status: 'completed' });
  return trader;
}

/** What `POST /v1/relay` says of a message that it does not take. */
async function refusalOf(trader: Trader, request: RelayRequestInput) {
  try {
    await trader.api.relay(request);
    return undefined;
  } catch (error) {
    if (!isApiProblem(error)) throw error;
    return { code: error.code, errors: error.errors.map(({ pointer }) => pointer) };
  }
}

const transferTo = (to: Address, micros: bigint): SignedCall => ({
  to: sandbox().contracts.usdc,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, micros] }),
});

/** Code that returns one number for every call. */
const oracleOf = (wei: bigint): Hex =>
  concatHex(['0x7f', numberToHex(wei, { size: 32 }), '0x60005260206000f3']);

/** The account's own calls in what the service issues for a wallet to send. */
function callsOf(account: Address, transactions: { to: string; data: string }[]): SignedCall[] {
  return transactions.flatMap(({ to, data }) => {
    if (to !== account) return [];
    const { functionName, args } = decodeFunctionData({
      abi: tradingAccountAbi,
      data: data as Hex,
    });
    if (functionName !== 'execute') throw new Error(`not a batch: ${functionName}`);
    return [...decodeAbiParameters(ACCOUNT_BATCH, args[1])[0]];
  });
}

test('given a wallet without ether, it deposits, buys, sells, revokes and withdraws to the micro-unit', async () => {
  const trader = await createDeposited();
  const { wallet, account, api } = trader;
  expect(await usdcOf(account)).toBe(DEPOSIT_MICROS);
  expect(await usdcOf(wallet.address)).toBe(1_000_000n);

  // Signed itself: an order as the wallet would send it, which deploys the account.
  const order = { ticker, side: 'yes', contracts: '3', quoteLimit: '2.97' } as const;
  const issued = await api.createCalldataOrder(
    orderBody(sandbox(), trader, { ...order, direction: 'BUY' }),
  );
  const batch = await signBatch(trader, callsOf(account, issued.transactions));
  expect(await relay(trader, batch)).toMatchObject({ status: 'completed', reason: null });
  expect(await untilComplete(trader, issued.intent.id)).toMatchObject({ status: 'completed' });
  const bought = await holdingsOf(account);
  expect(bought.contractMicros).toBe(3_000_000n);

  await giveGrant(api, wallet);
  const { intent: second } = await api.createOrder(
    orderBody(sandbox(), trader, { ...order, direction: 'BUY' }),
  );
  expect(await untilComplete(trader, second.id)).toMatchObject({ status: 'completed' });
  const { intent: sale } = await api.createOrder(
    orderBody(sandbox(), trader, { ...order, direction: 'SELL', quoteLimit: '0.03' }),
  );
  expect(await untilComplete(trader, sale.id)).toMatchObject({ status: 'completed' });

  expect((await api.getAccount(wallet.address)).grant).toMatchObject({ status: 'active' });
  const revoked = await relay(trader, await signBatch(trader, [revocationOf(trader)]));
  expect(revoked).toMatchObject({ status: 'completed', type: 'batch', account });
  expect((await api.getAccount(wallet.address)).grant).toBeNull();

  const left = await usdcOf(account);
  const withdrawal = await signWithdrawal(trader, {
    intentType: 'Withdraw',
    destinationAddress: wallet.address,
    amount: (Number(left) / 1e6).toFixed(6),
    tokenType: 'erc20',
    tokenAddress: sandbox().contracts.usdc,
  });
  const { intent } = await api.withdraw(withdrawal);
  expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });
  expect(await usdcOf(wallet.address)).toBe(1_000_000n + left);
  expect(await holdingsOf(account)).toEqual({ usdcMicros: 0n, contractMicros: 3_000_000n });
  expect(await etherOf(wallet.address)).toBe(0n);
  expect(await etherOf(account)).toBe(0n);
});

/** What anyone can do with a signed batch. */
async function sendAsStranger(
  { wallet }: Trader,
  { message, signature }: Awaited<ReturnType<typeof signBatch>>,
): Promise<void> {
  const stranger = createWalletClient({
    account: rich.wallet,
    chain: base,
    transport: http(sandbox().rpcUrl),
  });
  const batch = {
    calls: message.calls.map(({ to, data }) => ({
      to: to as Address,
      value: 0n,
      data: data as Hex,
    })),
    gas: BigInt(message.gas),
    nonce: BigInt(message.nonce),
    deadline: BigInt(message.deadline),
  };
  const hash = await stranger.writeContract({
    address: sandbox().contracts.accountFactory,
    abi: tradingAccountFactoryAbi,
    functionName: 'createAndExecute',
    args: [wallet.address, batch, signature as Hex],
  });
  await chain().waitForTransactionReceipt({ hash });
}

test('given a service that does not send a revocation, a stranger does, and no order is taken', {
  tags: ['long'],
}, async () => {
  const trader = await createDeposited();
  const { api, wallet } = trader;
  await giveGrant(api, wallet);
  const order = { ticker, side: 'yes', contracts: '2', quoteLimit: '1.98' } as const;
  const body = orderBody(sandbox(), trader, { ...order, direction: 'BUY' });
  const { intent } = await api.createOrder(body);
  expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });

  await sendAsStranger(trader, await signBatch(trader, [revocationOf(trader)]));
  const isRevoked = async () => (await api.getAccount(wallet.address)).grant === null || undefined;
  expect(await pollUntil(isRevoked)).toBe(true);
  const { intent: late } = await api.createOrder(body);
  expect(await untilComplete(trader, late.id)).toMatchObject({
    status: 'failed',
    terminationReason: 'grant_required',
  });
});

test('given an empty wallet but for USDC, one message deposits, deploys the account and buys', async () => {
  const trader = await createPoor();
  const { wallet, account, api } = trader;
  const order = { ticker, side: 'yes', contracts: '3', quoteLimit: '2.97' } as const;
  const body = orderBody(sandbox(), trader, { ...order, direction: 'BUY' });
  // Of the account itself, so the calls are those of the batch.
  const issued = await api.createCalldataOrder({ ...body, userAddress: account });
  const own = issued.transactions.map(({ to, data }) => ({ to: to as Hex, data: data as Hex }));
  const calls = [await signReceiving(sandbox(), trader, 5_000_000n), ...own];
  const sent = await relay(trader, await signBatch(trader, calls));
  expect(sent).toMatchObject({ status: 'completed', reason: null });
  expect(await untilComplete(trader, issued.intent.id)).toMatchObject({ status: 'completed' });
  const held = await holdingsOf(account);
  expect(held.contractMicros).toBe(3_000_000n);
  expect(held.usdcMicros).toBeGreaterThanOrEqual(5_000_000n - 2_970_000n);
  expect(await usdcOf(wallet.address)).toBe(36_000_000n);
  expect(await etherOf(wallet.address)).toBe(0n);
});

describe('a permit', () => {
  test('deposits once, and is done if someone else has given it to USDC', async () => {
    const trader = await createPoor();
    const first = await signPermit(sandbox(), trader, 10_000_000n);
    const done = await relay(trader, first);
    expect(done).toMatchObject({ type: 'permit', status: 'completed', reason: null });
    expect((await trader.api.relay(first)).relay).toEqual(done);
    expect(await usdcOf(trader.account)).toBe(10_000_000n);

    const second = await signPermit(sandbox(), trader, 7_000_000n);
    const { owner, spender, value, deadline } = second.message;
    const { r, s, yParity } = parseSignature(second.signature as Hex);
    const front = createWalletClient({
      account: rich.wallet,
      chain: base,
      transport: http(sandbox().rpcUrl),
    });
    const hash = await front.writeContract({
      address: sandbox().contracts.usdc,
      abi: testUsdcAbi,
      functionName: 'permit',
      args: [
        owner as Address,
        spender as Address,
        BigInt(value),
        BigInt(deadline),
        yParity + 27,
        r,
        s,
      ],
    });
    await chain().waitForTransactionReceipt({ hash });
    expect(await relay(trader, second)).toMatchObject({ status: 'completed', reason: null });
    expect(await usdcOf(trader.account)).toBe(17_000_000n);
  });

  test('of another owner, spender, nonce or amount is refused', async () => {
    const trader = await createPoor();
    const refused = { code: 'relay_refused' };
    for (const [changed, pointer] of [
      [{ owner: rich.wallet.address }, '/message/owner'],
      [{ spender: rich.wallet.address }, '/message/spender'],
      [{ value: '999999' }, '/message/value'],
      [{ deadline: '1' }, '/message/deadline'],
      [{ nonce: '4' }, '/message'],
      [{ value: '41000001' }, '/message'],
    ] as const) {
      const request = await signPermit(sandbox(), trader, 10_000_000n, changed);
      expect(await refusalOf(trader, request)).toEqual({ ...refused, errors: [pointer] });
    }
    expect(await usdcOf(trader.wallet.address)).toBe(41_000_000n);
  });
});

describe('a message', () => {
  test('sent again is the same relay, and moves once', async () => {
    const trader = await createDeposited();
    const request = await signBatch(trader, [transferTo(rich.wallet.address, 2_000_000n)]);
    const [one, other] = await Promise.all([trader.api.relay(request), trader.api.relay(request)]);
    expect(other.relay.id).toBe(one.relay.id);
    const ended = await untilRelayed(trader, one.relay.id);
    expect((await trader.api.relay(request)).relay).toEqual(ended);
    expect(await usdcOf(trader.account)).toBe(DEPOSIT_MICROS - 2_000_000n);
  });

  test('of another account, chain, nonce or signer is refused, and so is an expired one', async () => {
    const trader = await createDeposited();
    const { address } = rich.wallet;
    const first = await signBatch(trader, [transferTo(address, 1_000_000n)]);
    // Another message: the same one again would be the first relay.
    const calls = [transferTo(address, 1_000_001n)];
    expect(await relay(trader, first)).toMatchObject({ status: 'completed' });
    const refused = { code: 'relay_refused' };
    const past = (Date.now() / 1_000 - 60).toFixed();
    for (const [request, pointer] of [
      [await signBatch(trader, calls, { nonce: '0' }), '/message'],
      [await signBatch(trader, calls, { nonce: '7' }), '/message'],
      [await signBatch(trader, calls, { account: rich.account }), '/signature'],
      [await signBatch(trader, calls, { chainId: 1 }), '/signature'],
      [{ ...(await signBatch(trader, calls)), address }, '/signature'],
      [await signBatch(trader, calls, { deadline: past }), '/message/deadline'],
      [await signDeposit(sandbox(), trader, 1_000_000n, { to: rich.account }), '/message/to'],
      [await signDeposit(sandbox(), trader, 1_000_000n, { from: address }), '/message/from'],
      [await signDeposit(sandbox(), trader, 999_999n), '/message/value'],
      [await signDeposit(sandbox(), trader, 2_000_000n), '/message'],
    ] as const) {
      expect(await refusalOf(trader, request)).toEqual({ ...refused, errors: [pointer] });
    }
    expect(await usdcOf(trader.account)).toBe(DEPOSIT_MICROS - 1_000_000n);
  });

  test('with numbers beyond their type is refused by field', async () => {
    const trader = await signIn(sandbox());
    const batch = await signBatch(trader, [], { nonce: '0' });
    const huge = (2n ** 64n).toString();
    const message = { ...batch.message, nonce: huge, gas: `${huge}0`, deadline: '9'.repeat(78) };
    const refusal = await refusalOf(trader, { ...batch, message });
    expect(refusal?.code).toBe('invalid_request');
    expect(refusal?.errors.toSorted()).toEqual([
      '/message/deadline',
      '/message/gas',
      '/message/nonce',
    ]);
  });

  test('with a call elsewhere, or of the account’s own execution, is refused', async () => {
    const trader = await createDeposited();
    const foreign = { ...transferTo(rich.account, 1n), to: rich.account };
    const nested = {
      to: trader.account,
      data: encodeFunctionData({
        abi: tradingAccountAbi,
        functionName: 'execute',
        args: [`0x01${'00'.repeat(31)}`, '0x'],
      }),
    };
    expect(await refusalOf(trader, await signBatch(trader, [foreign, nested]))).toEqual({
      code: 'relay_refused',
      errors: ['/message/calls/0', '/message/calls/1'],
    });
  });

  test('deploys no account that nothing was deposited to', async () => {
    const trader = await createPoor();
    const request = await signBatch(trader, [revocationOf(trader)]);
    expect(await refusalOf(trader, request)).toEqual({
      code: 'relay_refused',
      errors: ['/address'],
    });
  });

  test('whose data fee on Base exceeds the day’s budget is refused, with nothing sent', async () => {
    const trader = await createDeposited();
    const test = createTestClient({ mode: 'anvil', transport: http(sandbox().rpcUrl) });
    const bytecode = await chain().getCode({ address: GAS_PRICE_ORACLE });
    await test.setCode({ address: GAS_PRICE_ORACLE, bytecode: oracleOf(parseEther('10')) });
    try {
      const request = await signBatch(trader, [transferTo(rich.wallet.address, 1_000_000n)]);
      expect(await refusalOf(trader, request)).toMatchObject({ code: 'relay_limit_reached' });
    } finally {
      await test.setCode({ address: GAS_PRICE_ORACLE, bytecode: bytecode ?? '0x' });
    }
    expect(await usdcOf(trader.account)).toBe(DEPOSIT_MICROS);
  });

  test('beyond the day’s budget is refused with the time to wait', async () => {
    const trader = await createDeposited();
    for (let sent = 1; sent < MOST_MESSAGES; sent += 1) {
      const request = await signBatch(trader, [transferTo(trader.wallet.address, 1n)]);
      expect(await relay(trader, request)).toMatchObject({ status: 'completed' });
    }
    const { remainingToday } = await trader.api.getRelayTerms(trader.wallet.address);
    expect(remainingToday.messages).toBe(0);
    const request = await signBatch(trader, [transferTo(trader.wallet.address, 1n)]);
    expect(await refusalOf(trader, request)).toMatchObject({ code: 'relay_limit_reached' });
  });
});

describe('given someone else who sends the message first', () => {
  test('it is done, and moves once', { tags: ['long'] }, async () => {
    const trader = await createPoor();
    const deposit = await signDeposit(sandbox(), trader, DEPOSIT_MICROS);
    expect(await relay(trader, deposit)).toMatchObject({ status: 'completed' });
    const request = await signBatch(trader, [transferTo(rich.wallet.address, 5_000_000n)]);
    writeFileSync(join(stack.faultDir, CRASH_FILE), 'chain.before_sign');
    const { relay: stored } = await trader.api.relay(request);
    await sendAsStranger(trader, request);
    const ended = await untilRelayed(trader, stored.id);
    expect(ended).toMatchObject({ status: 'completed', reason: null });
    expect(await usdcOf(trader.account)).toBe(DEPOSIT_MICROS - 5_000_000n);
  });

  test('a deposit is done, too, and moves once', { tags: ['long'] }, async () => {
    const trader = await createPoor();
    const request = await signDeposit(sandbox(), trader, DEPOSIT_MICROS);
    writeFileSync(join(stack.faultDir, CRASH_FILE), 'chain.before_sign');
    const { relay: stored } = await trader.api.relay(request);
    const front = createWalletClient({
      account: rich.wallet,
      chain: base,
      transport: http(sandbox().rpcUrl),
    });
    const hash = await front.writeContract({
      address: sandbox().contracts.usdc,
      abi: parseAbi([TRANSFER_WITH_AUTHORIZATION]),
      functionName: 'transferWithAuthorization',
      args: signedTransferArgs(request.message, request.signature as Hex),
    });
    await chain().waitForTransactionReceipt({ hash });
    const ended = await untilRelayed(trader, stored.id);
    expect(ended).toMatchObject({ status: 'completed', reason: null });
    expect(await usdcOf(trader.account)).toBe(DEPOSIT_MICROS);
    expect(await usdcOf(trader.wallet.address)).toBe(1_000_000n);
  });
});

describe('given a processor that is killed', () => {
  // A stranger's sending above follows a kill as well.
  test.each(['chain.before_sign', 'chain.signed', 'chain.broadcast', 'chain.mined'])(
    'at %s, the deposit arrives once',
    { tags: ['long'], timeout: 90_000 },
    async (point) => {
      const trader = await createPoor();
      writeFileSync(join(stack.faultDir, CRASH_FILE), point);
      const request = await signDeposit(sandbox(), trader, DEPOSIT_MICROS);
      const { relay: stored } = await trader.api.relay(request);
      expect(await untilRelayed(trader, stored.id)).toMatchObject({ status: 'completed' });
      expect(await usdcOf(trader.account)).toBe(DEPOSIT_MICROS);
      const attempts = await stack.query(
        'select count(distinct transaction_id)::int as sent from chain_operations where order_id = $1',
        [stored.id],
      );
      expect(attempts).toEqual([{ sent: 1 }]);
    },
  );
});

test('given a relaying key without gas, messages wait and orders do not', {
  tags: ['long'],
}, async () => {
  const trader = await createDeposited();
  const { transactionHash } = await relay(
    trader,
    await signBatch(trader, [transferTo(trader.wallet.address, 1n)]),
  );
  const { from } = await chain().getTransaction({ hash: transactionHash as Hex });
  const gasMoney = await etherOf(from);
  await stack.faults.setGasMoney(from, 0n);
  const request = await signBatch(trader, [transferTo(rich.wallet.address, 1_000_000n)]);
  const { relay: waiting } = await trader.api.relay(request);
  await giveGrant(trader.api, trader.wallet);
  const order = { ticker, side: 'yes', contracts: '2', quoteLimit: '1.98' } as const;
  const { intent } = await trader.api.createOrder(
    orderBody(sandbox(), trader, { ...order, direction: 'BUY' }),
  );
  expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });
  expect(await trader.api.getRelay(waiting.id)).toMatchObject({
    status: 'pending',
    transactionHash: null,
  });
  await stack.faults.setGasMoney(from, gasMoney);
  expect(await untilRelayed(trader, waiting.id)).toMatchObject({ status: 'completed' });
});

test('given a fork that removes the transaction, it is sent again', async () => {
  const trader = await createPoor();
  const request = await signDeposit(sandbox(), trader, DEPOSIT_MICROS);
  const { transactionHash } = await relay(trader, request);
  const { from } = await chain().getTransaction({ hash: transactionHash as Hex });
  const { blockNumber } = await chain().getTransactionReceipt({ hash: transactionHash as Hex });
  const depth = Number((await chain().getBlockNumber()) - blockNumber) + 1;
  expect(await stack.faults.reorganise(depth, { drop: [from] })).toMatchObject({ dropped: 1 });
  const isThere = async () => (await usdcOf(trader.account)) === DEPOSIT_MICROS || undefined;
  expect(await pollUntil(isThere)).toBe(true);
  expect(await usdcOf(trader.wallet.address)).toBe(1_000_000n);
});
