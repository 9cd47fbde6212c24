import { ArrowLeftRight, ChartNoAxesColumn, CircleUser, Search, Wallet } from 'lucide-react';
import { SearchButton } from '#components/search/SearchButton.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { GUIDE_PAGES } from '#lib/guidePages.ts';
import { BrandMark } from './Brand.tsx';
import { NavLink } from './NavLink.tsx';
import { LIVE_BANNER_ID, OfflineBanner } from './OfflineBanner.tsx';
import { UserMenuLoader } from './UserMenuLoader.tsx';

const NAV_LINKS = [
  { href: '/', label: 'Markets', Icon: ChartNoAxesColumn },
  { href: '/portfolio', label: 'Portfolio', Icon: Wallet },
  { href: '/orders', label: 'Orders', Icon: ArrowLeftRight },
];

const FOOTER = [
  ...GUIDE_PAGES,
  { href: '/developers', label: 'Developers' },
  { href: '/status', label: 'Status' },
];

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
        {/* With large type the name wraps below the logo, out of sight, before the menu leaves the screen. */}
        <PageLink
          href="/"
          className="flex h-11 min-w-7 flex-wrap gap-x-2.5 overflow-hidden rounded-sm"
        >
          <BrandMark className="h-11 w-7" />
          {/* On a phone the user menu needs its room. */}
          <span className="font-semibold text-17 leading-11 tracking-[-0.01em] max-[20rem]:sr-only max-sm:group-has-[[data-notifications]]/header:sr-only">
            Crossbook
          </span>
        </PageLink>
        {sandbox && (
          <span className="hidden rounded-sm border border-line px-1.5 py-0.5 text-12 text-ink-2 sm:inline">
            Sandbox
          </span>
        )}
        <nav aria-label="Main" className="hidden items-center gap-1 lg:flex">
          {[...NAV_LINKS, { href: '/activity', label: 'Activity' }].map(({ href, label }) => (
            <NavLink
              key={href}
              href={href}
              className="rounded-sm px-3 py-2 font-medium text-14 text-ink-2 hover:text-ink aria-[current]:text-ink"
            >
              {label}
            </NavLink>
          ))}
          <NavLink
            href="/workspace"
            className="rounded-sm px-3 py-2 font-medium text-14 text-ink-2 hover:text-ink aria-[current]:text-ink max-[90rem]:hidden"
          >
            Workspace
          </NavLink>
        </nav>
        <div className="ml-auto flex shrink-0 items-center justify-end gap-2 md:flex-1">
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

export function SiteFooter({ sandbox }: { sandbox: boolean }) {
  return (
    <footer className="mt-16 border-t max-lg:mb-[calc(var(--bottom-nav-height)+var(--ticket-bar-height,0px)+env(safe-area-inset-bottom))]">
      <div className="page-width flex flex-wrap items-center gap-x-8 gap-y-3 py-6 text-13 text-ink-3">
        <p className="mr-auto">
          {sandbox
            ? 'Sandbox: a local chain and exchange with test money.'
            : 'Each contract pays $1.00 if right and nothing if wrong. You can lose your entire stake.'}
        </p>
        <nav aria-label="About" className="flex flex-wrap gap-x-5 gap-y-1 pointer-coarse:gap-y-4">
          {FOOTER.map(({ href, label }) => (
            <PageLink key={href} href={href} className="tap py-1 hover:text-ink">
              {label}
            </PageLink>
          ))}
        </nav>
      </div>
    </footer>
  );
}

/** The phone's navigation, within reach of the thumb. */
export function BottomNav() {
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 grid grid-cols-4 border-t bg-paper pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {[...NAV_LINKS, { href: '/account', label: 'Account', Icon: CircleUser }].map(
        ({ href, label, Icon }) => (
          <NavLink
            key={href}
            href={href}
            className="group flex h-(--bottom-nav-height) flex-col items-center justify-center gap-1 text-[min(0.75rem,4.2vw)] text-ink-3 aria-[current]:font-medium aria-[current]:text-ink"
          >
            <Icon aria-hidden className="size-5 stroke-[1.75] group-aria-[current]:stroke-[2.25]" />
            {label}
          </NavLink>
        ),
      )}
    </nav>
  );
}
