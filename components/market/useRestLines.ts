import { useOwnRests } from '#components/order/useOpenOrders.ts';
import { contractsRounded } from '#lib/format/money.ts';
import { restIn } from '#lib/market/ladder.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import type { ChartRest } from './chartLines.ts';

/** The visitor's resting orders of a market, at their prices of Yes. */
export function useRestLines(ticker: string): ChartRest[] {
  return useOwnRests(ticker).map((rest) => ({
    key: rest.id,
    value: Number(restIn(rest, 'yes').priceMicros) / 10_000,
    token: rest.side === 'yes' ? '--yes' : '--no',
    text: `${rest.action === 'buy' ? 'Buy' : 'Sell'} ${contractsRounded(rest.remainingContractMicros)} ${sideWord(rest.side)}`,
  }));
}
