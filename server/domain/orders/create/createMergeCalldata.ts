import { type Address, encodeFunctionData, getAddress, isAddressEqual } from 'viem';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import type { MergeCalldata, MergeRequest } from '#lib/api/schemas/merge.ts';
import { formatMicros, minMicros } from '#lib/money.ts';
import { marketKeyOf, outcomeTokenId } from '#lib/outcomeToken.ts';
import type { Call } from '#server/chain/accountExecute.ts';
import { type Chain, isDeployed, outcomeTokenOf } from '#server/chain/client.ts';
import { errorName, revertDataOf } from '#server/chain/vaultLogs.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { type AccountDeps, fromChain, resolveAccount } from '../../accounts/accounts.ts';
import { requireNotServiceAddress } from '../../accounts/serviceAddresses.ts';
import { getMarket } from '../../markets/catalogue/catalogue.ts';
import { transactionsOf } from './createCalldataOrder.ts';
import { readQuantity, requireServedChain } from './validateTrade.ts';

/** So many contracts of each side of a market. */
type Merge = { ticker: string; contractMicros: bigint; pointer: string };

/**
 * The transactions with which a wallet turns pairs of Yes and No into dollars. Stores nothing: what
 * happened is what the settlement contract logs. Each merge is tried on the chain first.
 * @throws {ServiceError} unsupported_chain, quantity_not_allowed, market_not_found,
 *   address_not_allowed, insufficient_funds, merge_not_possible, chain_unavailable
 */
export async function createMergeCalldata(
  deps: AccountDeps,
  body: MergeRequest,
): Promise<MergeCalldata> {
  const { chain } = deps;
  requireServedChain(chain, body.chainId);
  await requireNotServiceAddress(deps, { '/userAddress': body.userAddress });
  const merges = body.merges.map(({ marketId, quantity }, index): Merge => {
    const pointer = `/merges/${index}/quantity`;
    return { ticker: marketId, contractMicros: readQuantity(quantity, pointer), pointer };
  });
  for (const { ticker } of merges) await getMarket(deps, ticker);
  const sender = getAddress(body.userAddress.toLowerCase());
  const { account } = await resolveAccount(deps, body.userAddress);
  const calls = merges.map((merge) => mergeCall(chain, merge));
  const { holder, transactions } = await fromChain(async () => {
    const found = await findHolder(chain, { sender, account }, merges);
    await Promise.all(calls.map((call) => requirePossible(chain, found, call)));
    return {
      holder: found,
      transactions: await transactionsOf(chain, { sender, account: found }, calls),
    };
  });
  const total = merges.reduce((sum, one) => sum + one.contractMicros, 0n);
  const pairs = merges.map((one) => `${formatMicros(one.contractMicros)} pairs of ${one.ticker}`);
  const quoteAmount = formatMicros(total);
  const description = `Merge ${pairs.join(', ')} into ${quoteAmount} USDC`;
  return { success: true, transactions, description, holder, quoteAmount };
}

function mergeCall(chain: Chain, { ticker, contractMicros }: Merge): Call {
  const args = [marketKeyOf(ticker), contractMicros] as const;
  const data = encodeFunctionData({ abi: settlementAbi, functionName: 'merge', args });
  return { to: chain.contracts.settlement, value: 0n, data };
}

/**
 * A smart wallet merges what it holds. A plain wallet merges what its smart account holds, unless only
 * the plain wallet holds all the pairs.
 * @throws {ServiceError} insufficient_funds
 */
async function findHolder(
  chain: Chain,
  { sender, account }: { sender: Address; account: Address },
  merges: readonly Merge[],
): Promise<Address> {
  const isOwn = isAddressEqual(sender, account) || (await isDeployed(chain, sender));
  const first = isOwn ? sender : account;
  const problem = await findMissing(chain, first, merges);
  if (!problem) return first;
  if (isOwn || (await findMissing(chain, sender, merges))) throw problem;
  return sender;
}

async function findMissing(
  chain: Chain,
  holder: Address,
  merges: readonly Merge[],
): Promise<ServiceError | undefined> {
  const ids = merges.flatMap(({ ticker }) => [
    outcomeTokenId(ticker, 'yes'),
    outcomeTokenId(ticker, 'no'),
  ]);
  const balances = await outcomeTokenOf(chain).read.balanceOfBatch([ids.map(() => holder), ids]);
  for (const [index, { ticker, contractMicros, pointer }] of merges.entries()) {
    const [yes = 0n, no = 0n] = balances.slice(2 * index);
    const pairs = minMicros(yes, no);
    if (pairs >= contractMicros) continue;
    const detail = `must be at most ${formatMicros(pairs)}, the pairs that ${holder} holds`;
    return new ServiceError(
      'insufficient_funds',
      `${holder} holds ${formatMicros(yes)} Yes and ${formatMicros(no)} No of ${ticker}. Nothing was created.`,
      { errors: [{ pointer, detail }] },
    );
  }
  return undefined;
}

/** What the contracts refuse with, in words. */
const REFUSALS: Record<string, string> = {
  VaultPaused: 'The contracts are paused.',
  MarketSettled: 'The market is settled: redeem the winning contracts instead.',
  PairBelowOneDollar: 'The market is about to settle with less than a dollar per pair.',
  BucketOverflow:
    'The vault’s hourly cap of payouts is used up for now. Try fewer pairs, or later.',
  ERC20InsufficientBalance: 'The vault cannot pay so many pairs at once. Try fewer.',
  ERC20InsufficientAllowance: 'The vault cannot pay so many pairs at once. Try fewer.',
};

/** @throws {ServiceError} merge_not_possible */
async function requirePossible(chain: Chain, account: Address, call: Call): Promise<void> {
  try {
    await chain.client.call({ account, to: call.to, data: call.data });
  } catch (cause) {
    const data = revertDataOf(cause);
    if (data === undefined) throw cause;
    const name = errorName(data);
    const why = REFUSALS[name] ?? `The contracts refuse it (${name}).`;
    throw new ServiceError('merge_not_possible', `${why} Nothing was created.`, { cause });
  }
}
