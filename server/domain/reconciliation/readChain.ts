import { type Abi, type Address, erc20Abi } from 'viem';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import { readKnownBlock, retryIfBehind } from '#server/chain/behind.ts';
import type { Chain } from '../../chain/client.ts';
import { isHeldToken, sumsAtBlock } from './compareChain.ts';
import type { Books, ChainSnapshot } from './readBooks.ts';
import type { Cost } from './runs.ts';

/** Reads per call; each is a little calldata in a contract creation that is never sent. */
const PER_CALL = 150;

type Read = { address: Address; abi: Abi; functionName: string; args: readonly unknown[] };

/**
 * The chain at the ledger's block: our contracts, the followed accounts, every token and holding.
 * Undefined when that block has been removed from the chain.
 */
export async function readChainSnapshot(
  chain: Chain,
  books: Books,
  cost: Cost,
): Promise<ChainSnapshot | undefined> {
  const { usdc, swapVault, settlement, outcomeToken } = chain.contracts;
  const held = sumsAtBlock(books).filter(isHeldToken);
  const assets = [...new Set(books.sums.map((sum) => sum.asset))].filter((one) => one !== 'usdc');
  const balanceOf = (account: Address): Read => ({
    address: usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account],
  });
  const responses = await readMany(chain, books.blockNumber, cost, [
    balanceOf(swapVault),
    balanceOf(settlement),
    { address: swapVault, abi: swapVaultAbi, functionName: 'accrued', args: [] },
    ...books.followed.map(balanceOf),
    ...assets.map((asset) => ({
      address: swapVault,
      abi: swapVaultAbi,
      functionName: 'supplyOf',
      args: [tokenIdOf(asset)],
    })),
    ...held.map((sum) => ({
      address: outcomeToken,
      abi: outcomeTokenAbi,
      functionName: 'balanceOf',
      args: [sum.account.slice('user:'.length), tokenIdOf(sum.asset)],
    })),
  ]);
  cost.rpcCalls += 1;
  const block = await readKnownBlock(chain.client, books.blockNumber);
  if (books.blockHash !== '' && block.hash !== books.blockHash) return undefined;
  const take = (count: number) => responses.splice(0, count);
  const [inVault = 0n, inSettlement = 0n, accruedUsdcMicros = 0n] = take(3);
  const usdcOf = zip(books.followed, take(books.followed.length));
  const supplyOf = zip(assets, take(assets.length));
  const keys = held.map((sum) => `${sum.account.slice('user:'.length)}|${sum.asset}`);
  return {
    contractsUsdcMicros: inVault + inSettlement,
    accruedUsdcMicros,
    usdcOf,
    supplyOf,
    tokensOf: zip(keys, take(held.length)),
  };
}

function zip(keys: readonly string[], values: bigint[]): Map<string, bigint> {
  return new Map(keys.map((key, index) => [key, values[index] ?? 0n]));
}

function tokenIdOf(asset: string): bigint {
  const known = /^token:(.+):(yes|no)$/.exec(asset);
  if (known) return outcomeTokenId(known[1] ?? '', known[2] === 'yes' ? 'yes' : 'no');
  return BigInt(asset.slice('token:'.length));
}

async function readMany(
  chain: Chain,
  blockNumber: bigint,
  cost: Cost,
  reads: Read[],
): Promise<bigint[]> {
  const responses: bigint[] = [];
  for (let start = 0; start < reads.length; start += PER_CALL) {
    cost.rpcCalls += 1;
    const contracts = reads.slice(start, start + PER_CALL);
    const how = { allowFailure: false, deployless: true, blockNumber, batchSize: 0 } as const;
    const some = await retryIfBehind(() => chain.client.multicall({ contracts, ...how }));
    responses.push(...some.map((response) => BigInt(response as bigint | number)));
  }
  return responses;
}
