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
import { type Bench, type BenchKey, openBench, type Trader } from './bench.ts';

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
  gas['account deployment'] = await bench.createAccount(bench.newOwner());
  gas['account deployment with a first grant'] = await bench.createAndGrant(bench.newOwner());
  await bench.openTraders(TRADERS);
  gas['grant renewal'] = await bench.renewGrant(1n, { withOtherCaps: false });
  gas['grant renewal with other caps'] = await bench.renewGrant(2n, { withOtherCaps: true });
}

async function measureBuys(bench: Bench, gas: Record<string, number>) {
  const [trader] = bench.traders;
  if (!trader) throw new Error('the bench has no trader');
  const first = bench.order(trader, { isBuy: true });
  gas['request, buy, first of an account'] = await bench.requestFor([first]);
  gas['fill, buy, first holder of a token'] = await bench.fill(
    first,
    first.quantity,
    first.quoteLimit,
  );
  const exact = bench.order(trader, { isBuy: true });
  gas['request, buy, through the grant'] = await bench.requestFor([exact]);
  gas['fill, buy, exact'] = await bench.fill(exact, exact.quantity, exact.quoteLimit);
  const rest = bench.order(trader, { isBuy: true });
  gas['request, buy, by the owner’s batch'] = await bench.requestByOwner(rest);
  gas['fill, buy, returning a rest'] = await bench.fill(rest, CONTRACT, CONTRACT / 4n);
  await measureParts(bench, trader, gas);

  for (const each of bench.traders) {
    const order = bench.order(each, { isBuy: true });
    await bench.requestFor([order]);
    await bench.fill(order, order.quantity, order.quoteLimit);
  }
  for (const [size, name] of [
    [5, 'five'],
    [TRADERS, 'twenty-five'],
  ] as const) {
    const orders = bench.traders.slice(0, size).map((each) => bench.order(each, { isBuy: true }));
    const requested = await bench.requestFor(orders);
    gas[`request, buy, each in a batch of ${name}`] = Math.ceil(requested / size);
    const filled = await bench.fillBatch(orders);
    gas[`fill, buy, each in a batch of ${name}`] = Math.ceil(filled / size);
  }
  const resting = bench.traders.map((each) => bench.order(each, { isBuy: true }));
  await bench.requestFor(resting);
  await bench.fillBatch(resting, 1n);
  const parts = await bench.fillBatch(resting, 2n);
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
    gas[first] = await bench.createAndGrant(bench.newOwner(), key);
    const before = bench.traders.length;
    await bench.openTraders(5, key);
    const keyed = bench.traders.slice(before);
    const [trader] = keyed;
    if (!trader) throw new Error('the bench has no trader');
    const renewal = { withOtherCaps: false, key };
    gas[`grant renewal, ${name} key`] = await bench.renewGrant(1n, renewal, trader);
    for (const each of keyed) {
      const order = bench.order(each, { isBuy: true });
      await bench.requestFor([order], key);
      await bench.fill(order, order.quantity, order.quoteLimit);
    }
    const one = await bench.requestFor([bench.order(trader, { isBuy: true })], key);
    gas[`request, buy, signed by a ${name} key`] = one + understated;
    const orders = keyed.map((each) => bench.order(each, { isBuy: true }));
    const all = await bench.requestFor(orders, key);
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
  const added = await bench.relayBatch(trader, 0, [addition]);
  gas[`relayed batch, first of an account, adding a ${name} key`] = added;
  const one = await bench.requestFor([bench.order(trader, { isBuy: true })], further);
  gas[`request, buy, signed by a further ${name} key`] = one + understated;
  gas[`relayed batch, removing a ${name} key`] = await bench.relayBatch(trader, 1, [removal]);
}

async function measureParts(bench: Bench, trader: Trader, gas: Record<string, number>) {
  const resting = bench.order(trader, { isBuy: true });
  await bench.requestFor([resting]);
  gas['partial fill, buy, first of an order'] = await bench.fill(
    resting,
    CONTRACT,
    CONTRACT / 4n,
    false,
  );
  gas['partial fill, buy'] = await bench.fill(resting, 2n * CONTRACT, CONTRACT / 2n, false);
  gas['last fill, buy, returning a rest'] = await bench.fill(
    resting,
    3n * CONTRACT,
    (3n * CONTRACT) / 4n,
  );
  const ended = bench.order(trader, { isBuy: true });
  await bench.requestFor([ended]);
  gas['request of the end, through the account'] = await bench.requestEnd(trader, ended);
  gas['refund, buy, after a request of the end'] = await bench.refund(ended);
}

