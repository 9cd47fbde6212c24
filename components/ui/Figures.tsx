import clsx from 'clsx';
import type { ReactNode } from 'react';

/** A list of labelled amounts, right-aligned like a bill. */
export function Figures({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={clsx('grid gap-y-2 text-14', className)}>{children}</dl>;
}

type FigureProps = { label: ReactNode; children: ReactNode; strong?: boolean; hint?: string };

export function Figure({ label, children, strong, hint }: FigureProps) {
  return (
    <div className="flex items-baseline justify-between gap-4 max-[20rem]:flex-wrap" title={hint}>
      <dt className={strong ? 'font-medium text-ink' : 'text-ink-2'}>{label}</dt>
      <dd className={clsx('nums text-right', strong ? 'font-semibold text-ink' : 'text-ink')}>
        {children}
      </dd>
    </div>
  );
}
