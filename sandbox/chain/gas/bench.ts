import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  maxUint256,
  parseEther,
  publicActions,
  toBytes,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { type GrantKey, NO_SESSION_KEY } from '#lib/account/sessionKey.ts';
import { orderDigest } from '#lib/order/orderToSign.ts';
import type { OrderSigner } from '#lib/order/signOrder.ts';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import type { TestPasskey } from '#sandbox/testing/passkeyWallet.ts';
import { orderMessage } from '#server/chain/vaultOrder.ts';
import { prepareSandboxChain } from '../prepareSandboxChain.ts';
import {
  relayBatch,
  relayDeposit,
  relayPermit,
  relayWalletBatch,
  type SignedCall,
  signReceiving,
} from './relaying.ts';

const TICKER = 'KXGAS-26DEC31-T1';
/** Stays open when the other one is settled. */
const OPEN_TICKER = 'KXGAS-26DEC31-T2';
const BATCH_MODE = `0x01${'00'.repeat(31)}` as const;
const QUANTITY = 4_000_000n;
const BENCH_GAS = 15_000_000n;

export type Trader = { owner: PrivateKeyAccount; account: Hex };

/** A session key: what a grant names, and what signs. */
export type BenchKey = { named: GrantKey; signer: OrderSigner };

export type BenchOrder = {
  account: Hex;
  receiver: Hex;
  marketKey: Hex;
  outcome: number;
  isBuy: boolean;
  quantity: bigint;
  quoteLimit: bigint;
  expiry: bigint;
  clientRef: Hex;
  salt: bigint;
};

export type Bench = Awaited<ReturnType<typeof openBench>>;

