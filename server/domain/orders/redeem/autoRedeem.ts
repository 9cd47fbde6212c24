import { outcomeTokenId } from '#lib/outcomeToken.ts';
import { listHoldersOf } from '#server/chain/holdings.ts';
import { listAutoRedeeming } from '../../accounts/settings.ts';
import {
  listNotAutoRedeemed,
  markAutoRedeemed,
  type Settlement,
} from '../../settlement/settlementStore.ts';
import { createOrder, type OrderDeps } from '../create/createOrder.ts';
import { payoutOfSide, redemptionUsdcMicros } from '../create/redemption.ts';
import { redemptionRequest } from './redeemPositions.ts';

/** Stored for the API key of orders that the service creates itself. */
const AUTO_REDEEM_KEY = 'auto-redeem';

/**
 * Creates redemptions for holders who opted in, for each market with an open payout. Idempotent: a
 * second run creates no further orders.
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
    });
  }
}
