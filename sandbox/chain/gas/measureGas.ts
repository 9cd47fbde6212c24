import { encodeFunctionData, erc20Abi } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { KEY_KIND } from '#lib/account/sessionKey.ts';
import { generateP256, p256Signer } from '#lib/order/p256Signer.ts';
import { secp256k1Signer } from '#lib/order/secp256k1Signer.ts';
import { ownerIdOfKey } from '#lib/passkey/passkeyWallet.ts';
import { addKeyCall, payUsdcCall, removeOwnerCall } from '#lib/passkey/walletCalls.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { createTestPasskey } from '#sandbox/testing/passkeyWallet.ts';
import { readSessionKey } from '#server/domain/accounts/sessionKey.ts';
import { startChain } from '../startChain.ts';
import { type Bench, openBench } from './bench.ts';
import { type BenchKey, newOwner, type Trader } from './benchAccounts.ts';
import { transferUsdc } from './benchChain.ts';
import {
  relayBatch,
  relayDeposit,
  relayPermit,
  relayWalletBatch,
  signReceiving,
} from './relaying.ts';

const CONTRACT = 1_000_000n;
const TRADERS = 25;

/**
 * Gas per transaction, by name: `gasUsed` of real receipts, intrinsic gas and calldata included, in
 * the steady state (returning traders, non-zero totals) unless the name says otherwise.
 */
export async function measureGas(dataDir: string): Promise<Record<string, number>> {
  const port = await anyFreePort();
  const chain = await startChain({ dataDir, port, allowOrigin: 'http://localhost:3000' });
  try {
    const bench = await openBench(chain.rpcUrl);
    const gas: Record<string, number> = {};
    await measureAccounts(bench, gas);
    await measureBuys(bench, gas);
    await measureSells(bench, gas);
    await measureSessionKeys(bench, gas);
    await measureRest(bench, gas);
    await measureRelay(bench, gas);
    await measurePasskeys(bench, gas);
    return gas;
  } finally {
    await chain.stop();
  }
}

async function measureAccounts(bench: Bench, gas: Record<string, number>) {
  gas['account deployment'] = await bench.accounts.create(newOwner());
  gas['account deployment with a first grant'] = await bench.accounts.createAndGrant(newOwner());
  await bench.accounts.openTraders(TRADERS);
  gas['grant renewal'] = await bench.accounts.renewGrant(bench.accounts.firstTrader(), 1n, {
    withOtherCaps: false,
  });
  gas['grant renewal with other caps'] = await bench.accounts.renewGrant(
    bench.accounts.firstTrader(),
    2n,
    { withOtherCaps: true },
  );
}

async function measureBuys(bench: Bench, gas: Record<string, number>) {
  const trader = bench.accounts.firstTrader();
  const first = bench.orders.order(trader, { isBuy: true });
  gas['request, buy, first of an account'] = await bench.orders.requestFor([first]);
  gas['fill, buy, first holder of a token'] = await bench.orders.fill(
    first,
    first.quantity,
    first.quoteLimit,
  );
  const exact = bench.orders.order(trader, { isBuy: true });
  gas['request, buy, through the grant'] = await bench.orders.requestFor([exact]);
  gas['fill, buy, exact'] = await bench.orders.fill(exact, exact.quantity, exact.quoteLimit);
  const rest = bench.orders.order(trader, { isBuy: true });
  gas['request, buy, by the owner’s batch'] = await bench.orders.requestByOwner(trader, rest);
  gas['fill, buy, returning a rest'] = await bench.orders.fill(rest, CONTRACT, CONTRACT / 4n);
  await measureParts(bench, trader, gas);

  for (const each of bench.accounts.traders) {
    const order = bench.orders.order(each, { isBuy: true });
    await bench.orders.requestFor([order]);
    await bench.orders.fill(order, order.quantity, order.quoteLimit);
  }
  for (const [size, name] of [
    [5, 'five'],
    [TRADERS, 'twenty-five'],
  ] as const) {
    const orders = bench.accounts.traders
      .slice(0, size)
      .map((each) => bench.orders.order(each, { isBuy: true }));
    const requested = await bench.orders.requestFor(orders);
    gas[`request, buy, each in a batch of ${name}`] = Math.ceil(requested / size);
    const filled = await bench.orders.fillBatch(orders);
    gas[`fill, buy, each in a batch of ${name}`] = Math.ceil(filled / size);
  }
  const resting = bench.accounts.traders.map((each) => bench.orders.order(each, { isBuy: true }));
  await bench.orders.requestFor(resting);
  await bench.orders.fillBatch(resting, 1n);
  const parts = await bench.orders.fillBatch(resting, 2n);
  gas['partial fill, buy, each in a batch of twenty-five'] = Math.ceil(parts / TRADERS);
}

/** Base charges 6,900 gas for a check of the P-256 precompile, the local chain half of that. */
const P256_UNDERSTATED = 3_450;