async function measureSells(bench: Bench, gas: Record<string, number>) {
  const [trader] = bench.traders;
  if (!trader) throw new Error('the bench has no trader');
  await bench.warmEscrow();
  const whole = bench.order(trader, { isBuy: false });
  gas['request, sell, through the grant'] = await bench.requestFor([whole]);
  gas['fill, sell, whole'] = await bench.fill(whole, whole.quantity, whole.quoteLimit);
  const part = bench.order(trader, { isBuy: false });
  await bench.requestFor([part]);
  gas['fill, sell, returning a rest'] = await bench.fill(part, CONTRACT, CONTRACT);
}

async function measureRest(bench: Bench, gas: Record<string, number>) {
  const [trader] = bench.traders;
  if (!trader) throw new Error('the bench has no trader');
  const order = bench.order(trader, { isBuy: true });
  await bench.requestFor([order]);
  gas['refund, buy'] = await bench.refund(order);
  gas['transfer of USDC'] = await bench.transferUsdc();
  gas['withdrawal of USDC'] = await bench.withdraw(trader);
  gas['registration of a market'] = await bench.register();
  gas['settlement proposal'] = await bench.propose();
  await bench.warmSettlement();
  gas.settlement = await bench.finalize();
  gas['redemption of a part of a balance'] = await bench.redeem(trader, CONTRACT);
  gas['redemption of a whole balance'] = await bench.redeem(trader);
  await bench.buyPairs(trader);
  await bench.buyPairs(trader, trader.owner.address);
  // The wallet has USDC afterwards, as one in use has.
  await bench.merge(trader, CONTRACT);
  gas['merge of pairs, by a plain wallet'] = await bench.merge(trader, CONTRACT);
  gas['merge of pairs, by the owner’s batch'] = await bench.mergeByBatch(trader, CONTRACT);
  await bench.sweep();
  gas['merge of pairs, by the owner’s batch, paid by the treasury'] = await bench.mergeByBatch(
    trader,
    CONTRACT,
  );
}

/** What owners sign and others send. */
async function measureRelay(bench: Bench, gas: Record<string, number>) {
  const owner = bench.newOwner();
  const trader = { owner, account: await bench.accountOf(owner) };
  await bench.mint(trader.account);
  const { usdc } = bench.contracts;
  const args = [usdc, 1_000_000n] as const;
  const payment = {
    to: usdc,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  };
  const revocation = {
    to: trader.account,
    data: encodeFunctionData({ abi: tradingAccountAbi, functionName: 'revoke' }),
  };
  gas['relayed batch, first of an account, with its deployment'] = await bench.relayBatch(
    trader,
    0,
    [payment],
  );
  await bench.relayBatch(trader, 1, [payment]);
  gas['relayed batch, transfer of USDC'] = await bench.relayBatch(trader, 2, [payment]);
  await bench.relayBatch(trader, 3, [revocation]);
  gas['relayed batch, revocation'] = await bench.relayBatch(trader, 4, [revocation]);
  await bench.relayDeposit(trader);
  gas['relayed deposit'] = await bench.relayDeposit(trader);
  await bench.relayPermit(trader, 0);
  gas['relayed deposit by permit'] = await bench.relayPermit(trader, 1);
  const together = 'relayed batch, first of an account: deposit, deployment and order';
  gas[together] = await bench.relayFirstOrder(bench.newOwner());
  const [first] = bench.traders;
  if (!first) throw new Error('the bench has no trader');
  await bench.relayBatch(first, 0, [bench.mergeCall(CONTRACT / 4n)]);
  gas['merge of pairs, by a relayed batch, paid by the treasury'] = await bench.relayBatch(
    first,
    1,
    [bench.mergeCall(CONTRACT / 4n)],
  );
}

/** Relayed like any owner's; each signature is one check of the P-256 precompile. */
async function measurePasskeys(bench: Bench, gas: Record<string, number>) {
  const { usdc, passkeyFactory } = bench.contracts;
  const site = { factory: passkeyFactory, origin: 'http://localhost' };
  const passkey = createTestPasskey(site);
  const second = createTestPasskey(site, passkey.publicKey);
  const wallet = passkey.wallet.address;
  const trader = { owner: passkey.wallet, account: await bench.accountOf(passkey.wallet) };
  await bench.mint(trader.account);
  const payment = payUsdcCall(usdc, usdc, 1_000_000n);
  const measured = {
    'relayed batch of a passkey, first of an account, with wallet and account':
      await bench.relayBatch(trader, 0, [payment]),
    'relayed batch of a passkey, transfer of USDC': await bench.relayBatch(trader, 1, [payment]),
    'relayed addition of a second passkey': await bench.relayWalletBatch(passkey, 0, [
      addKeyCall(wallet, second.publicKey),
    ]),
    'relayed removal of a passkey': await bench.relayWalletBatch(second, 1, [
      removeOwnerCall(wallet, ownerIdOfKey(passkey.publicKey)),
    ]),
  };
  for (const [name, used] of Object.entries(measured)) gas[name] = used + P256_UNDERSTATED;
}
