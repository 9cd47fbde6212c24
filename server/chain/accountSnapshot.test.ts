import {
  ContractFunctionZeroDataError,
  createPublicClient,
  custom,
  decodeAbiParameters,
  decodeFunctionData,
  deploylessCallViaBytecodeBytecode,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  numberToHex,
  RpcRequestError,
  size,
  slice,
  toFunctionSelector,
  toHex,
} from 'viem';
import { expect, it, vi } from 'vitest';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { readAccountSnapshot } from './accountSnapshot.ts';
import type { Chain } from './client.ts';

const VAULT = '0x00000000000000000000000000000000000000aa';
const ALICE = '0x00000000000000000000000000000000000000a1';
const BOB = '0x00000000000000000000000000000000000000b0';
const GRANT = {
  operator: VAULT,
  validUntil: 2_000_000_000,
  withdrawAnywhere: false,
  maxPerOrder: 5n,
  maxPerDay: 6n,
  maxWithdrawPerDay: 7n,
  nonce: 0n,
} as const;

const success = (result: unknown) => ({ status: 'success', result });
const failure = (error: Error) => ({ status: 'failure', error });
const nothing = () => failure(new ContractFunctionZeroDataError({ functionName: 'grant' }));

type Call = { address: string; functionName: string; args?: unknown[] };

function respondingChain(response: (call: Call) => unknown) {
  const multicall = vi.fn(async ({ contracts }: { contracts: Call[] }) => contracts.map(response));
  const contracts = {
    usdc: VAULT,
    outcomeToken: VAULT,
    swapVault: VAULT,
    settlement: VAULT,
    accountFactory: VAULT,
  };
  return { chain: { client: { multicall }, contracts } as unknown as Chain, multicall };
}

it('given concurrent reads, sends one request that names each account once', async () => {
  const { chain, multicall } = respondingChain(({ functionName, args }) => {
    if (functionName === 'grant') return success(GRANT);
    if (functionName === 'grantNonce') return success(1n);
    if (functionName === 'remainingToday') return success([7n, 0n]);
    return success(args?.[0] === ALICE ? 10n : 20n);
  });
  const [alice, again, bob] = await Promise.all([
    readAccountSnapshot(chain, ALICE),
    readAccountSnapshot(chain, ALICE),
    readAccountSnapshot(chain, BOB),
  ]);
  expect(multicall).toHaveBeenCalledTimes(1);
  expect(multicall.mock.calls[0]?.[0].contracts).toHaveLength(10);
  expect(alice).toEqual({
    deployed: true,
    grant: { ...GRANT, validUntil: 2_000_000_000n },
    nextGrantNonce: 1n,
    usdcMicros: 10n,
    contractMicros: 10n,
    leftTodayUsdcMicros: 7n,
  });
  expect(again).toEqual(alice);
  expect(bob.usdcMicros).toBe(20n);
  await readAccountSnapshot(chain, ALICE);
  expect(multicall).toHaveBeenCalledTimes(2);
});

/** What a node answers to reads of accounts, without a contract that does them. */
function answerReads(data: Hex): Hex {
  const [, calldata] = decodeAbiParameters(
    [{ type: 'bytes' }, { type: 'bytes' }],
    `0x${data.slice(deploylessCallViaBytecodeBytecode.length)}`,
  );
  const call = decodeFunctionData({ abi: multicall3Abi, data: calldata });
  if (call.functionName !== 'aggregate3') throw new Error(`unexpected ${call.functionName}`);
  const answers: Record<string, Hex> = {
    [toFunctionSelector('balanceOf(address)')]: toHex(1n, { size: 32 }),
    [toFunctionSelector('balanceOf(address,uint256)')]: toHex(2n, { size: 32 }),
    [toFunctionSelector('grantNonce()')]: toHex(1n, { size: 32 }),
    [toFunctionSelector('remainingToday()')]: toHex(3n << 256n, { size: 64 }),
    [toFunctionSelector('grant()')]: encodeFunctionResult({
      abi: tradingAccountAbi,
      functionName: 'grant',
      result: GRANT,
    }),
  };
  const result = call.args[0].map(({ callData }) => ({
    success: true,
    returnData: answers[slice(callData, 0, 4)] ?? '0x',
  }));
  return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result });
}

it('given many accounts, stays within the code that a chain takes and the contract it returns', async () => {
  const sizes = { code: [0], contract: [0] };
  const client = createPublicClient({
    transport: custom({
      async request({ params: [call] }) {
        const answer = answerReads(call.data);
        sizes.code.push(size(call.data));
        sizes.contract.push(size(answer));
        return answer;
      },
    }),
  });
  const chain = { ...respondingChain(nothing).chain, client };
  const outcome = { ticker: 'KXLONG-26DEC31-T100000', side: 'yes' } as const;
  const accounts = Array.from({ length: 100 }, (_, n) => numberToHex(n + 1, { size: 20 }));
  const states = await Promise.all(
    accounts.map((account) => readAccountSnapshot(chain, account, outcome)),
  );
  expect(states.at(-1)).toMatchObject({ usdcMicros: 1n, contractMicros: 2n, nextGrantNonce: 1n });
  expect(Math.max(...sizes.code)).toBeLessThanOrEqual(49_152);
  expect(Math.max(...sizes.contract)).toBeLessThanOrEqual(24_576);
});

it('treats an address without code as an undeployed account', async () => {
  const { chain } = respondingChain(({ functionName }) =>
    functionName === 'balanceOf' ? success(3n) : nothing(),
  );
  expect(await readAccountSnapshot(chain, ALICE)).toEqual({
    deployed: false,
    grant: undefined,
    nextGrantNonce: 0n,
    usdcMicros: 3n,
    contractMicros: 3n,
    leftTodayUsdcMicros: 0n,
  });
});

it('fails when the node does, instead of returning an empty account', async () => {
  const error = new RpcRequestError({ body: {}, url: '', error: { code: -1, message: 'no' } });
  const { chain } = respondingChain(() => failure(error));
  await expect(readAccountSnapshot(chain, ALICE)).rejects.toThrow(error);
});