async function measureSessionKeys(bench: Bench, gas: Record<string, number>) {
  const p256 = await p256Signer(await generateP256());
  const secp256k1 = secp256k1Signer(generatePrivateKey());
  const kinds = [
    ['P-256', { named: readSessionKey(p256.sessionKey), signer: p256 }, P256_UNDERSTATED],
    ['secp256k1', { named: readSessionKey(secp256k1.sessionKey), signer: secp256k1 }, 0],
  ] as const;
  for (const [name, key, understated] of kinds) {
    const first = `account deployment with a first grant, ${name} key`;
    gas[first] = await bench.accounts.createAndGrant(newOwner(), key);
    const before = bench.accounts.traders.length;
    await bench.accounts.openTraders(5, key);
    const keyed = bench.accounts.traders.slice(before);
    const [trader] = keyed;
    if (!trader) throw new Error('the bench has no trader');
    const renewal = { withOtherCaps: false, key };
    gas[`grant renewal, ${name} key`] = await bench.accounts.renewGrant(trader, 1n, renewal);
    for (const each of keyed) {
      const order = bench.orders.order(each, { isBuy: true });
      await bench.orders.requestFor([order], key);
      await bench.orders.fill(order, order.quantity, order.quoteLimit);
    }
    const one = await bench.orders.requestFor([bench.orders.order(trader, { isBuy: true })], key);
    gas[`request, buy, signed by a ${name} key`] = one + understated;
    const orders = keyed.map((each) => bench.orders.order(each, { isBuy: true }));
    const all = await bench.orders.requestFor(orders, key);
    gas[`request, buy, signed by a ${name} key, each of five`] =
      Math.ceil(all / orders.length) + understated;
    await measureFurtherKey(bench, trader, gas, { name, key, understated });
  }
}

/** A second device of the same permission, which the owner adds by a relayed batch. */
async function measureFurtherKey(
  bench: Bench,
  trader: Trader,
  gas: Record<string, number>,
  { name, key, understated }: { name: string; key: BenchKey; understated: number },
) {
  const { keyKind } = key.named;
  const signer =
    keyKind === KEY_KIND.p256
      ? await p256Signer(await generateP256())
      : secp256k1Signer(generatePrivateKey());
  const further = { named: readSessionKey(signer.sessionKey), signer };
  const args = [1n, keyKind, further.named.key] as const;
  const addition = {
    to: trader.account,
    data: encodeFunctionData({ abi: tradingAccountAbi, functionName: 'addSessionKey', args }),
  };
  const removal = {
    to: trader.account,
    data: encodeFunctionData({
      abi: tradingAccountAbi,
      functionName: 'removeSessionKey',
      args: [1n, further.named.key],
    }),
  };
  const added = await relayBatch(bench.relayer, trader, 0, [addition]);
  gas[`relayed batch, first of an account, adding a ${name} key`] = added;
  const one = await bench.orders.requestFor([bench.orders.order(trader, { isBuy: true })], further);
  gas[`request, buy, signed by a further ${name} key`] = one + understated;
  gas[`relayed batch, removing a ${name} key`] = await relayBatch(bench.relayer, trader, 1, [
    removal,
  ]);
}

async function measureParts(bench: Bench, trader: Trader, gas: Record<string, number>) {
  const resting = bench.orders.order(trader, { isBuy: true });
  await bench.orders.requestFor([resting]);
  gas['partial fill, buy, first of an order'] = await bench.orders.fill(
    resting,
    CONTRACT,
    CONTRACT / 4n,
    false,
  );
  gas['partial fill, buy'] = await bench.orders.fill(resting, 2n * CONTRACT, CONTRACT / 2n, false);
  gas['last fill, buy, returning a rest'] = await bench.orders.fill(
    resting,
    3n * CONTRACT,
    (3n * CONTRACT) / 4n,
  );
  const ended = bench.orders.order(trader, { isBuy: true });
  await bench.orders.requestFor([ended]);
  gas['request of the end, through the account'] = await bench.orders.requestEnd(trader, ended);
  gas['refund, buy, after a request of the end'] = await bench.orders.refund(ended);
}

async function measureSells(bench: Bench, gas: Record<string, number>) {
  const trader = bench.accounts.firstTrader();
  await bench.orders.warmEscrow(bench.accounts.traders.at(-1) ?? trader);
  const whole = bench.orders.order(trader, { isBuy: false });
  gas['request, sell, through the grant'] = await bench.orders.requestFor([whole]);
  gas['fill, sell, whole'] = await bench.orders.fill(whole, whole.quantity, whole.quoteLimit);
  const part = bench.orders.order(trader, { isBuy: false });
  await bench.orders.requestFor([part]);
  gas['fill, sell, returning a rest'] = await bench.orders.fill(part, CONTRACT, CONTRACT);
}

