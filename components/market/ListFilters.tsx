import clsx from 'clsx';
import { LayoutGrid, Rows3 } from 'lucide-react';
import { PageLink } from '#components/ui/PageLink.tsx';
import { ChoiceLinks, PillLinks } from './FilterLinks.tsx';
import { SavedIcon } from './icons.tsx';
import {
  LIST_SORTS,
  LIST_STATUSES,
  LIST_VIEWS,
  type ListFilter,
  listHref,
  listView,
} from './listFilter.ts';
import { SavedViewsMenu } from './SavedViewsMenu.tsx';

export function ListFilters({ filter, categories }: { filter: ListFilter; categories: string[] }) {
  return (
    <div className="mb-5 grid gap-1 border-b pb-2">
      <PillLinks
        label="Categories"
        options={[
          { value: undefined, label: 'All' },
          ...categories.map((category) => ({ value: category, label: category })),
        ]}
        current={filter.category}
        href={(category) => listHref(filter, { category })}
      />
      <div className="relative flex items-center gap-x-2 sm:gap-x-4 md:gap-x-5">
        <ChoiceLinks
          label="Status"
          options={LIST_STATUSES}
          current={filter.status}
          href={(status) => listHref(filter, { status })}
        />
        <ChoiceLinks
          label="Sort"
          options={LIST_SORTS}
          current={filter.sort}
          href={(sort) => listHref(filter, { sort })}
        />
        <SavedViewsMenu view={listView(filter)} icon={<SavedIcon />} />
        <ViewLinks filter={filter} />
      </div>
    </div>
  );
}

const VIEW_ICONS = { cards: LayoutGrid, table: Rows3 };

function ViewLinks({ filter }: { filter: ListFilter }) {
  return (
    <nav aria-label="View" className="flex">
      {LIST_VIEWS.map(({ value, label }) => {
        const Icon = VIEW_ICONS[value];
        const current = value === filter.view;
        return (
          <PageLink
            key={value}
            href={listHref(filter, { view: value })}
            aria-current={current ? 'true' : undefined}
            aria-label={label}
            title={label}
            className={clsx(
              'grid size-11 place-items-center rounded-md md:size-9',
              current ? 'bg-sunken text-ink' : 'text-ink-3 hover:text-ink',
            )}
          >
            <Icon aria-hidden className="size-[18px]" />
          </PageLink>
        );
      })}
    </nav>
  );
}
