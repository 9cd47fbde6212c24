import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { marketTitleQuery } from '#lib/browser/queries/markets.ts';

type MarketNameProps = {
  ticker: string;
  /** What tells it apart from others of the list with its name. */
  distinction?: string | undefined;
  className?: string;
};

export function MarketName(props: MarketNameProps) {
  const { ticker, distinction, className = 'text-13 text-ink-3' } = props;
  const { api } = useApp();
  const { data, isPending } = useQuery(marketTitleQuery(api, ticker));
  return (
    <span className={`line-clamp-2 ${className}`}>
      {isPending ? (
        <span className="skeleton inline-block h-[1em] w-48 max-w-full align-middle" />
      ) : (
        [data?.name ?? ticker, distinction].filter(Boolean).join(' · ')
      )}
    </span>
  );
}
