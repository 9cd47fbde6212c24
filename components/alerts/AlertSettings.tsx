import { ChevronDown } from 'lucide-react';
import type { PriceAlert } from '#lib/api/schemas/priceAlert.ts';
import { AlertList } from './AlertList.tsx';

/** All alerts that wait, on every market: one row until it is opened. */
export function AlertSettings({ alerts }: { alerts: readonly PriceAlert[] }) {
  const waiting = alerts.filter(({ status }) => status === 'waiting');
  if (waiting.length === 0) {
    return (
      <p className="px-4 pb-3 text-13 text-ink-3">
        Set price alerts with the bell on a market’s page.
      </p>
    );
  }
  return (
    <details className="group px-4 text-14">
      <summary className="flex min-h-11 list-none items-center justify-between gap-3 rounded-sm hover:text-ink [&::-webkit-details-marker]:hidden">
        <span>
          Price alerts <span className="nums text-ink-3">{waiting.length} waiting</span>
        </span>
        <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <AlertList alerts={waiting} hasNames />
    </details>
  );
}
