import { useQueries } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { marketNameQuery } from '#lib/browser/queries/names.ts';
import { distinctionsIn, equallyNamed } from '#lib/market/distinctions.ts';

/** The dates that tell entries of a list with equal titles apart, by market; others have none. */
export function useDistinctions(
  list: readonly { ticker: string; title: string }[],
): ReadonlyMap<string, string> {
  const { api } = useApp();
  const equal = equallyNamed(list);
  const found = useQueries({ queries: equal.map(({ ticker }) => marketNameQuery(api, ticker)) });
  return distinctionsIn(
    equal.map((entry, index) => ({ ...entry, subtitle: '', endTime: found[index]?.data?.endTime })),
  );
}

/** The same for markets whose names are not known yet. */
export function useMarketDistinctions(
  tickers: readonly (string | null | undefined)[],
): ReadonlyMap<string, string> {
  const { api } = useApp();
  const wanted = [...new Set(tickers)].filter((ticker) => typeof ticker === 'string');
  const found = useQueries({ queries: wanted.map((ticker) => marketNameQuery(api, ticker)) });
  return useDistinctions(
    wanted.flatMap((ticker, index) => {
      const name = found[index]?.data;
      return name
        ? [{ ticker, title: [name.question, name.outcome].filter(Boolean).join(' · ') }]
        : [];
    }),
  );
}
