import { type Address, erc20Abi, type Hex } from 'viem';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import type { GrantKey } from '#lib/account/sessionKey.ts';
import { type OutcomeSide, outcomeTokenId } from '#lib/outcomeToken.ts';
import { accountOf, type Chain, factoryOf, isDeployed, outcomeTokenOf } from './client.ts';

/** The owner's grant as the account stores it. Caps in USDC micros. */
export type AccountGrant = GrantKey & {
  operator: Address;
  /** Unix seconds. */
  validUntil: bigint;
  withdrawAnywhere: boolean;
  maxPerOrder: bigint;
  maxPerDay: bigint;
  maxWithdrawPerDay: bigint;
  nonce: bigint;
};

export type AccountState = {
  deployed: boolean;
  /** Undefined while the account has none, or the owner revoked it. */
  grant: AccountGrant | undefined;
  /** The nonce that the next grant must carry. */
  nextGrantNonce: bigint;
};

/** The address of the owner's smart account, deployed or not. */
export async function readAccountAddress(chain: Chain, owner: Address): Promise<Address> {
  return await factoryOf(chain).read.addressOf([owner]);
}

/** The current state and grant of a smart account. */
export async function readAccountState(chain: Chain, account: Address): Promise<AccountState> {
  if (!(await isDeployed(chain, account))) {
    return { deployed: false, grant: undefined, nextGrantNonce: 0n };
  }
  const { read } = accountOf(chain, account);
  const [grant, nextGrantNonce] = await Promise.all([read.grant(), read.grantNonce()]);
  return accountStateOf(grant, nextGrantNonce);
}

/** What a key is under a deployed account's grant; one of `KEY_KIND`. */
export async function readSessionKeyKind(
  chain: Chain,
  account: Address,
  key: Hex,
): Promise<number> {
  return await accountOf(chain, account).read.sessionKeyKind([key]);
}

/** The same of several keys, in one request to the node. */
export async function readSessionKeyKinds(
  chain: Chain,
  account: Address,
  keys: readonly Hex[],
): Promise<number[]> {
  return await chain.client.multicall({
    contracts: keys.map(
      (key) =>
        ({
          address: account,
          abi: tradingAccountAbi,
          functionName: 'sessionKeyKind',
          args: [key],
        }) as const,
    ),
    allowFailure: false,
    deployless: true,
    batchSize: 0,
  });
}

/**
 * USDC micros that a deployed account's grant still lets operators move today, by the contract's
 * own UTC days.
 */
export async function readLeftToday(
  chain: Chain,
  account: Address,
): Promise<{ orderMicros: bigint; withdrawMicros: bigint }> {
  const [orderMicros, withdrawMicros] = await accountOf(chain, account).read.remainingToday();
  return { orderMicros, withdrawMicros };
}

/** Maps a deployed account's state to our terms; seconds come as a number. */
export function accountStateOf(
  grant: Omit<AccountGrant, 'validUntil'> & { validUntil: number },
  nextGrantNonce: bigint,
): AccountState {
  const inForce = grant.validUntil > 0;
  return {
    deployed: true,
    grant: inForce ? { ...grant, validUntil: BigInt(grant.validUntil) } : undefined,
    nextGrantNonce,
  };
}

/** USDC of an account and, if an outcome is given, its tokens of it. */
export async function readBalances(
  chain: Chain,
  account: Address,
  outcome?: { ticker: string; side: OutcomeSide },
): Promise<{ usdcMicros: bigint; contractMicros: bigint }> {
  const [usdcMicros, contractMicros] = await Promise.all([
    chain.client.readContract({
      address: chain.contracts.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account],
    }),
    outcome
      ? readTokenBalance(chain, account, outcomeTokenId(outcome.ticker, outcome.side))
      : Promise.resolve(0n),
  ]);
  return { usdcMicros, contractMicros };
}

/** Contract micros of one outcome token. */
export async function readTokenBalance(
  chain: Chain,
  holder: Address,
  tokenId: bigint,
): Promise<bigint> {
  return await outcomeTokenOf(chain).read.balanceOf([holder, tokenId]);
}
