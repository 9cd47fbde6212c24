import type { Address } from 'viem';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import { readBalances } from '#server/chain/accountReads.ts';
import type { Chain } from '#server/chain/client.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { fromChain } from '../../accounts/accounts.ts';
import type { ResolvedTrade } from './resolveTrade.ts';

export const otherSide = (side: OutcomeSide): OutcomeSide => (side === 'yes' ? 'no' : 'yes');

/**
 * A reduce-only sale takes tokens of its own side, a purchase is bounded by those of the other
 * side. Our check: the exchange's looks at the one account of all users.
 * @throws {ServiceError} reduce_only_not_held, chain_unavailable
 */
export async function requireReducing(
  chain: Chain,
  account: Address,
  { limit, ticker, side, tradeAction, contractMicros }: ResolvedTrade,
): Promise<void> {
  if (!limit?.isReduceOnly) return;
  const reduced = tradeAction === 'sell' ? side : otherSide(side);
  const held = await fromChain(() => readBalances(chain, account, { ticker, side: reduced }));
  if (held.contractMicros >= contractMicros) return;
  throw new ServiceError(
    'reduce_only_not_held',
    `The account holds fewer ${reduced === 'yes' ? 'Yes' : 'No'} contracts of ${ticker} than ` +
      'this reduce-only order trades. Nothing was created.',
    { errors: [{ pointer: '/order/reduceOnly', detail: 'must reduce what the account holds' }] },
  );
}
