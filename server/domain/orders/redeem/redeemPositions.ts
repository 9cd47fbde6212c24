import type { Address } from 'viem';
import type { OrderIntent, OrderRequest } from '#lib/api/schemas/order.ts';
import { formatMicros } from '#lib/money.ts';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Chain } from '#server/chain/client.ts';
import { readHoldings } from '#server/chain/holdings.ts';
import { type AccountIdentity, fromChain, resolveAccount } from '../../accounts/accounts.ts';
import { findOutcomeByTokenId } from '../../markets/catalogue/outcomes.ts';
import { listRedeemable } from '../../settlement/settlementStore.ts';
import { createOrder, type OrderDeps, requireOwner } from '../create/createOrder.ts';
import { payoutOfSide, redemptionUsdcMicros } from '../create/redemption.ts';
import { requireServedChain } from '../create/validateTrade.ts';
import { listOpenRedemptions } from './redemptionOrders.ts';

export type RedeemablePosition = {
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

/** Settled positions of a smart account that pay out and have no redemption in progress. */
export async function listRedeemablePositions(
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
export function redemptionRequest(
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
