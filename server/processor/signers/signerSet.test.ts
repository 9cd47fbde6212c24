import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { localChainSigner } from '#server/platform/keys/chainSigner.ts';
import { createLog } from '#server/platform/log.ts';
import type { SignerDeps, SignerRole } from './signer.ts';
import { startSigners } from './signerSet.ts';

const deps = { log: createLog('test', 'silent') } as SignerDeps;

function operator(): SignerRole {
  return { account: localChainSigner(generatePrivateKey()), kinds: ['fill'] };
}

/** Keys that run until they are stopped, and then as long as the test keeps them. */
function fakeRun() {
  const running = new Set<string>();
  const letGo: (() => void)[] = [];
  const run = async (_deps: SignerDeps, role: SignerRole, signal: AbortSignal) => {
    running.add(role.account.address);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await new Promise<void>((resolve) => letGo.push(resolve));
    running.delete(role.account.address);
  };
  return { running, letGo, run };
}

test('starts new keys, keeps known ones and stops omitted ones', async () => {
  const { running, letGo, run } = fakeRun();
  const stop = new AbortController();
  const [first, second, third] = [operator(), operator(), operator()];
  const set = startSigners(deps, stop.signal, run);
  set.use([first, second]);
  set.use([first, second]);
  expect(set.addresses()).toEqual([first.account.address, second.account.address]);
  set.use([{ ...second, account: { ...second.account } }, third]);
  expect(set.addresses()).toEqual([second.account.address, third.account.address]);
  await expect.poll(() => letGo.length).toBe(1);
  for (const end of letGo) end();
  await expect.poll(() => [...running]).toEqual([second.account.address, third.account.address]);
});

test('settles when every key is released, including one omitted just before', async () => {
  const { running, letGo, run } = fakeRun();
  const stop = new AbortController();
  const [first, second] = [operator(), operator()];
  const set = startSigners(deps, stop.signal, run);
  set.use([first, second]);
  set.use([second]);
  stop.abort();
  let isDone = false;
  void set.done.then(() => {
    isDone = true;
  });
  await expect.poll(() => letGo.length).toBe(2);
  expect(isDone).toBe(false);
  for (const end of letGo) end();
  await set.done;
  expect(running.size).toBe(0);
});

test('given an unreachable database, a key that cannot be released harms no other', async () => {
  const stop = new AbortController();
  const [first, second] = [operator(), operator()];
  const set = startSigners(deps, stop.signal, async (_deps, _role, signal) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    throw new Error('connect ECONNREFUSED');
  });
  set.use([first, second]);
  set.use([second]);
  stop.abort();
  await expect(set.done).resolves.toBeUndefined();
});

test('given the same address with other kinds, starts it again', () => {
  const { run } = fakeRun();
  const role = operator();
  const set = startSigners(deps, new AbortController().signal, run);
  set.use([role]);
  set.use([{ ...role, kinds: ['attest'] }]);
  expect(set.addresses()).toEqual([role.account.address]);
});
