import { Search } from 'lucide-react';
import { SearchButton } from '#components/search/SearchButton.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { BrandMark } from './Brand.tsx';
import { LIVE_BANNER_ID } from './bannerStyle.ts';
import { NavLink } from './NavLink.tsx';
import { OfflineBanner } from './OfflineBanner.tsx';
import { UserMenuLoader } from './UserMenuLoader.tsx';

const NAV_LINK =
  'rounded-sm px-3 py-2 font-medium text-14 text-ink-2 hover:text-ink aria-[current]:text-ink';

export function SiteHeader({ sandbox }: { sandbox: boolean }) {
  return (
    <header className="group/header sticky top-0 z-20 border-b">
      {/* A separate element for the blur: `backdrop-filter` on the header would make fixed descendants relative to it. */}
      <span aria-hidden className="-z-10 absolute inset-0 bg-paper/95 backdrop-blur-sm" />
      <a
        href="#main"
        className="sr-only rounded-md bg-ink px-4 py-2 text-on-ink focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <div className="page-width flex h-(--header-height) items-center gap-2 md:gap-5">
        <PageLink href="/" className="flex h-11 items-center gap-2.5 rounded-sm">
          <BrandMark className="size-7" />
          {/* On a phone the user menu needs its room. */}
          <span className="font-semibold text-17 tracking-[-0.01em] max-[20rem]:sr-only max-sm:group-has-[[data-bell]]/header:sr-only">
            Crossbook
          </span>
        </PageLink>
        {sandbox && (
          <span className="hidden rounded-sm border border-line px-1.5 py-0.5 text-12 text-ink-2 sm:inline">
            Sandbox
          </span>
        )}
        <nav aria-label="Main" className="hidden items-center gap-1 lg:flex">
          <NavLink href="/" className={NAV_LINK}>
            Markets
          </NavLink>
          <NavLink href="/portfolio" className={NAV_LINK}>
            Portfolio
          </NavLink>
          <NavLink href="/orders" className={NAV_LINK}>
            Orders
          </NavLink>
          <NavLink href="/activity" className={NAV_LINK}>
            Activity
          </NavLink>
        </nav>
        <div className="ml-auto flex items-center justify-end gap-2 md:flex-1">
          <SearchButton>
            <Search aria-hidden className="size-5 shrink-0 md:size-4" />
            <span className="whitespace-nowrap max-md:sr-only">
              Search<span className="lg:max-xl:sr-only"> markets</span>
            </span>
            <kbd
              aria-hidden
              className="ml-auto rounded border border-line px-1.5 font-mono text-12 max-md:hidden lg:max-xl:hidden"
            >
              /
            </kbd>
          </SearchButton>
          <UserMenuLoader />
        </div>
      </div>
      <OfflineBanner />
      <div role="status" id={LIVE_BANNER_ID} />
    </header>
  );
}
