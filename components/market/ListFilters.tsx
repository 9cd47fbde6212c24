import clsx from 'clsx';
import Link from 'next/link';

export type ListFilter = {
  category: string | undefined;
  status: (typeof LIST_STATUSES)[number]['value'];
  sort: (typeof LIST_SORTS)[number]['value'];
};

export const LIST_SORTS = [
  { value: 'trending', label: 'Most active' },
  { value: 'closing', label: 'Closing soon' },
  { value: 'newest', label: 'Newest' },
  { value: 'liquidity', label: 'Deepest book' },
] as const;

export const LIST_STATUSES = [
  { value: 'open', label: 'Open' },
  { value: 'unopened', label: 'Upcoming' },
  { value: 'closed', label: 'Closed' },
  { value: 'settled', label: 'Settled' },
] as const;

/** The address of the list with one filter changed; defaults stay out of the URL. */
export function listHref(current: ListFilter, change: Partial<ListFilter>): string {
  const next = { ...current, ...change };
  const query = new URLSearchParams();
  if (next.category) query.set('category', next.category);
  if (next.status !== 'open') query.set('status', next.status);
  if (next.sort !== 'trending') query.set('sort', next.sort);
  const text = query.toString();
  return text === '' ? '/' : `/?${text}`;
}

type ListFiltersProps = { filter: ListFilter; categories: string[] };

/** Filters as links: they work before any script does and can be shared. */
export function ListFilters({ filter, categories }: ListFiltersProps) {
  return (
    <div className="mb-5 grid gap-x-6 gap-y-2 border-b pb-3 lg:flex lg:items-start">
      <nav
        aria-label="Categories"
        className="-mx-4 flex gap-1 overflow-x-auto px-4 [scrollbar-width:none] lg:mx-0 lg:flex-wrap lg:px-0"
      >
        <Pill href={listHref(filter, { category: undefined })} current={!filter.category}>
          All
        </Pill>
        {categories.map((category) => (
          <Pill
            key={category}
            href={listHref(filter, { category })}
            current={filter.category === category}
          >
            {category}
          </Pill>
        ))}
      </nav>
      <div className="flex shrink-0 gap-x-5 text-[14px] lg:ml-auto">
        <Choice
          label="Status"
          options={LIST_STATUSES}
          current={filter.status}
          filter={filter}
          name="status"
        />
        <Choice
          label="Sort"
          options={LIST_SORTS}
          current={filter.sort}
          filter={filter}
          name="sort"
        />
      </div>
    </div>
  );
}

function Pill({ href, current, children }: { href: string; current: boolean; children: string }) {
  return (
    <Link
      href={href}
      aria-current={current ? 'true' : undefined}
      className={clsx(
        'flex h-11 shrink-0 items-center rounded-m px-3 text-[14px] md:h-9',
        current ? 'bg-ink font-medium text-on-ink' : 'text-ink-2 hover:bg-sunken hover:text-ink',
      )}
    >
      {children}
    </Link>
  );
}

type ChoiceProps = {
  label: string;
  name: 'status' | 'sort';
  options: readonly { value: string; label: string }[];
  current: string;
  filter: ListFilter;
};

function Choice({ label, name, options, current, filter }: ChoiceProps) {
  const shown = options.find((option) => option.value === current)?.label ?? current;
  return (
    <details className="group relative">
      <summary className="flex h-11 list-none items-center gap-1.5 rounded-s text-ink-2 hover:text-ink md:h-9 [&::-webkit-details-marker]:hidden">
        {label}: <span className="font-medium text-ink">{shown}</span>
        <span aria-hidden className="text-[10px]">
          ▾
        </span>
      </summary>
      <ul className="absolute top-full right-0 z-10 min-w-44 rounded-m border border-line bg-surface p-1 shadow-(--shadow-float) max-lg:right-auto max-lg:left-0">
        {options.map((option) => (
          <li key={option.value}>
            <Link
              href={listHref(filter, { [name]: option.value })}
              aria-current={option.value === current ? 'true' : undefined}
              className="flex h-11 items-center rounded-s px-3 hover:bg-sunken aria-[current]:font-medium md:h-9"
            >
              {option.label}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
