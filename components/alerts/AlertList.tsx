import { Trash2 } from 'lucide-react';
import { MarketName } from '#components/order/MarketName.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import type { PriceAlert } from '#lib/api/schemas/priceAlert.ts';
import { alertWords } from '#lib/market/alertTerms.ts';
import { useDeleteAlert } from './usePriceAlerts.ts';

type AlertListProps = {
  alerts: readonly PriceAlert[];
  /** Whether each alert names its market. */
  hasNames: boolean;
};

/** Alerts that wait, each with a button that deletes it. */
export function AlertList({ alerts, hasNames }: AlertListProps) {
  const remove = useDeleteAlert();
  return (
    <>
      <ul aria-label="Price alerts" className="divide-y text-14">
        {alerts.map((alert) => (
          <li key={alert.id} className="flex min-h-11 items-center justify-between gap-3 py-1">
            <div className="nums min-w-0">
              <span className="font-medium">{alertWords(alert)}</span>
              {hasNames && (
                <PageLink href={`/markets/${alert.ticker}`} className="block hover:underline">
                  <MarketName ticker={alert.ticker} />
                </PageLink>
              )}
            </div>
            <button
              type="button"
              aria-label={`Delete alert: ${alertWords(alert)}`}
              disabled={remove.isPending}
              onClick={() => remove.mutate(alert.id)}
              className="grid size-11 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-sunken hover:text-ink md:size-9"
            >
              <Trash2 aria-hidden className="size-4" />
            </button>
          </li>
        ))}
      </ul>
      <ErrorNotice error={remove.error} />
    </>
  );
}
