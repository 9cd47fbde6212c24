import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicClient, createWalletClient, type Hex, http, parseEther } from 'viem';
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { base } from '#lib/chains.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { type ChainGate, openChainGate } from './chainGate.ts';
import { type RunningChain, startChain } from './startChain.ts';

let dataDir = '';
let gate: ChainGate;
let chain: RunningChain | undefined;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'crossbook-gate-'));
  gate = await openChainGate({ port: 0, journalFile: join(dataDir, 'journal.jsonl'), dataDir });
});
afterEach(async () => {
  await chain?.stop();
  await gate.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<RunningChain> {
  const started = await startChain({
    dataDir,
    port: await anyFreePort(),
    allowOrigin: 'http://localhost:3000',
    isSaved: true,
  });
  await gate.attach(started.rpcUrl);
  chain = started;
  return started;
}

test('given a kill right after a response, the chain has lost nothing', async () => {
  const first = await start();
  const reader = createPublicClient({ chain: base, transport: http(gate.url) });
  const rich = mnemonicToAccount('test test test test test test test test test test test junk');
  const wallet = createWalletClient({ account: rich, chain: base, transport: http(gate.url) });
  const receiver = privateKeyToAccount(generatePrivateKey()).address;
  const hashes: Hex[] = [];
  for (let nonce = 0; nonce < 25; nonce += 1) {
    const hash = await wallet.sendTransaction({ to: receiver, value: parseEther('1'), nonce });
    await reader.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    hashes.push(hash);
  }
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  gate.detach();
  await expect(reader.getChainId()).rejects.toThrow();

  await start();
  for (const hash of hashes) {
    expect(await reader.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
  }
  expect(await reader.getBalance({ address: receiver })).toBe(parseEther('25'));
  expect(await reader.getTransactionCount({ address: rich.address })).toBe(25);
});

test('given a rejected transaction, does not send it again', async () => {
  await start();
  const poor = privateKeyToAccount(generatePrivateKey());
  const wallet = createWalletClient({ account: poor, chain: base, transport: http(gate.url) });
  const reader = createPublicClient({ chain: base, transport: http(gate.url) });
  const raw = await poor.signTransaction({
    chainId: base.id,
    type: 'eip1559',
    nonce: 0,
    to: poor.address,
    gas: 21_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  });
  await expect(wallet.sendRawTransaction({ serializedTransaction: raw })).rejects.toThrow();
  await chain?.stop();
  gate.detach();
  await start();
  expect(await reader.getTransactionCount({ address: poor.address })).toBe(0);
});

/** When the chain's state was last saved; 0 before that. */
const savedAt = (): number =>
  statSync(join(dataDir, 'state.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;

test('given a kill under load, it has every block whose effects it has', {
  tags: ['long'],
}, async () => {
  const rich = mnemonicToAccount('test test test test test test test test test test test junk');
  const wallet = createWalletClient({ account: rich, chain: base, transport: http(gate.url) });
  const reader = createPublicClient({ chain: base, transport: http(gate.url), cacheTime: 0 });
  const sent: Hex[] = [];
  for (let round = 0; round < 4; round += 1) {
    const running = await start();
    const isOver = new AbortController();
    const busy = (async () => {
      while (!isOver.signal.aborted) {
        const nonce = sent.length;
        sent.push(await wallet.sendTransaction({ to: rich.address, nonce, gas: 21_000n }));
      }
    })().catch(() => undefined);
    const before = savedAt();
    await pollUntil(() => savedAt() > before || undefined);
    process.kill(running.pid, 'SIGKILL');
    isOver.abort();
    await Promise.all([running.exited, busy]);
    gate.detach();
  }
  await start();
  for (const hash of sent) {
    const receipt = await reader.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    expect(receipt.status).toBe('success');
  }
  const head = await reader.getBlockNumber();
  let mined = 0;
  for (let blockNumber = 0n; blockNumber <= head; blockNumber += 1n) {
    mined += (await reader.getBlock({ blockNumber })).transactions.length;
  }
  expect(mined).toBeGreaterThan(sent.length - 1);
  expect(await reader.getTransactionCount({ address: rich.address })).toBe(mined);
});
