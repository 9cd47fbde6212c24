import { encodeFunctionData, zeroHash } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { expect, test } from 'vitest';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { addSessionKeyCall, removeSessionKeyCall } from '#lib/account/sessionKeyCalls.ts';
import { createClient } from '#lib/api/client.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import type { SessionKeyRecord } from '#lib/api/schemas/sessionKey.ts';
import { generateP256, p256Signer } from '#lib/order/p256Signer.ts';
import { secp256k1Signer } from '#lib/order/secp256k1Signer.ts';
import { type OrderSigner, placeOrder } from '#lib/order/signOrder.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { relay, type SignedCall, signBatch } from '#sandbox/testing/relayed.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import {
  createTrader,
  findLiquidMarket,
  orderBody,
  signIn,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import { readSessionKey } from './sessionKey.ts';

/** The list of an account's devices, over HTTP. */

const sandbox = sandboxUnderTest();

type Api = Pick<Trader['api'], 'listSessionKeys' | 'nameSessionKey'>;

/** The status of the response, and the code of a refusal. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return '200';
  } catch (error) {
    if (isApiProblem(error)) return `${error.status} ${error.code}`;
    throw error;
  }
}

const name = ({ api }: { api: Api }, key: string, to: string) =>
  outcomeOf(api.nameSessionKey(key, { name: to }));

async function buy(trader: Trader, signer: OrderSigner, ticker: string): Promise<void> {
  const order = { direction: 'BUY', ticker, side: 'yes' } as const;
  const body = orderBody(sandbox, trader, { ...order, contracts: '1', quoteLimit: '0.98' });
  const { intent } = await placeOrder(trader.api, signer, body);
  expect(await untilComplete(trader, intent.id)).toMatchObject({ status: 'completed' });
}

async function relayed(trader: Trader, sent: SignedCall): Promise<void> {
  const request = await signBatch(trader, [sent]);
  expect(await relay(trader, request)).toMatchObject({ status: 'completed' });
}

/** The list once the reader of logs knows all that is asked of it. */
async function untilListed(
  trader: Trader,
  isComplete: (keys: SessionKeyRecord[]) => boolean,
): Promise<SessionKeyRecord[]> {
  const found = await pollUntil(
    async () => {
      const { keys } = await trader.api.listSessionKeys();
      return isComplete(keys) ? keys : undefined;
    },
    { everyMs: 100 },
  );
  if (!found) throw new Error(JSON.stringify(await trader.api.listSessionKeys()));
  return found;
}

test('given a grant of one key, its owner adds, names and removes another, and each is listed', async () => {
  const browser = await p256Signer(await generateP256());
  const program = secp256k1Signer(generatePrivateKey());
  const trader = await createTrader(sandbox, { sessionKey: browser.sessionKey });
  const ticker = await findLiquidMarket(trader);
  const own = readSessionKey(browser.sessionKey).key;

  const signed = await trader.api.listSessionKeys();
  expect(signed.keys).toMatchObject([
    { kind: 'p256', key: own, name: null, status: 'active', lastUsedAt: null },
  ]);
  expect(signed.keys[0]?.addedAt).not.toBeNull();
  expect(await name(trader, own, 'Laptop')).toBe('200');
  await buy(trader, browser, ticker);

  const added = addSessionKeyCall(trader.account, 0n, readSessionKey(program.sessionKey));
  await relayed(trader, added);
  // Named by its address, as the list returns it, before or after its log is read.
  const given = { name: '  Market maker ' };
  const named = await trader.api.nameSessionKey(program.sessionKey.toLowerCase(), given);
  expect(named).toMatchObject({ key: program.sessionKey, name: 'Market maker', status: 'active' });
  const { grant } = await trader.api.getAccount(trader.account);
  expect(grant?.sessionKeys).toHaveLength(2);
  const both = await untilListed(trader, (keys) => keys.every(({ addedAt }) => addedAt !== null));
  expect(both).toMatchObject([
    { kind: 'p256', name: 'Laptop', status: 'active' },
    { key: program.sessionKey, name: 'Market maker', status: 'active', lastUsedAt: null },
  ]);
  expect(both[0]?.lastUsedAt).not.toBeNull();
  await buy(trader, program, ticker);

  await relayed(trader, removeSessionKeyCall(trader.account, 0n, { key: own }));
  const left = await untilListed(trader, (keys) =>
    keys.some(({ removedAt }) => removedAt !== null),
  );
  expect(left).toMatchObject([
    { key: own, name: 'Laptop', status: 'removed' },
    { key: program.sessionKey, status: 'active' },
  ]);
  expect(left[1]?.lastUsedAt).not.toBeNull();
  const after = (await trader.api.getAccount(trader.account)).grant;
  expect(after?.sessionKeys).toEqual([{ kind: 'secp256k1', key: program.sessionKey }]);
  expect(await name(trader, own, 'Laptop')).toBe('404 session_key_not_found');
});

test('given a key that is none of the grant’s, or another owner’s, it cannot be named', async () => {
  const signer = await p256Signer(await generateP256());
  const { key } = readSessionKey(signer.sessionKey);
  const owner = await createTrader(sandbox, { sessionKey: signer.sessionKey });
  const other = await createTrader(sandbox);
  expect(await name(other, key, 'Mine')).toBe('404 session_key_not_found');
  expect((await other.api.listSessionKeys()).keys).toEqual([]);
  expect(await name(owner, zeroHash, 'None')).toBe('404 session_key_not_found');
  expect(await name(owner, 'no-key', 'None')).toBe('400 invalid_request');
  expect(await name(owner, key, ' ')).toBe('400 invalid_request');
  const { baseUrl, apiKey } = sandbox;
  const anonymous = createClient({ baseUrl, apiKey });
  expect(await outcomeOf(anonymous.listSessionKeys())).toBe('401 token_missing');
  expect((await owner.api.listSessionKeys()).keys).toMatchObject([{ name: null }]);
});

test('given a revoked grant, no key is listed', async () => {
  const signer = await p256Signer(await generateP256());
  const trader = await createTrader(sandbox, { sessionKey: signer.sessionKey });
  await buy(trader, signer, await findLiquidMarket(await signIn(sandbox)));
  const data = encodeFunctionData({ abi: tradingAccountAbi, functionName: 'revoke' });
  await relayed(trader, { to: trader.account, data });
  expect((await trader.api.listSessionKeys()).keys).toEqual([]);
});
