import { PendingPage } from '#components/ui/PendingPage.tsx';

/** The portfolio's skeleton: totals, chart, positions. */
export function PortfolioPending() {
  return (
    <PendingPage>
      <div className="grid gap-8">
        <div className="skeleton h-71 sm:h-17" />
        <div className="skeleton h-80" />
        <div className="skeleton h-40" />
      </div>
    </PendingPage>
  );
}
