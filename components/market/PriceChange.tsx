import clsx from 'clsx';

/** The change of a day in points of chance; arrow and text repeat the colour's meaning. */
export function PriceChange({ points, className }: { points: number | null; className?: string }) {
  if (points === null) return null;
  if (points === 0) {
    return (
      <span className={clsx('nums text-ink-3', className)}>
        <span aria-hidden>0</span>
        <span className="sr-only">no change in 24 hours</span>
      </span>
    );
  }
  const up = points > 0;
  const size = Math.abs(points);
  return (
    <span className={clsx('nums whitespace-nowrap', up ? 'text-yes' : 'text-no', className)}>
      <span aria-hidden className="moved" data-down={!up || undefined}>
        {size}
      </span>
      <span className="sr-only">
        {up ? 'up' : 'down'} {size} {size === 1 ? 'point' : 'points'} in 24 hours
      </span>
    </span>
  );
}
