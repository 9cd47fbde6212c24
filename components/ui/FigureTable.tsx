import type { ReactNode } from 'react';

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
