import { type Address, erc20Abi, formatUnits } from 'viem';
import type { Account, AccountGrant as AccountGrantResponse } from '#lib/api/schemas/account.ts';
import { worthNowMicros } from '#lib/market/worthNow.ts';
import { costMicros, formatMicros } from '#lib/money.ts';
import { type AccountGrant, readAccountState, readLeftToday } from '#server/chain/accountReads.ts';
import type { Database } from '#server/platform/database/client.ts';
import { type AccountDeps, fromChain, resolveAccount } from '../accounts/accounts.ts';
import { readGrantKeys } from '../accounts/grantKeys.ts';
import { currentGrant, getRecordedGrant } from '../accounts/grants.ts';
import { describeSessionKey } from '../accounts/sessionKeyList.ts';
import { findMarkets } from '../markets/catalogue/catalogue.ts';
import { listOpenInputs } from '../orders/lifecycle/lockedInputs.ts';

/** The published shape of a grant; `onChain` says whether the account itself holds it. */
export function describeGrant(grant: AccountGrant, onChain: boolean): AccountGrantResponse {
  const expired = grant.validUntil * 1000n <= BigInt(Date.now());
  return {
    operator: grant.operator,
    validUntil: new Date(Number(grant.validUntil) * 1000).toISOString(),
    withdrawAnywhere: grant.withdrawAnywhere,
    maxPerOrder: formatMicros(grant.maxPerOrder),
    maxPerDay: formatMicros(grant.maxPerDay),
    maxWithdrawPerDay: formatMicros(grant.maxWithdrawPerDay),
    nonce: grant.nonce.toString(),
    sessionKey: describeSessionKey(grant),
    status: expired ? 'expired' : onChain ? 'active' : 'recorded',
  };
}

/**
 * The grant in force with the keys that sign under it, and with what remains of today's spending caps
 * if the account holds it.
 */
async function describeCurrent(
  deps: AccountDeps,
  account: Address,
  current: ReturnType<typeof currentGrant>,
): Promise<AccountGrantResponse | null> {
  if (!current) return null;
  const described = describeGrant(current.grant, current.isOnChain);
  const keys = await readGrantKeys(deps, account, current);
  const signing = keys.filter(({ isRemoved }) => !isRemoved);
  const sessionKeys = signing.flatMap((key) => describeSessionKey(key) ?? []);
  const grant = { ...described, sessionKeys };
  if (grant.status !== 'active') return grant;
  const { orderMicros, withdrawMicros } = await fromChain(() => readLeftToday(deps.chain, account));
  const leftToday = { order: formatMicros(orderMicros), withdraw: formatMicros(withdrawMicros) };
  return { ...grant, leftToday };
}

/** The body of `GET /v1/account`. @throws {ServiceError} `chain_unavailable` */
export async function getAccountOverview(deps: AccountDeps, address: string): Promise<Account> {
  const { owner, account } = await resolveAccount(deps, address);
  const { chain } = deps;
  const balanceOf = (holder: Address) =>
    chain.client.readContract({
      address: chain.contracts.usdc,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [holder],
    });
  const current = Promise.all([
    fromChain(() => readAccountState(chain, account)),
    getRecordedGrant(deps, account),
  ]).then(async ([{ deployed, ...state }, recorded]) => ({
    deployed,
    grant: await describeCurrent(deps, account, currentGrant(state, recorded)),
  }));
  const [{ deployed, grant }, inOrdersMicros, usdcMicros, ownerUsdcMicros, ownerWei] =
    await Promise.all([
      current,
      readLockedInOrdersMicros(deps, account),
      fromChain(() => balanceOf(account)),
      fromChain(() => balanceOf(owner)),
      fromChain(() => chain.client.getBalance({ address: owner })),
    ]);
  return {
    owner,
    smartAccountAddress: account,
    deployed,
    chainId: chain.id,
    balances: {
      usdc: formatMicros(usdcMicros),
      inOrders: formatMicros(inOrdersMicros),
      ownerUsdc: formatMicros(ownerUsdcMicros),
      ownerNative: formatUnits(ownerWei, 18),
    },
    grant,
    contracts: chain.contracts,
  };
}

/**
 * The locked inputs of an account's open orders in USDC micros: the USDC of purchases, and the
 * tokens of sales at current prices. Tokens without a price count as zero, as they do in holdings.
 */
async function readLockedInOrdersMicros(
  deps: { database: Database },
  account: Address,
): Promise<bigint> {
  const locked = await listOpenInputs(deps.database.orm, account);
  const sold = locked.flatMap((one) => (one.tradeAction === 'sell' ? one.ticker : []));
  const marketOf = await findMarkets(deps, [...new Set(sold)]);
  return locked.reduce((sum, { tradeAction, ticker, side, micros }) => {
    if (tradeAction === 'buy') return sum + micros;
    const market = marketOf.get(ticker);
    const worth = market ? worthNowMicros(market, side) : null;
    return worth === null ? sum : sum + costMicros(micros, worth, 'down');
  }, 0n);
}
