import { type ReactNode, useId } from 'react';
import { PageLink } from '#components/ui/PageLink.tsx';

type PositionTableProps = { title: string; heads: ReactNode; children: ReactNode };

/** Positions as table rows; on a phone each is a block of labelled figures. */
export function PositionTable({ title, heads, children }: PositionTableProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 font-semibold text-17">
        {title}
      </h2>
      <div className="sheet overflow-hidden">
        <table className="nums w-full text-14 max-md:block lg:table-fixed">
          <thead className="max-md:sr-only">
            <tr className="border-b text-left text-13 text-ink-3 [&>th]:font-normal">{heads}</tr>
          </thead>
          {children}
        </table>
      </div>
    </section>
  );
}

/** Heads of columns that cannot be sorted. */
export function PlainHeads({ columns }: { columns: readonly string[] }) {
  return ['Market', ...columns].map((column) => (
    <th
      key={column}
      scope="col"
      className="px-2 py-2.5 text-right first:pl-4 first:text-left last:pr-4 lg:px-4 lg:first:w-[36%]"
    >
      {column}
    </th>
  ));
}

export function PositionRows({ children }: { children: ReactNode }) {
  return <tbody className="max-md:block [&+tbody]:border-t">{children}</tbody>;
}

type HeldPosition = { marketId: string; name: string; subtitle: string; side: 'yes' | 'no' };

/** One position: its market and its cells; on a phone a block. */
export function PositionRow({
  position,
  note,
  children,
}: {
  position: HeldPosition;
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <tr className="border-b last:border-b-0 max-md:grid max-md:grid-cols-3 max-md:items-start max-md:gap-x-3 max-md:gap-y-2.5 max-md:px-4 max-md:py-4">
      <PositionName position={position} note={note} />
      {children}
    </tr>
  );
}

/** A figure in its column; on a phone the column's head is above it. */
export function PositionCell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <td className="px-2 py-3 text-right lg:px-4 md:last:pr-4 max-md:block max-md:p-0 max-md:text-left">
      <span aria-hidden className="block text-13 text-ink-3 md:hidden">
        {label}
      </span>
      <span>{children}</span>
    </td>
  );
}

/** The head of a row: the market, the side, and its distinguishing part within the event. */
function PositionName({ position, note }: { position: HeldPosition; note: ReactNode }) {
  return (
    <th
      scope="row"
      className="max-w-[23.75rem] px-4 py-3 text-left font-normal max-md:col-span-full max-md:max-w-none max-md:p-0"
    >
      <PageLink
        href={`/markets/${position.marketId}`}
        className="tap block font-medium hover:underline hover:underline-offset-4"
      >
        {position.name}
      </PageLink>
      <span className="text-13 text-ink-3">
        <span className={position.side === 'yes' ? 'text-yes' : 'text-no'}>
          {position.side === 'yes' ? 'Yes' : 'No'}
        </span>
        {position.subtitle && ` · ${position.subtitle}`}
        {note && <> · {note}</>}
      </span>
    </th>
  );
}
