import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicClient, type Hex, http, keccak256, zeroAddress } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { base } from '#lib/chains.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { type ChainFaultControl, controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import { type ChainGate, openChainGate } from './chainGate.ts';
import { type RunningChain, startChain } from './startChain.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-faults-'));
const PHRASE = 'test test test test test test test test test test test junk';
const [anna, bert] = [0, 1].map((addressIndex) => mnemonicToAccount(PHRASE, { addressIndex }));
let gate: ChainGate;
let chain: RunningChain;
let faults: ChainFaultControl;

function reader() {
  return createPublicClient({
    chain: base,
    transport: http(gate.url, { retryCount: 0 }),
    cacheTime: 0,
  });
}

async function sign(account = anna, maxFeePerGas = 10n ** 11n): Promise<Hex> {
  if (!account) throw new Error('no such account');
  const nonce = await reader().getTransactionCount({ address: account.address });
  return await account.signTransaction({
    type: 'eip1559',
    chainId: base.id,
    nonce,
    to: account.address,
    gas: 21_000n,
    maxFeePerGas,
    maxPriorityFeePerGas: 1n,
  });
}

const send = (raw: Hex) => reader().sendRawTransaction({ serializedTransaction: raw });

async function mined(hash: Hex): Promise<bigint> {
  const receipt = await reader().waitForTransactionReceipt({ hash, pollingInterval: 10 });
  return receipt.blockNumber;
}

async function isKnown(hash: Hex): Promise<boolean> {
  const found = await reader().request({ method: 'eth_getTransactionByHash', params: [hash] });
  return found !== null;
}

beforeAll(async () => {
  gate = await openChainGate({ port: 0, journalFile: join(dataDir, 'journal.jsonl'), dataDir });
  chain = await startChain({
    dataDir,
    port: await anyFreePort(),
    allowOrigin: 'http://localhost:3000',
  });
  await gate.attach(chain.rpcUrl);
  const contracts = {
    usdc: zeroAddress,
    outcomeToken: zeroAddress,
    swapVault: zeroAddress,
    settlement: zeroAddress,
    accountFactory: zeroAddress,
  };
  faults = controlChainFaults({ rpcUrl: gate.url, contracts });
  for (let n = 0; n < 4; n += 1) await mined(await send(await sign()));
});
afterEach(() => faults.clear());
afterAll(async () => {
  await chain?.stop();
  await gate?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('a broadcast', () => {
  test('can be acknowledged and dropped', async () => {
    const raw = await sign();
    await faults.arm('broadcast_dropped');
    expect(await send(raw)).toBe(keccak256(raw));
    expect(await isKnown(keccak256(raw))).toBe(false);
    await mined(await send(raw));
  });

  test.each(['broadcast_error_after', 'broadcast_cut_after'] as const)(
    'can be accepted with the response lost: %s',
    async (kind) => {
      const raw = await sign();
      await faults.arm(kind);
      await expect(send(raw)).rejects.toThrow();
      await mined(keccak256(raw));
    },
  );

  test('can be rejected unread', async () => {
    const raw = await sign();
    await faults.arm('broadcast_error_before');
    await expect(send(raw)).rejects.toThrow();
    expect(await isKnown(keccak256(raw))).toBe(false);
  });

  test('waits while mining is held', async () => {
    await faults.holdMining();
    const hash = await send(await sign());
    const receiptNow = await reader().request({
      method: 'eth_getTransactionReceipt',
      params: [hash],
    });
    expect(receiptNow).toBeNull();
    await faults.releaseMining();
    await mined(hash);
  });

  test('below the base fee is rejected or stays pending', async () => {
    const raw = await sign(anna, 2n * 10n ** 9n);
    await faults.setBaseFee(50n * 10n ** 9n);
    await send(raw).catch(() => undefined);
    await mined(await send(await sign(bert, 10n ** 12n)));
    expect(
      await reader().request({
        method: 'eth_getTransactionReceipt',
        params: [keccak256(raw)],
      }),
    ).toBeNull();
    await faults.setBaseFee(10n ** 9n);
    await faults.mine();
  });
});

describe('a fork', () => {
  test('moves transactions to other blocks and drops those of the named senders', async () => {
    const before = await reader().getBlock();
    const kept = await send(await sign());
    const keptIn = await mined(kept);
    const dropped = await send(await sign(bert));
    await mined(dropped);
    expect(await faults.reorganise(2, { drop: [bert?.address ?? zeroAddress] })).toEqual({
      moved: 1,
      dropped: 1,
    });
    const keptAgainIn = await pollUntil(() => mined(kept), { timeoutMs: 2_000 });
    expect(keptAgainIn).toBeGreaterThan(keptIn);
    expect(await isKnown(dropped)).toBe(false);
    const same = await reader().getBlock({ blockNumber: before.number });
    expect(same.hash).toBe(before.hash);
  });

  test('given heavy traffic, leaves one complete chain', async () => {
    const isOver = new AbortController();
    const busy = [anna, bert].map(async (account) => {
      while (!isOver.signal.aborted) {
        // Signed while the fork holds the sender's latest transaction, it is rejected.
        const hash = await send(await sign(account)).catch(() => undefined);
        if (hash) await mined(hash);
      }
    });
    const making = (async () => {
      while (!isOver.signal.aborted) await faults.mine(1);
    })();
    for (let n = 0; n < 20; n += 1) await faults.reorganise((n % 2) + 1);
    isOver.abort();
    await Promise.all([...busy, making]);
    const head = await reader().getBlockNumber();
    const sent = new Map<string, number>();
    let parent: Hex | undefined;
    for (let blockNumber = 0n; blockNumber <= head; blockNumber += 1n) {
      const block = await reader().getBlock({ blockNumber, includeTransactions: true });
      if (parent) expect(block.parentHash, `block ${blockNumber}`).toBe(parent);
      parent = block.hash;
      for (const { from } of block.transactions) sent.set(from, (sent.get(from) ?? 0) + 1);
    }
    for (const account of [anna, bert]) {
      const address = (account?.address ?? '0x').toLowerCase() as Hex;
      expect(await reader().getTransactionCount({ address })).toBe(sent.get(address) ?? 0);
    }
  });

  test('deeper than the chain is rejected', async () => {
    await expect(faults.reorganise(10_000)).rejects.toThrow(/cannot go back/);
  });
});

describe('a node', () => {
  test('can lag behind on every other request', async () => {
    const newest = await reader().getBlockNumber();
    await faults.lag(2, 2);
    const seen = new Set([await reader().getBlockNumber(), await reader().getBlockNumber()]);
    expect(seen).toEqual(new Set([newest - 2n, newest]));
    await faults.lag(2);
    expect((await reader().getBlock()).number).toBe(newest - 2n);
    await expect(reader().getBlock({ blockNumber: newest })).rejects.toThrow();
  });

  test('can be unavailable for a request', async () => {
    await faults.arm('read_error');
    await expect(reader().getBlockNumber()).rejects.toThrow();
    expect(await reader().getBlockNumber()).toBeGreaterThan(0n);
  });
});

test('given a web page, denies control', async () => {
  const response = await fetch(`${gate.url}/_control/faults`, {
    method: 'POST',
    headers: { origin: 'http://localhost:3000' },
    body: JSON.stringify({ arm: [{ kind: 'read_error', times: 1 }] }),
  });
  expect(response.status).toBe(403);
  expect(await reader().getBlockNumber()).toBeGreaterThan(0n);
});
