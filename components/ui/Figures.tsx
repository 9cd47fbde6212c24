import clsx from 'clsx';
import type { ReactNode } from 'react';
import { dollarsDown, dollarsExact } from '#lib/format/money.ts';

export function Figures({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={clsx('grid gap-y-2 text-14', className)}>{children}</dl>;
}

type FigureProps = { label: ReactNode; children: ReactNode; strong?: boolean };

export function Figure({ label, children, strong }: FigureProps) {
  return (
    <div className="flex items-baseline justify-between gap-4 max-[20rem]:flex-wrap">
      <dt className={strong ? 'font-medium text-ink' : 'text-ink-2'}>{label}</dt>
      <dd className={clsx('nums text-right', strong ? 'font-semibold text-ink' : 'text-ink')}>
        {children}
      </dd>
    </div>
  );
}

export function Cents({ micros }: { micros: bigint }) {
  const exact = dollarsExact(micros);
  return (
    <data value={exact} title={exact}>
      {dollarsDown(micros)}
    </data>
  );
}