/** A prepared chain and one function per transaction; each returns the gas in its receipt. */
export async function openBench(rpcUrl: string) {
  const keys = {
    operators: [generatePrivateKey()],
    attestor: generatePrivateKey(),
    resolver: generatePrivateKey(),
    admin: generatePrivateKey(),
    treasury: generatePrivateKey(),
    faucet: generatePrivateKey(),
  };
  const { contracts } = await prepareSandboxChain({
    rpcUrl,
    keys,
    tokenUriBase: 'http://localhost:3000',
  });
  const chain = {
    client: createPublicClient({ transport: http(rpcUrl), pollingInterval: 10, cacheTime: 0 }),
    test: createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions),
    rpcUrl,
  };
  const [operatorKey] = keys.operators;
  if (!operatorKey) throw new Error('no operator key');
  const operator = privateKeyToAccount(operatorKey);
  const send = (from: PrivateKeyAccount, to: Hex, data: Hex) =>
    sendAndMeasure(chain, from, to, data);
  const vault = (from: PrivateKeyAccount, data: Hex) => send(from, contracts.swapVault, data);
  const settlement = (from: PrivateKeyAccount, data: Hex) => send(from, contracts.settlement, data);
  const attestor = privateKeyToAccount(keys.attestor);
  const resolver = privateKeyToAccount(keys.resolver);
  const faucet = privateKeyToAccount(keys.faucet);
  const [marketKey, openMarketKey] = [keccak256(toBytes(TICKER)), keccak256(toBytes(OPEN_TICKER))];
  const traders: Trader[] = [];
  let salt = 0n;
  const addressOf = (owner: { address: Hex }) =>
    chain.client.readContract({
      address: contracts.accountFactory,
      abi: tradingAccountFactoryAbi,
      functionName: 'addressOf',
      args: [owner.address],
    });
  const attest = (...tokenIds: bigint[]) =>
    vault(
      attestor,
      encodeFunctionData({
        abi: swapVaultAbi,
        functionName: 'attestBacking',
        args: [tokenIds.map((tokenId) => ({ tokenId, bought: 1_000_000_000n, floor: 250_000 }))],
      }),
    );
  const createAndGrant = async (owner: PrivateKeyAccount, key?: BenchKey) => {
    const account = await addressOf(owner);
    const grant = grantFor(contracts.swapVault, 0n, key);
    const args = [owner.address, grant, await signGrant(owner, account, grant)] as const;
    return send(
      operator,
      contracts.accountFactory,
      encodeFunctionData({ abi: tradingAccountFactoryAbi, functionName: 'createAndGrant', args }),
    );
  };
  const mint = (to: Hex) =>
    send(
      faucet,
      contracts.usdc,
      encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [to, 1_000_000_000n] }),
    );
  const requestFor = async (orders: BenchOrder[], key?: BenchKey) => {
    const signatures = await Promise.all(
      orders.map(async (each): Promise<Hex> => {
        return key ? await key.signer.signDigest(orderDigest(8453, orderMessage(each))) : '0x';
      }),
    );
    const args = [orders, signatures] as const;
    const data = encodeFunctionData({ abi: swapVaultAbi, functionName: 'requestFor', args });
    return vault(operator, data);
  };
  const order = (trader: Trader, { isBuy }: { isBuy: boolean }): BenchOrder => {
    salt += 1n;
    return {
      account: trader.account,
      receiver: trader.account,
      marketKey,
      outcome: 0,
      isBuy,
      quantity: isBuy ? QUANTITY : QUANTITY / 2n,
      quoteLimit: QUANTITY / 4n,
      expiry: BigInt(Math.floor(Date.now() / 1000) + 3_600),
      clientRef: keccak256(toBytes(`reference ${salt}`)),
      salt: BigInt(keccak256(toBytes(`salt ${salt}`))) >> 128n,
    };
  };
  /** To these totals; a last fill ends the order. */
  const fill = (placed: BenchOrder, filledTotal: bigint, quoteTotal: bigint, isLast = true) =>
    vault(
      operator,
      encodeFunctionData({
        abi: swapVaultAbi,
        functionName: 'fill',
        args: [{ order: placed, filledTotal, quoteTotal, isLast }],
      }),
    );
  return {
    traders,
    order,
    requestFor,
    createAndGrant,
    newOwner: () => privateKeyToAccount(generatePrivateKey()),
    createAccount: (owner: PrivateKeyAccount) =>
      send(
        operator,
        contracts.accountFactory,
        encodeFunctionData({
          abi: tradingAccountFactoryAbi,
          functionName: 'createAccount',
          args: [owner.address],
        }),
      ),
    /** Owners with granted, funded accounts. */
    openTraders: async (count: number, key?: BenchKey) => {
      await attest(outcomeTokenId(TICKER, 'yes'));
      for (let index = 0; index < count; index += 1) {
        const owner = privateKeyToAccount(generatePrivateKey());
        await chain.test.setBalance({ address: owner.address, value: parseEther('1') });
        await createAndGrant(owner, key);
        const account = await addressOf(owner);
        await mint(account);
        traders.push({ owner, account });
      }
    },
    /** Renews the first trader's grant, with other caps if they are given. */
    renewGrant: async (
      nonce: bigint,
      { withOtherCaps, key }: { withOtherCaps: boolean; key?: BenchKey },
      trader = traders[0],
    ) => {
      if (!trader) throw new Error('no trader');
      const first = grantFor(contracts.swapVault, nonce, key);
      // A different expiry than the last grant's: an equal one would save a storage write.
      const validUntil = first.validUntil + 86_400 * Number(nonce);
      const maxPerOrder = withOtherCaps ? first.maxPerOrder + 1_000_000n : first.maxPerOrder;
      const grant = { ...first, validUntil, maxPerOrder };
      const signature = await signGrant(trader.owner, trader.account, grant);
      return send(
        operator,
        trader.account,
        encodeFunctionData({
          abi: tradingAccountAbi,
          functionName: 'setGrant',
          args: [grant, signature],
        }),
      );
    },
    requestByOwner: (placed: BenchOrder) => {
      const trader = traders.find((each) => each.account === placed.account);
      if (!trader) throw new Error('no trader');
      return send(trader.owner, trader.account, ownerBatch(contracts, placed));
    },
    fill,
    /** Each of the orders to `part` quarters of it; the fourth ends it. */
    fillBatch: (orders: BenchOrder[], part = 4n) =>
      vault(
        operator,
        encodeFunctionData({
          abi: swapVaultAbi,
          functionName: 'fillBatch',
          args: [
            orders.map((each) => ({
              order: each,
              filledTotal: (each.quantity * part) / 4n,
              quoteTotal: (each.quoteLimit * part) / 4n,
              isLast: part === 4n,
            })),
          ],
        }),
      ),
    /** By the account’s owner. */
    requestEnd: (trader: Trader, order: BenchOrder) =>
      send(
        trader.owner,
        trader.account,
        batch([
          [
            contracts.swapVault,
            0n,
            encodeFunctionData({ abi: swapVaultAbi, functionName: 'requestEnd', args: [order] }),
          ],
        ]),
      ),
    /** Leaves tokens in escrow, as a vault in use always has. */
    warmEscrow: async () => {
      const last = traders.at(-1);
      if (!last) throw new Error('no trader');
      await requestFor([order(last, { isBuy: false })]);
    },
    /** Leaves collateral unredeemed, as a settlement in use always has. */
    warmSettlement: () => mint(contracts.settlement),
    /** What a trader signs, sent by another: these calls of the account. */
    relayWalletBatch: (passkey: TestPasskey, nonce: number, calls: SignedCall[]) =>
      relayWalletBatch(
        { contracts, send: (to, data) => send(operator, to, data) },
        passkey,
        nonce,
        calls,
      ),

    relayBatch: (trader: Parameters<typeof relayBatch>[1], nonce: number, calls: SignedCall[]) =>
      relayBatch({ contracts, send: (to, data) => send(operator, to, data) }, trader, nonce, calls),
    /** A deposit from the owner's wallet, which it signs. */
    relayDeposit: async (trader: Trader) => {
      await mint(trader.owner.address);
      const sender = { contracts, send: (to: Hex, data: Hex) => send(operator, to, data) };
      return await relayDeposit(sender, trader);
    },
    relayPermit: (trader: Trader, nonce: number) =>
      relayPermit({ contracts, send: (to, data) => send(operator, to, data) }, trader, nonce),
    /** An empty wallet but for USDC deposits, deploys its account and orders, all in one. */
    relayFirstOrder: async (owner: PrivateKeyAccount) => {
      const trader = { owner, account: await addressOf(owner) };
      await mint(owner.address);
      const placed = { ...order(trader, { isBuy: true }), marketKey: openMarketKey };
      const calls = [await signReceiving({ contracts }, trader), ...ownerCalls(contracts, placed)];
      return relayBatch(
        { contracts, send: (to, data) => send(operator, to, data) },
        trader,
        0,
        calls,
      );
    },
    /** The account's merge, for its owner to sign. */
    mergeCall: (amount: bigint): SignedCall => ({
      to: contracts.settlement,
      data: mergeData(openMarketKey, amount),
    }),
    contracts,
    mint,
    accountOf: addressOf,
    /** Between two funded addresses, as a measure of USDC itself. */
    transferUsdc: async () => {
      const holder = privateKeyToAccount(generatePrivateKey());
      await chain.test.setBalance({ address: holder.address, value: parseEther('1') });
      await mint(holder.address);
      await mint(operator.address);
      const args = [operator.address, 1_000_000n] as const;
      const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'transfer', args });
      return send(holder, contracts.usdc, data);
    },
    refund: (refunded: BenchOrder) =>
      vault(
        operator,
        encodeFunctionData({ abi: swapVaultAbi, functionName: 'refund', args: [refunded] }),
      ),
    withdraw: (trader: Trader) =>
      send(
        operator,
        trader.account,
        encodeFunctionData({
          abi: tradingAccountAbi,
          functionName: 'operatorWithdraw',
          args: [contracts.usdc, 0n, 1_000_000n, operator.address, keccak256('0x02')],
        }),
      ),
    register: () =>
      settlement(
        attestor,
        encodeFunctionData({ abi: settlementAbi, functionName: 'registerMarket', args: [TICKER] }),
      ),
    propose: () =>
      settlement(
        resolver,
        encodeFunctionData({
          abi: settlementAbi,
          functionName: 'proposeSettlement',
          args: [marketKey, 1_000_000n, 0n],
        }),
      ),
    finalize: async () => {
      await chain.test.increaseTime({ seconds: 10 });
      await chain.test.mine({ blocks: 1 });
      return settlement(
        operator,
        encodeFunctionData({
          abi: settlementAbi,
          functionName: 'finalizeSettlement',
          args: [marketKey],
        }),
      );
    },
    redeem: (trader: Trader, amount: bigint = maxUint256) =>
      settlement(
        operator,
        encodeFunctionData({
          abi: settlementAbi,
          functionName: 'redeem',
          args: [trader.account, marketKey, 0, amount],
        }),
      ),
    /** Contracts of both sides of a market that is not settled, for the account or its owner. */
    buyPairs: async (trader: Trader, receiver: Hex = trader.account) => {
      await attest(outcomeTokenId(OPEN_TICKER, 'yes'), outcomeTokenId(OPEN_TICKER, 'no'));
      for (const outcome of [0, 1]) {
        const common = { ...order(trader, { isBuy: true }), marketKey: openMarketKey };
        const placed = { ...common, receiver, outcome };
        await requestFor([placed]);
        await fill(placed, placed.quantity, placed.quoteLimit);
      }
    },
    /** By a plain wallet, of its own. */
    merge: (trader: Trader, amount: bigint) =>
      settlement(trader.owner, mergeData(openMarketKey, amount)),
    mergeByBatch: (trader: Trader, amount: bigint) => {
      const data = mergeData(openMarketKey, amount);
      return send(trader.owner, trader.account, batch([[contracts.settlement, 0n, data]]));
    },
    /** Takes all earnings out of the vault. */
    sweep: async () => {
      const accrued = { address: contracts.swapVault, abi: swapVaultAbi } as const;
      const args = [
        await chain.client.readContract({ ...accrued, functionName: 'accrued' }),
      ] as const;
      const data = encodeFunctionData({ abi: swapVaultAbi, functionName: 'sweep', args });
      return vault(privateKeyToAccount(keys.treasury), data);
    },
  };
}

