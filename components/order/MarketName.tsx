import { useQueries, useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { marketNameQuery } from '#lib/browser/queries/names.ts';

type MarketNameProps = {
  ticker: string;
  /** What tells it apart from others of the list with its name. */
  distinction?: string | undefined;
  /** Of a page that is about this market. */
  isHead?: boolean;
};

/** A market by its outcome, in full, and its question, which may be cut. Some questions are both. */
export function MarketName({ ticker, distinction, isHead = false }: MarketNameProps) {
  const { api } = useApp();
  const { data, isPending } = useQuery(marketNameQuery(api, ticker));
  if (isPending) return <span className="skeleton inline-block h-[1em] w-48 max-w-full" />;
  const question = [data?.question ?? ticker, distinction].filter(Boolean).join(' · ');
  return <MarketWords question={question} outcome={data?.outcome} isHead={isHead} />;
}

type MarketWordsProps = { outcome: string | undefined; question: string; isHead?: boolean };

export function MarketWords({ outcome, question, isHead = false }: MarketWordsProps) {
  const name = clsx('wrap-anywhere block text-ink', isHead ? 'font-medium text-17' : 'text-14');
  return (
    <>
      {outcome !== undefined && <span className={name}>{outcome}</span>}
      <span
        className={
          outcome === undefined
            ? name
            : clsx('line-clamp-2 text-ink-3', isHead ? 'text-14' : 'text-13')
        }
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
