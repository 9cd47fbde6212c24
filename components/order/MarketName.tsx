import { useQueries, useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { marketNameQuery } from '#lib/browser/queries/names.ts';

type MarketNameProps = {
  ticker: string;
  /** What tells it apart from others of the list with its name. */
  distinction?: string | undefined;
};

/** A market by its outcome, in full, and its question, which may be cut. */
export function MarketName({ ticker, distinction }: MarketNameProps) {
  const { api } = useApp();
  const { data, isPending } = useQuery(marketNameQuery(api, ticker));
  if (isPending) return <span className="skeleton inline-block h-[1em] w-48 max-w-full" />;
  const question = [data?.question ?? ticker, distinction].filter(Boolean).join(' · ');
  return <MarketWords question={question} outcome={data?.outcome} />;
}

type MarketWordsProps = { outcome: string | undefined; question: string };

export function MarketWords({ outcome, question }: MarketWordsProps) {
  return (
    <>
      {outcome !== undefined && (
        <span className="wrap-anywhere block text-14 text-ink">{outcome}</span>
      )}
      <span
        className={clsx(
          'line-clamp-2',
          outcome === undefined ? 'text-14 text-ink' : 'text-13 text-ink-3',
        )}
      >
        {question}
      </span>
    </>
  );
}

/** Whether the names of a list's first rows are known: a row grows when its name arrives. */
export function useNamesKnown(tickers: readonly string[] | undefined): boolean {
  const { api } = useApp();
  const [wereKnown, setWereKnown] = useState(false);
  const areKnown = useQueries({
    queries: [...new Set(tickers)].map((ticker) => marketNameQuery(api, ticker)),
    combine: (names) => names.every((name) => !name.isPending),
  });
  if (!wereKnown && tickers && areKnown) setWereKnown(true);
  return wereKnown;
}
