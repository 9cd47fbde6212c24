import clsx from 'clsx';
import type { ReactNode } from 'react';
import { dollars, dollarsExact } from '#lib/format/money.ts';

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

type FigureTableProps = {
  /** The first column is left-aligned, the figures in the others right-aligned. */
  columns: readonly string[];
  caption?: string;
  children: ReactNode;
};

export function FigureTable({ columns, caption, children }: FigureTableProps) {
  return (
    <table className="sheet figure-table nums w-full border-separate border-spacing-0 overflow-hidden text-[min(0.875rem,5.5vw)]">
      {caption && <caption className="sr-only">{caption}</caption>}
      <thead>
        <tr className="text-left text-[min(0.8125rem,5vw)] text-ink-3">
          {columns.map((column, index) => (
            <th key={column} scope="col" className={`font-normal ${index > 0 ? 'text-right' : ''}`}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  );
}

export function Cents({ micros }: { micros: bigint }) {
  const exact = dollarsExact(micros);
  return (
    <data value={exact} title={exact}>
      {dollars(micros)}
    </data>
  );
}
