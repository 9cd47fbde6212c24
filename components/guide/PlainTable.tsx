import type { ReactNode } from 'react';

type PlainTableProps = {
  caption: string;
  columns: readonly string[];
  /** The cells of each row; the first one names it. */
  rows: readonly (readonly [name: string, ...cells: ReactNode[]])[];
};

/** A table of sentences; on a phone each row is a block. */
export function PlainTable({ caption, columns, rows }: PlainTableProps) {
  return (
    <table className="sheet w-full border-separate border-spacing-0 text-14 max-md:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-md:sr-only">
        <tr className="text-left text-13 text-ink-3">
          {columns.map((column) => (
            <th key={column} scope="col" className="px-4 py-2.5 font-normal">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rows.map(([name, ...cells]) => (
          <tr
            key={name}
            className="align-top max-md:grid max-md:gap-1 max-md:border-t max-md:px-4 max-md:py-3 max-md:first:border-t-0 md:[&>*]:border-t md:[&>*]:px-4 md:[&>*]:py-3"
          >
            <th scope="row" className="text-left font-medium md:w-1/4">
              {name}
            </th>
            {cells.map((cell, index) => (
              <td key={columns[index + 1]} className="text-ink-2">
                {/* On a phone the head of the table is out of sight. */}
                {cells.length > 1 && (
                  <span className="text-ink-3 md:hidden">{columns[index + 1]}: </span>
                )}
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