async function measureRest(bench: Bench, gas: Record<string, number>) {
  const trader = bench.accounts.firstTrader();
  const order = bench.orders.order(trader, { isBuy: true });
  await bench.orders.requestFor([order]);
  gas['refund, buy'] = await bench.orders.refund(order);
  gas['transfer of USDC'] = await transferUsdc(bench.chain);
  gas['withdrawal of USDC'] = await bench.accounts.withdraw(trader);
  gas['registration of a market'] = await bench.settlement.register();
  gas['settlement proposal'] = await bench.settlement.propose();
  await bench.settlement.warm();
  gas.settlement = await bench.settlement.finalize();
  gas['redemption of a part of a balance'] = await bench.settlement.redeem(trader, CONTRACT);
  gas['redemption of a whole balance'] = await bench.settlement.redeem(trader);
  await bench.orders.buyPairs(trader);
  await bench.orders.buyPairs(trader, trader.owner.address);
  // The wallet has USDC afterwards, as one in use has.
  await bench.settlement.merge(trader, CONTRACT);
  gas['merge of pairs, by a plain wallet'] = await bench.settlement.merge(trader, CONTRACT);
  gas['merge of pairs, by the owner’s batch'] = await bench.settlement.mergeByBatch(
    trader,
    CONTRACT,
  );
  await bench.settlement.sweepEarnings();
  gas['merge of pairs, by the owner’s batch, paid by the treasury'] =
    await bench.settlement.mergeByBatch(trader, CONTRACT);
}

/** What owners sign and others send. */
async function measureRelay(bench: Bench, gas: Record<string, number>) {
  const owner = newOwner();
  const trader = { owner, account: await bench.accounts.addressOf(owner) };
  await bench.chain.mint(trader.account);
  const { usdc } = bench.chain.contracts;
  const args = [usdc, 1_000_000n] as const;
  const payment = {
    to: usdc,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  };
  const revocation = {
    to: trader.account,
    data: encodeFunctionData({ abi: tradingAccountAbi, functionName: 'revoke' }),
  };
  gas['relayed batch, first of an account, with its deployment'] = await relayBatch(
    bench.relayer,
    trader,
    0,
    [payment],
  );
  await relayBatch(bench.relayer, trader, 1, [payment]);
  gas['relayed batch, transfer of USDC'] = await relayBatch(bench.relayer, trader, 2, [payment]);
  await relayBatch(bench.relayer, trader, 3, [revocation]);
  gas['relayed batch, revocation'] = await relayBatch(bench.relayer, trader, 4, [revocation]);
  await bench.chain.mint(owner.address);
  await relayDeposit(bench.relayer, trader);
  gas['relayed deposit'] = await relayDeposit(bench.relayer, trader);
  await relayPermit(bench.relayer, trader, 0);
  gas['relayed deposit by permit'] = await relayPermit(bench.relayer, trader, 1);
  const together = 'relayed batch, first of an account: deposit, deployment and order';
  gas[together] = await relayFirstOrder(bench);
  const first = bench.accounts.firstTrader();
  await relayBatch(bench.relayer, first, 0, [bench.settlement.mergeCall(CONTRACT / 4n)]);
  gas['merge of pairs, by a relayed batch, paid by the treasury'] = await relayBatch(
    bench.relayer,
    first,
    1,
    [bench.settlement.mergeCall(CONTRACT / 4n)],
  );
}

/** An empty wallet but for USDC deposits, deploys its account and orders, all in one. */
async function relayFirstOrder({ chain, accounts, orders, relayer }: Bench): Promise<number> {
  const owner = newOwner();
  const trader = { owner, account: await accounts.addressOf(owner) };
  await chain.mint(owner.address);
  const calls = [await signReceiving(relayer, trader), ...orders.firstOrderCalls(trader)];
  return await relayBatch(relayer, trader, 0, calls);
}

/** Relayed like any owner's; each signature is one check of the P-256 precompile. */
async function measurePasskeys(bench: Bench, gas: Record<string, number>) {
  const { usdc, passkeyFactory } = bench.chain.contracts;
  const site = { factory: passkeyFactory, origin: 'http://localhost' };
  const passkey = createTestPasskey(site);
  const second = createTestPasskey(site, passkey.publicKey);
  const wallet = passkey.wallet.address;
  const trader = { owner: passkey.wallet, account: await bench.accounts.addressOf(passkey.wallet) };
  await bench.chain.mint(trader.account);
  const payment = payUsdcCall(usdc, usdc, 1_000_000n);
  const measured = {
    'relayed batch of a passkey, first of an account, with wallet and account': await relayBatch(
      bench.relayer,
      trader,
      0,
      [payment],
    ),
    'relayed batch of a passkey, transfer of USDC': await relayBatch(bench.relayer, trader, 1, [
      payment,
    ]),
    'relayed addition of a second passkey': await relayWalletBatch(bench.relayer, passkey, 0, [
      addKeyCall(wallet, second.publicKey),
    ]),
    'relayed removal of a passkey': await relayWalletBatch(bench.relayer, second, 1, [
      removeOwnerCall(wallet, ownerIdOfKey(passkey.publicKey)),
    ]),
  };
  for (const [name, used] of Object.entries(measured)) gas[name] = used + P256_UNDERSTATED;
}
