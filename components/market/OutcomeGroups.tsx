'use client';

import { ChevronDown } from 'lucide-react';
import { OutcomeRows, type OutcomeRowsProps } from './OutcomeRows.tsx';

/** The tradable outcomes, and the resolved ones in a collapsed group. */
export function OutcomeGroups(props: OutcomeRowsProps) {
  const resolved = props.markets.filter((market) => market.status === 'settled');
  const rest = props.markets.filter((market) => market.status !== 'settled');
  if (resolved.length === 0 || rest.length === 0) return <OutcomeRows {...props} />;
  return (
    <div className="grid gap-3">
      <OutcomeRows {...props} markets={rest} />
      <details className="group">
        <summary className="flex min-h-11 list-none items-center gap-2 text-14 text-ink-2 hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronDown
            aria-hidden
            className="size-4 transition-transform duration-(--quick) group-open:rotate-180"
          />
          {resolved.length} resolved {resolved.length === 1 ? 'outcome' : 'outcomes'}
        </summary>
        <OutcomeRows {...props} markets={resolved} label="Resolved outcomes" />
      </details>
    </div>
  );
}