function mergeData(marketKey: Hex, amount: bigint): Hex {
  const args = [marketKey, amount] as const;
  return encodeFunctionData({ abi: settlementAbi, functionName: 'merge', args });
}

function ownerBatch(contracts: { usdc: Hex; swapVault: Hex }, order: BenchOrder): Hex {
  return batch(ownerCalls(contracts, order).map(({ to, data }) => [to, 0n, data]));
}

function ownerCalls(contracts: { usdc: Hex; swapVault: Hex }, order: BenchOrder): SignedCall[] {
  const approve = encodeFunctionData({
    abi: testUsdcAbi,
    functionName: 'approve',
    args: [contracts.swapVault, order.quoteLimit],
  });
  const request = encodeFunctionData({ abi: swapVaultAbi, functionName: 'request', args: [order] });
  return [
    { to: contracts.usdc, data: approve },
    { to: contracts.swapVault, data: request },
  ];
}

/** The owner’s own call of its account. */
function batch(calls: [to: Hex, value: bigint, data: Hex][]): Hex {
  const tuple = [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }] as const;
  const encoded = encodeAbiParameters([{ type: 'tuple[]', components: tuple }], [calls]);
  return encodeFunctionData({
    abi: tradingAccountAbi,
    functionName: 'execute',
    args: [BATCH_MODE, encoded],
  });
}

