import { queryOptions } from '@tanstack/react-query';
import type { ActivityItem } from '#lib/api/schemas/activity.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { centsRounded, contractsRounded } from '#lib/format/money.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import { divide, MICROS, parseMicros } from '#lib/money.ts';
import { accountKeys } from '../queries/account.ts';

/** A trade of the visitor: Unix seconds, its description, and its price, without fee, as one of Yes. */
export type OwnTrade = {
  time: number;
  kind: 'bought' | 'sold';
  side: 'yes' | 'no';
  text: string;
  yesPriceMicros: bigint;
};

/** The trades in an account's activity, oldest first. */
export function ownTrades(items: readonly ActivityItem[]): OwnTrade[] {
  return items
    .flatMap((item) => {
      const { kind, side, contracts: quantity, usdc, fee, status } = item;
      if ((kind !== 'buy' && kind !== 'sell') || status !== 'completed') return [];
      if (side === null || quantity === null || usdc === null) return [];
      const done = kind === 'buy' ? ('bought' as const) : ('sold' as const);
      const contractMicros = parseMicros(quantity);
      const usdcMicros = parseMicros(usdc.replace('-', ''));
      const feeMicros = parseMicros(fee ?? '0');
      if (contractMicros === 0n) return [];
      const tradedMicros = kind === 'buy' ? usdcMicros - feeMicros : usdcMicros + feeMicros;
      const eachMicros = divide(tradedMicros * MICROS, contractMicros, 'nearest');
      return [
        {
          time: Math.floor(Date.parse(item.at) / 1_000),
          kind: done,
          side,
          text: `${kind === 'buy' ? 'Bought' : 'Sold'} ${contractsRounded(contractMicros)} ${sideWord(side)} at ${centsRounded(eachMicros)}`,
          yesPriceMicros: side === 'yes' ? eachMicros : MICROS - eachMicros,
        },
      ];
    })
    .sort((a, b) => a.time - b.time);
}

/** More than a chart can show distinctly. */
const MOST_TRADES = 100;

/** The trades of an account in one market, newest first. */
export function ownTradesQuery(client: TradingClient, address: string, marketId: string) {
  return queryOptions({
    queryKey: [...accountKeys.detail(address), 'trades', marketId] as const,
    queryFn: ({ signal }) =>
      client.listActivity({ address, marketId, limit: MOST_TRADES }, { signal }),
  });
}
