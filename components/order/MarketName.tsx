import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useApp } from '#components/app/useApp.ts';
import { marketNameQuery } from '#lib/browser/queries/names.ts';

/** A market by its outcome, in full, and its question, which may be cut. */
export function MarketName({ ticker }: { ticker: string }) {
  const { api } = useApp();
  const { data, isPending } = useQuery(marketNameQuery(api, ticker));
  if (isPending) return <span className="skeleton inline-block h-[1em] w-48 max-w-full" />;
  return <MarketWords question={data?.question ?? ticker} outcome={data?.outcome} />;
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
