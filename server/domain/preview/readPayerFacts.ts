import { type Address, erc20Abi, getAddress, isAddressEqual } from 'viem';
import type { AnyOrderRequest } from '#lib/api/schemas/order.ts';
import { readBalances } from '#server/chain/accountReads.ts';
import { readAccountSnapshot } from '#server/chain/accountSnapshot.ts';
import { type Chain, isDeployed } from '#server/chain/client.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { ServiceError } from '#server/platform/errors.ts';
import { type AccountIdentity, fromChain } from '../accounts/accounts.ts';
import { findLimitProblems } from '../limits/enforce.ts';
import { choosePayer } from '../orders/create/createCalldataOrder.ts';
import { reducedSide } from '../orders/create/reduceOnly.ts';
import type { ParsedTrade, TradeParts } from '../orders/create/validateTrade.ts';
import { listAwaitedInputs } from '../orders/lifecycle/lockedInputs.ts';
import type { OrderSource, Outcome } from './previewFacts.ts';

type Deps = { database: Database; chain: Chain };

/** The size of the order as far as it is known; a limit order's depends on its market. */
type Sized = Partial<Pick<TradeParts, 'contractMicros' | 'quoteLimitUsdcMicros'>> | undefined;

type Asked = {
  caller: { apiKeyId: string; signedIn: Address | undefined };
  previewed: { source: OrderSource; body: AnyOrderRequest };
  parsed: ParsedTrade;
  sized: Sized | Promise<Sized>;
  identity: AccountIdentity;
  outcome: Outcome | undefined;
};

/** The account whose funds an order moves: what it holds, may spend, and has promised already. */
export async function readPayerFacts(deps: Deps, asked: Asked) {
  const { chain, database } = deps;
  const { previewed, outcome } = asked;
  const sender = getAddress(previewed.body.userAddress.toLowerCase());
  const payer = await findPayer(chain, sender, asked);
  const [account, awaited, allowanceUsdcMicros, limitProblems, reducible] = await Promise.all([
    fromChain(() => readAccountSnapshot(chain, payer, outcome)),
    listAwaitedInputs(database.orm, payer),
    readAllowance(chain, previewed, payer),
    readLimitProblems(deps, asked, payer),
    readReducible(chain, asked, payer),
  ]);
  return {
    sender,
    payer,
    account,
    awaited,
    allowanceUsdcMicros,
    limitProblems,
    reducibleContractMicros: reducible,
  };
}

async function findPayer(
  chain: Chain,
  sender: Address,
  { previewed: { source }, parsed: { parts }, sized, identity: { account }, outcome }: Asked,
): Promise<Address> {
  if (source === 'api' || isAddressEqual(sender, account)) return account;
  const read = (address: Address) => readAccountSnapshot(chain, address, outcome);
  const [isContract, ofAccount, ofUser] = await fromChain(() =>
    Promise.all([isDeployed(chain, sender), read(account), read(sender)]),
  );
  const { contractMicros = 0n, quoteLimitUsdcMicros = 0n } = (await sized) ?? {};
  const { tradeAction } = parts;
  const needed = { tradeAction, contractMicros, quoteLimitUsdcMicros };
  const found = { isContract, ofAccount, ofUser };
  return choosePayer({ user: sender, account }, needed, found);
}

/** Only an order of the user's own wallet that brings no approval depends on an earlier one. */
async function readAllowance(
  chain: Chain,
  { source, body }: Asked['previewed'],
  payer: Address,
): Promise<bigint | undefined> {
  if (source === 'api' || body.includeTokenTransfer) return undefined;
  const { usdc, swapVault } = chain.contracts;
  const args = [payer, swapVault] as const;
  const asked = { address: usdc, abi: erc20Abi, functionName: 'allowance', args } as const;
  return await fromChain(() => chain.client.readContract(asked));
}

async function readReducible(
  chain: Chain,
  { parsed: { parts }, outcome }: Asked,
  payer: Address,
): Promise<bigint | undefined> {
  if (!outcome || !parts.limitOrder?.reduceOnly) return undefined;
  const { ticker, side } = outcome;
  const reduced = { ticker, side: reducedSide({ ...parts, side }) };
  const { contractMicros } = await fromChain(() => readBalances(chain, payer, reduced));
  return contractMicros;
}

async function readLimitProblems(
  { database }: Deps,
  { caller, parsed: { parts }, sized, identity, outcome }: Asked,
  payer: Address,
): Promise<ServiceError[]> {
  const { quoteLimitUsdcMicros } = (await sized) ?? {};
  if (!outcome || parts.tradeAction === 'sell' || quoteLimitUsdcMicros === undefined) return [];
  const { apiKeyId: key, signedIn } = caller;
  const isOwner = signedIn !== undefined && isAddressEqual(signedIn, identity.owner);
  const scopes = { key, account: payer, market: outcome.ticker };
  const purchase = { ...scopes, quoteLimitUsdcMicros, withoutToken: !isOwner };
  return await findLimitProblems(database.orm, purchase);
}
