import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { marketTitleQuery } from '#lib/browser/queries/markets.ts';

type MarketNameProps = { ticker: string; className?: string };

export function MarketName({ ticker, className = 'text-13 text-ink-3' }: MarketNameProps) {
  const { api } = useApp();
  const { data, isPending } = useQuery(marketTitleQuery(api, ticker));
  return (
    <span className={`line-clamp-2 ${className}`}>
      {isPending ? (
        <span className="skeleton inline-block h-[1em] w-48 max-w-full align-middle" />
      ) : (
        (data ?? ticker)
      )}
    </span>
  );
}

/** Whether the names of a list's first rows are known: a row grows when its name arrives. */
export function useNamesKnown(tickers: readonly string[] | undefined): boolean {
  const { api } = useApp();
  const [wereKnown, setWereKnown] = useState(false);
  const areKnown = useQueries({
    queries: [...new Set(tickers)].map((ticker) => marketTitleQuery(api, ticker)),
    combine: (names) => names.every((name) => !name.isPending),
  });
  if (!wereKnown && tickers && areKnown) setWereKnown(true);
  return wereKnown;
}
