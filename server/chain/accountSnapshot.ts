import {
  type Address,
  BaseError,
  ContractFunctionZeroDataError,
  erc20Abi,
  type MulticallResponse,
} from 'viem';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { type OutcomeSide, outcomeTokenId } from '#lib/outcomeToken.ts';
import { batched } from '../platform/database/batched.ts';
import { memoizeByObject } from '../platform/memoizeByObject.ts';
import { type AccountState, accountStateOf } from './accountReads.ts';
import type { Chain } from './client.ts';

/** An account's balances and grant, all at one block. */
export type AccountSnapshot = AccountState & {
  usdcMicros: bigint;
  /** Of the outcome that was named; otherwise none. */
  contractMicros: bigint;
  /** What the grant's daily cap still allows today; nothing without a valid grant. */
  leftTodayUsdcMicros: bigint;
};

type Question = {
  account: Address;
  outcome?: { ticker: string; side: OutcomeSide } | undefined;
};

/**
 * Accounts per request to the node. Without Multicall3 the reads are the code of a contract creation
 * that is never sent: a chain takes 49,152 bytes of it (EIP-3860), and returns 24,576 as the contract
 * (EIP-170). The response about an account is a kilobyte.
 */
const ACCOUNTS_PER_CALL = 20;
const READS = 5;

const snapshotsOf = memoizeByObject((chain: Chain) =>
  batched<Question, AccountSnapshot>((questions) => readAccountSnapshots(chain, questions), {
    underWay: 1,
  }),
);

/** Reads them from the chain; concurrent reads share a request to the node. */
export async function readAccountSnapshot(
  chain: Chain,
  account: Address,
  outcome?: { ticker: string; side: OutcomeSide },
): Promise<AccountSnapshot> {
  const snapshot = await snapshotsOf(chain)({ account, outcome });
  if (!snapshot) throw new Error(`no state was read for ${account}`);
  return snapshot;
}

async function readAccountSnapshots(
  chain: Chain,
  questions: readonly Question[],
): Promise<Map<Question, AccountSnapshot>> {
  const keyOf = ({ account, outcome }: Question) =>
    `${account} ${outcome?.side} ${outcome?.ticker}`;
  const different = [...Map.groupBy(questions, keyOf).values()];
  const snapshots = new Map<Question, AccountSnapshot>();
  for (let start = 0; start < different.length; start += ACCOUNTS_PER_CALL) {
    const some = different.slice(start, start + ACCOUNTS_PER_CALL);
    const responses = await chain.client.multicall({
      contracts: some.flatMap(([question]) => (question ? readsOf(chain, question) : [])),
      deployless: true,
      batchSize: 0,
    });
    for (const [index, same] of some.entries()) {
      const snapshot = snapshotFrom(responses.slice(index * READS, (index + 1) * READS));
      for (const question of same) snapshots.set(question, snapshot);
    }
  }
  return snapshots;
}

function readsOf(chain: Chain, { account, outcome }: Question) {
  const { usdc, outcomeToken } = chain.contracts;
  const tokenId = outcome ? outcomeTokenId(outcome.ticker, outcome.side) : 0n;
  return [
    { address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [account] },
    {
      address: outcomeToken,
      abi: outcomeTokenAbi,
      functionName: 'balanceOf',
      args: [account, tokenId],
    },
    { address: account, abi: tradingAccountAbi, functionName: 'grant' },
    { address: account, abi: tradingAccountAbi, functionName: 'grantNonce' },
    { address: account, abi: tradingAccountAbi, functionName: 'remainingToday' },
  ] as const;
}

type Grant = Parameters<typeof accountStateOf>[0];

function snapshotFrom(responses: readonly MulticallResponse[]): AccountSnapshot {
  const [usdc, contracts, grant, nonce, left] = responses;
  const isDeployed = !(isNothingThere(grant) && isNothingThere(nonce));
  const state = isDeployed
    ? accountStateOf(resultOf(grant) as Grant, resultOf(nonce) as bigint)
    : { deployed: false, grant: undefined, nextGrantNonce: 0n };
  return {
    ...state,
    usdcMicros: resultOf(usdc) as bigint,
    contractMicros: resultOf(contracts) as bigint,
    leftTodayUsdcMicros: isDeployed ? (resultOf(left) as readonly [bigint, bigint])[0] : 0n,
  };
}

/** A call to an address without code succeeds with an empty result. */
function isNothingThere(response: MulticallResponse | undefined): boolean {
  const { error } = response ?? {};
  if (!(error instanceof BaseError)) return false;
  return error.walk((cause) => cause instanceof ContractFunctionZeroDataError) !== null;
}

function resultOf(response: MulticallResponse | undefined): unknown {
  if (response?.status === 'success') return response.result;
  throw response?.error ?? new Error('the node omitted a result');
}
