import type { ReactNode } from 'react';
import { PageLink } from '#components/ui/PageLink.tsx';
import { type SavedView, toggleSavedView, useSavedViews } from '#lib/browser/market/savedViews.ts';

type SavedViewsProps = {
  view: SavedView | undefined;
  /** A `SavedIcon`, which the server renders. */
  icon: ReactNode;
};

export function SavedViews({ view, icon }: SavedViewsProps) {
  const views = useSavedViews();
  const isStored = views.some(({ href }) => href === view?.href);
  const links = [{ href: '/watchlist', name: 'Watchlist' }, ...views];
  return (
    <details
      key={view?.href}
      data-kept={isStored || undefined}
      className="group relative ml-auto max-sm:static"
      name="list-choice"
    >
      <summary className="flex min-h-11 min-w-11 list-none items-center justify-center gap-1.5 rounded-sm text-14 text-ink-2 hover:text-ink md:min-h-9 [&::-webkit-details-marker]:hidden">
        {icon}
        <span className="max-sm:sr-only">Saved</span>
      </summary>
      <ul className="absolute top-full right-0 z-10 w-56 max-h-[60dvh] overflow-y-auto max-sm:inset-x-0 max-sm:w-auto rounded-md border border-line bg-surface p-1 text-14 shadow-(--shadow-float)">
        {links.map(({ href, name }) => (
          <li key={href}>
            <PageLink
              href={href}
              aria-current={href === view?.href ? 'true' : undefined}
              className={ROW}
            >
              <span className="truncate">{name}</span>
            </PageLink>
          </li>
        ))}
        {view && (
          <li className="mt-1 border-t pt-1">
            <button type="button" onClick={() => toggleSavedView(view)} className={ROW}>
              {isStored ? 'Remove saved view' : 'Save this view'}
            </button>
          </li>
        )}
      </ul>
    </details>
  );
}

const ROW =
  'flex min-h-11 w-full items-center rounded-sm px-3 hover:bg-sunken aria-[current]:font-medium md:min-h-9';
