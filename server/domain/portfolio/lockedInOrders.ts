import type { Address } from 'viem';
import { costMicros } from '#lib/money.ts';
import type { Database } from '../../platform/database/client.ts';
import { listMarkets } from '../markets/catalogue/catalogue.ts';
import { listOpenInputs } from '../orders/lifecycle/lockedInputs.ts';
import { worthNowMicros } from './valuation.ts';

/**
 * The locked inputs of an account's open orders in USDC micros: the USDC of purchases, and the
 * tokens of sales at current prices. Tokens without a price count as zero, as they do in holdings.
 */
export async function readLockedInOrdersMicros(
  deps: { database: Database },
  account: Address,
): Promise<bigint> {
  const locked = await listOpenInputs(deps.database.orm, account);
  const tickers = [
    ...new Set(locked.flatMap((one) => (one.tradeAction === 'sell' ? one.ticker : []))),
  ];
  const { markets } =
    tickers.length === 0
      ? { markets: [] }
      : await listMarkets(deps, { tickers, limit: tickers.length });
  const marketOf = new Map(markets.map((market) => [market.ticker, market]));
  return locked.reduce((sum, { tradeAction, ticker, side, micros }) => {
    if (tradeAction === 'buy') return sum + micros;
    const market = marketOf.get(ticker);
    const worth = market ? worthNowMicros(market, side) : null;
    return worth === null ? sum : sum + costMicros(micros, worth, 'down');
  }, 0n);
}