function grantFor(operator: Hex, nonce: bigint, key?: BenchKey) {
  return {
    operator,
    validUntil: Math.floor(Date.now() / 1000) + 30 * 86_400,
    withdrawAnywhere: key === undefined,
    maxPerOrder: 500_000_000n,
    maxPerDay: 5_000_000_000n,
    maxWithdrawPerDay: 1_000_000_000n,
    nonce,
    ...(key?.named ?? NO_SESSION_KEY),
  };
}

function signGrant(owner: PrivateKeyAccount, account: Hex, grant: ReturnType<typeof grantFor>) {
  return owner.signTypedData({
    domain: { name: 'Crossbook Account', version: '1', chainId: 8453, verifyingContract: account },
    primaryType: 'Grant',
    types: {
      Grant: [
        { name: 'operator', type: 'address' },
        { name: 'validUntil', type: 'uint48' },
        { name: 'withdrawAnywhere', type: 'bool' },
        { name: 'maxPerOrder', type: 'uint64' },
        { name: 'maxPerDay', type: 'uint64' },
        { name: 'maxWithdrawPerDay', type: 'uint64' },
        { name: 'nonce', type: 'uint64' },
        { name: 'keyKind', type: 'uint8' },
        { name: 'key', type: 'bytes32' },
      ],
    },
    message: grant,
  });
}

async function sendAndMeasure(
  chain: { client: ReturnType<typeof createPublicClient>; rpcUrl: string },
  from: PrivateKeyAccount,
  to: Hex,
  data: Hex,
): Promise<number> {
  const wallet = createWalletClient({ account: from, transport: http(chain.rpcUrl) });
  // An estimate may be of the second before, in which an attestation costs less.
  const hash = await wallet.sendTransaction({ chain: null, to, data, gas: BENCH_GAS });
  // viem looks for a receipt once per block, and no other block follows here.
  const receipt = await pollUntil(
    () => chain.client.getTransactionReceipt({ hash }).catch(() => undefined),
    { timeoutMs: 30_000, everyMs: 5 },
  );
  if (receipt?.status !== 'success') throw new Error(`transaction ${hash} was reverted`);
  return Number(receipt.gasUsed);
}
