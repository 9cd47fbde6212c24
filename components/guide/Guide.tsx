import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { NavLink } from '#components/app/NavLink.tsx';

const PAGES = [
  { href: '/how-it-works', label: 'How it works' },
  { href: '/fees', label: 'Fees' },
  { href: '/help', label: 'Help' },
  { href: '/privacy', label: 'Privacy' },
  { href: '/terms', label: 'Terms' },
];

/** The pages that explain the service. */
export function GuideNav() {
  return (
    <nav aria-label="About Crossbook" className="mb-6 flex flex-wrap gap-x-6 border-b">
      {PAGES.map(({ href, label }) => (
        <NavLink
          key={href}
          href={href}
          className="-mb-px flex min-h-11 items-center border-transparent border-b-2 text-14 text-ink-2 hover:text-ink aria-[current]:border-ink aria-[current]:font-medium aria-[current]:text-ink"
        >
          {label}
        </NavLink>
      ))}
    </nav>
  );
}

type GuideHeadProps = { title: string; children: ReactNode };

export function GuideHead({ title, children }: GuideHeadProps) {
  return (
    <header className="mb-8 max-w-3xl">
      <h1 className="text-balance font-semibold text-26 leading-tight tracking-[-0.015em] md:text-32">
        {title}
      </h1>
      <p className="mt-3 text-17 text-ink-2">{children}</p>
    </header>
  );
}

type GuideSectionProps = { id: string; title: string; children: ReactNode };

export function GuideSection({ id, title, children }: GuideSectionProps) {
  return (
    <section aria-labelledby={id} className="mb-10">
      <h2 id={id} className="mb-3 font-semibold text-20 tracking-[-0.01em]">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Running text at a readable width. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className="grid max-w-2xl gap-3 text-ink-2 [&_b]:text-ink">{children}</div>;
}

/** Facts side by side, each with its figure or name first. */
export function FactGrid({ children }: { children: ReactNode }) {
  return <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">{children}</ul>;
}

type FactProps = { title: string; Icon?: LucideIcon; children: ReactNode };

export function Fact({ title, Icon, children }: FactProps) {
  return (
    <li className="sheet p-4 md:p-5">
      {Icon && <Icon aria-hidden className="mb-2 size-5 text-ink-3" />}
      <h3 className="font-semibold text-15">{title}</h3>
      <p className="mt-1 text-14 text-ink-2">{children}</p>
    </li>
  );
}

type PlainTableProps = { caption: string; columns: readonly string[]; children: ReactNode };

/** A table of sentences; on a phone each row is a block. */
export function PlainTable({ caption, columns, children }: PlainTableProps) {
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
      <tbody className="max-md:block">{children}</tbody>
    </table>
  );
}

export function PlainRow({ head, cells }: { head: ReactNode; cells: readonly ReactNode[] }) {
  return (
    <tr className="align-top max-md:grid max-md:gap-1 max-md:border-t max-md:px-4 max-md:py-3 max-md:first:border-t-0 md:[&>*]:border-t md:[&>*]:px-4 md:[&>*]:py-3">
      <th scope="row" className="text-left font-medium md:w-1/4">
        {head}
      </th>
      {cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
        <td key={index} className="text-ink-2">
          {cell}
        </td>
      ))}
    </tr>
  );
}
