import clsx from 'clsx';
import { ArrowDown, ArrowUp, Square, SquareCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { ChoiceLinks, PillLinks } from '#components/market/FilterLinks.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import {
  nextSorting,
  POSITION_SORTS,
  type Sorting,
  usualOrder,
} from '#lib/portfolio/positionOrder.ts';
import { PORTFOLIO_SHOWS, type PortfolioFilter, portfolioHref } from './portfolioFilter.ts';

type ToolbarProps = { filter: PortfolioFilter; smallCount: number };

/** The display options of the position list as links; the URL holds the choice. */
export function PortfolioToolbar({ filter, smallCount }: ToolbarProps) {
  const isByEvent = filter.group === 'event';
  const isHidden = filter.small === 'hidden';
  return (
    <div
      id="holdings"
      ref={showIfAsked}
      className="relative -mb-4 flex scroll-mt-20 flex-wrap items-center justify-between gap-x-6 gap-y-1"
    >
      <PillLinks
        label="Positions"
        options={PORTFOLIO_SHOWS}
        current={filter.show}
        href={(show) => portfolioHref(filter, { show })}
      />
      {filter.show === 'held' && (
        <>
          <div className="-mr-3 flex items-center md:hidden">
            <ChoiceLinks
              label="Sort"
              options={POSITION_SORTS}
              current={filter.sort}
              href={(sort) => portfolioHref(filter, { sort, order: usualOrder(sort) })}
              edge="end"
            />
            <OrderLink filter={filter} />
          </div>
          <div className="flex flex-wrap items-center gap-x-5 max-md:w-full md:-mr-3 md:gap-x-1">
            <SwitchLink
              isOn={isByEvent}
              href={portfolioHref(filter, { group: isByEvent ? 'state' : 'event' })}
            >
              By event
            </SwitchLink>
            <SwitchLink
              isOn={isHidden}
              href={portfolioHref(filter, { small: isHidden ? 'shown' : 'hidden' })}
            >
              Hide under 1¢
              {isHidden && <span className="nums">({smallCount} hidden)</span>}
            </SwitchLink>
          </div>
        </>
      )}
    </div>
  );
}

/** The router scrolls to what a link names only if it is there; the portfolio loads first. */
function showIfAsked(toolbar: HTMLElement | null): void {
  if (location.hash === '#holdings') toolbar?.scrollIntoView();
}

function OrderLink({ filter }: { filter: PortfolioFilter }) {
  const Arrow = filter.order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <PageLink
      scroll={false}
      href={portfolioHref(filter, nextSorting(filter, filter.sort))}
      aria-label={`${orderWords(filter)}, reverse`}
      className="grid size-11 place-items-center rounded-md text-ink-2 hover:text-ink"
    >
      <Arrow aria-hidden className="size-4" />
    </PageLink>
  );
}

function orderWords({ sort, order }: Sorting): string {
  if (sort === 'name') return order === 'asc' ? 'A to Z' : 'Z to A';
  return order === 'asc' ? 'Smallest first' : 'Largest first';
}

type SwitchLinkProps = { isOn: boolean; href: string; children: ReactNode };

/** A toggle as a link: it can be shared and works without scripts. */
function SwitchLink({ isOn, href, children }: SwitchLinkProps) {
  const Box = isOn ? SquareCheck : Square;
  return (
    <PageLink
      scroll={false}
      href={href}
      aria-current={isOn ? 'true' : undefined}
      className={clsx(
        'flex h-11 shrink-0 items-center gap-1.5 rounded-md text-14 hover:text-ink md:px-3 md:hover:bg-sunken',
        isOn ? 'font-medium text-ink' : 'text-ink-2',
      )}
    >
      <Box aria-hidden className="size-4 shrink-0" />
      {children}
    </PageLink>
  );
}
