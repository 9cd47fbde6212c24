'use client';

import { ChevronDown } from 'lucide-react';
import { OutcomeRows, type OutcomeRowsProps } from './OutcomeRows.tsx';

/** The outcomes that can be traded, and behind a line those that are decided. */
export function OutcomeGroups(props: OutcomeRowsProps) {
  const decided = props.markets.filter((market) => market.status === 'settled');
  const rest = props.markets.filter((market) => market.status !== 'settled');
  if (decided.length === 0 || rest.length === 0) return <OutcomeRows {...props} />;
  return (
    <div className="grid gap-3">
      <OutcomeRows {...props} markets={rest} />
      <details className="group">
        <summary className="flex min-h-11 list-none items-center gap-2 text-14 text-ink-2 hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronDown
            aria-hidden
            className="size-4 transition-transform duration-(--quick) group-open:rotate-180"
          />
          {decided.length} decided {decided.length === 1 ? 'outcome' : 'outcomes'}
        </summary>
        <OutcomeRows {...props} markets={decided} label="Decided outcomes" />
      </details>
    </div>
  );
}
