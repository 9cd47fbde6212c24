import type { Address } from 'viem';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import { readBalances } from '#server/chain/accountReads.ts';
import type { Chain } from '#server/chain/client.ts';
import { ServiceError, throwFirst } from '#server/platform/errors.ts';
import { fromChain } from '../../accounts/accounts.ts';
import type { SizedTrade } from './resolveTrade.ts';

export const otherSide = (side: OutcomeSide): OutcomeSide => (side === 'yes' ? 'no' : 'yes');

/** The side whose tokens a trade reduces: a sale its own, a purchase the other one. */
export function reducedSide({
  tradeAction,
  side,
}: Pick<SizedTrade, 'tradeAction' | 'side'>): OutcomeSide {
  return tradeAction === 'sell' ? side : otherSide(side);
}

/**
 * Why a reduce-only order is refused. Our check: the exchange's looks at the one account of all
 * users.
 * @param heldContractMicros what the account holds of the reduced side
 */
export function reduceOnlyProblems(
  trade: Pick<SizedTrade, 'ticker' | 'side' | 'tradeAction' | 'contractMicros'>,
  heldContractMicros: bigint,
): ServiceError[] {
  if (heldContractMicros >= trade.contractMicros) return [];
  const side = reducedSide(trade) === 'yes' ? 'Yes' : 'No';
  return [
    new ServiceError(
      'reduce_only_not_held',
      `The account holds fewer ${side} contracts of ${trade.ticker} than this reduce-only order ` +
        'trades. Nothing was created.',
      { errors: [{ pointer: '/order/reduceOnly', detail: 'must reduce what the account holds' }] },
    ),
  ];
}

/** @throws {ServiceError} reduce_only_not_held, chain_unavailable */
export async function requireReducing(
  chain: Chain,
  account: Address,
  trade: SizedTrade,
): Promise<void> {
  if (!trade.limit?.isReduceOnly) return;
  const reduced = { ticker: trade.ticker, side: reducedSide(trade) };
  const held = await fromChain(() => readBalances(chain, account, reduced));
  throwFirst(reduceOnlyProblems(trade, held.contractMicros));
}
