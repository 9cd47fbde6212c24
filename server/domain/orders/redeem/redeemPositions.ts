import type { Address } from 'viem';
import { ERROR_CODES } from '#lib/api/errorCodes.ts';
import type { OrderIntent, OrderRequest } from '#lib/api/schemas/order.ts';
import { formatMicros } from '#lib/money.ts';
import { type OutcomeSide, outcomeTokenId } from '#lib/outcomeToken.ts';
import type { Chain } from '#server/chain/client.ts';
import { listHoldersOf, readHoldings } from '#server/chain/holdings.ts';
import {
  type AccountIdentity,
  fromChain,
  resolveAccount,
} from '#server/domain/accounts/accounts.ts';
import { listAutoRedeeming } from '#server/domain/accounts/settings.ts';
import { findOutcomeByTokenId } from '#server/domain/markets/catalogue/outcomes.ts';
import {
  listNotAutoRedeemed,
  listRedeemable,
  markAutoRedeemed,
  type Settlement,
} from '#server/domain/settlement/settlementStore.ts';
import { isServiceError } from '#server/platform/errors.ts';
import { createOrder, type OrderDeps, requireOwner } from '../create/createOrder.ts';
import { payoutOfSide, redemptionUsdcMicros } from '../create/redemption.ts';
import { requireServedChain } from '../create/validateTrade.ts';
import { listOpenRedemptions } from './redemptionOrders.ts';

type RedeemablePosition = {
  ticker: string;
  side: OutcomeSide;
  contractMicros: bigint;
  payoutUsdcMicros: bigint;
};

/**
 * Sells every valuable settled position of a smart account, each as its own order. Skips positions
 * with a redemption in progress, so repeating the request is safe.
 * @throws {ServiceError} unsupported_chain, wrong_owner, chain_unavailable, exchange_unavailable
 */
export async function redeemPositions(
  deps: OrderDeps,
  input: { apiKeyId: string; owner: Address; userAddress: string; chainId: number },
): Promise<OrderIntent[]> {
  requireServedChain(deps.chain, input.chainId);
  const identity = await resolveAccount(deps, input.userAddress);
  requireOwner(identity, input);
  const intents: OrderIntent[] = [];
  for (const position of await listRedeemablePositions(deps, identity)) {
    const body = redemptionRequest(deps.chain, identity.account, position);
    intents.push(await createOrder(deps, { apiKeyId: input.apiKeyId, owner: input.owner, body }));
  }
  return intents;
}

async function listRedeemablePositions(
  deps: OrderDeps,
  { account }: AccountIdentity,
): Promise<RedeemablePosition[]> {
  const db = deps.database.orm;
  const holdings = await fromChain(() => readHoldings({ db, chain: deps.chain }, [account]));
  const outcomes = await Promise.all(
    holdings.map(async ({ tokenId, contractMicros }) => {
      const outcome = await findOutcomeByTokenId(deps, tokenId);
      return outcome ? [{ ...outcome, contractMicros }] : [];
    }),
  );
  const held = outcomes.flat();
  const tickers = [...new Set(held.map((one) => one.ticker))];
  const [settlements, open] = await Promise.all([
    listRedeemable(db, tickers),
    listOpenRedemptions(db, account, tickers),
  ]);
  return held.flatMap(({ ticker, side, contractMicros }) => {
    const settlement = settlements.find((one) => one.ticker === ticker);
    if (!settlement || open.has(`${ticker}|${side}`)) return [];
    const payout = payoutOfSide(side, settlement.payoutYesMicros);
    const payoutUsdcMicros = redemptionUsdcMicros(contractMicros, payout);
    return payoutUsdcMicros > 0n ? [{ ticker, side, contractMicros, payoutUsdcMicros }] : [];
  });
}

/** The request that a caller would send to redeem a position. */
function redemptionRequest(
  chain: Pick<Chain, 'id' | 'contracts'>,
  account: Address,
  position: RedeemablePosition,
): OrderRequest {
  return {
    orderType: 'MarketOrder',
    order: {
      quoteToken: {
        type: 'chain',
        data: { tokenId: '0', chainId: chain.id, contractAddress: chain.contracts.usdc },
      },
      baseToken: { type: 'venue', data: { marketId: position.ticker, side: position.side } },
      orderType: 'SELL',
      baseQuantity: formatMicros(position.contractMicros),
      minQuoteQuantityOut: formatMicros(position.payoutUsdcMicros),
    },
    chainId: chain.id,
    userAddress: account,
    includeTokenTransfer: true,
  };
}

/** Stored for the API key of orders that the service creates itself. */
const AUTO_REDEEM_KEY = 'auto-redeem';

/**
 * Creates redemptions for holders who did not opt out, for each market with an open payout.
 * Idempotent: a second run creates no further orders.
 */
export async function autoRedeem(deps: OrderDeps): Promise<void> {
  for (const settlement of await listNotAutoRedeemed(deps.database.orm)) {
    for (const side of ['yes', 'no'] as const) await redeemHolders(deps, settlement, side);
    await markAutoRedeemed(deps.database.orm, settlement.ticker);
  }
}

async function redeemHolders(
  deps: OrderDeps,
  settlement: Settlement,
  side: 'yes' | 'no',
): Promise<void> {
  const payout = payoutOfSide(side, settlement.payoutYesMicros);
  if (payout === 0n) return;
  const { ticker } = settlement;
  const holders = await listHoldersOf(deps.database.orm, outcomeTokenId(ticker, side));
  const amounts = new Map(holders.map((one) => [one.holder, one.contractMicros]));
  for (const { account, owner } of await listAutoRedeeming(deps, [...amounts.keys()])) {
    const contractMicros = amounts.get(account) ?? 0n;
    const payoutUsdcMicros = redemptionUsdcMicros(contractMicros, payout);
    if (payoutUsdcMicros === 0n) continue;
    const body = redemptionRequest(deps.chain, account, {
      ticker,
      side,
      contractMicros,
      payoutUsdcMicros,
    });
    const clientId = `${account}:${ticker}:${side}`;
    await createOrder(deps, {
      apiKeyId: AUTO_REDEEM_KEY,
      owner,
      body: { ...body, clientId },
    }).catch((error: unknown) => {
      // A holder who may not redeem must not keep the others from their payout.
      if (!isServiceError(error) || ERROR_CODES[error.code].status >= 500) throw error;
      deps.log.warn({ account, ticker, code: error.code }, 'automatic redemption refused');
    });
  }
}
