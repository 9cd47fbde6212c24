import clsx from 'clsx';
import { Check, ChevronDown } from 'lucide-react';
import { PageLink } from '#components/ui/PageLink.tsx';

type PillsProps<T extends string | undefined> = {
  label: string;
  options: readonly { value: T; label: string }[];
  current: T;
  href: (value: T) => string;
};

/** Filter links: one line that scrolls sideways on touch screens, else as many lines as needed. */
export function PillLinks<T extends string | undefined>(props: PillsProps<T>) {
  const { label, options, current, href } = props;
  return (
    <nav
      aria-label={label}
      className="-mx-4 flex min-w-0 gap-1 scroll-px-4 overflow-x-auto px-4 [scrollbar-width:none] md:mx-0 md:flex-wrap md:px-0"
    >
      {options.map((option) => (
        <PageLink
          key={option.label}
          href={href(option.value)}
          aria-current={option.value === current ? 'true' : undefined}
          className={clsx(
            'flex min-h-11 shrink-0 items-center rounded-md px-3 text-14 md:min-h-9',
            option.value === current
              ? 'bg-ink font-medium text-on-ink [scroll-initial-target:nearest]'
              : 'text-ink-2 hover:bg-sunken hover:text-ink',
          )}
        >
          {option.label}
        </PageLink>
      ))}
    </nav>
  );
}

type ChoiceProps<T extends string> = {
  label: string;
  options: readonly { value: T; label: string }[];
  current: T;
  href: (value: T) => string;
  /** The edge of the label that the list aligns with; on a phone it is as wide as its line. */
  edge?: 'start' | 'end';
};

/** A menu of links: it works without scripts and can be shared. */
export function ChoiceLinks<T extends string>(props: ChoiceProps<T>) {
  const { label, options, current, href, edge = 'start' } = props;
  const shown = options.find((option) => option.value === current)?.label ?? current;
  // A label of its own: "Any" alone would not name the filter.
  const saysNothing = shown === 'Any';
  return (
    // The key closes the menu when another option is chosen.
    <details key={current} className="group relative max-sm:static" name="list-choice">
      <summary className="flex min-h-11 list-none items-center gap-1.5 rounded-sm text-14 text-ink-2 hover:text-ink md:min-h-9 [&::-webkit-details-marker]:hidden">
        <span
          className={clsx(saysNothing ? 'max-sm:font-medium max-sm:text-ink' : 'max-sm:sr-only')}
        >
          {label}
          <span className="max-sm:sr-only">: </span>
        </span>
        <span className={clsx('font-medium text-ink', saysNothing && 'max-sm:sr-only')}>
          {shown}
        </span>
        <ChevronDown aria-hidden className="size-3.5 text-ink-3" />
      </summary>
      <ul
        className={clsx(
          'absolute top-full z-10 max-h-[60dvh] min-w-44 overflow-y-auto rounded-md max-sm:inset-x-0 border border-line bg-surface p-1 shadow-(--shadow-float)',
          edge === 'start' ? 'left-0' : 'right-0',
        )}
      >
        {options.map((option) => (
          <li key={option.value}>
            <PageLink
              href={href(option.value)}
              aria-current={option.value === current ? 'true' : undefined}
              className="flex min-h-11 items-center justify-between gap-4 rounded-sm px-3 text-14 hover:bg-sunken aria-[current]:font-medium md:min-h-9"
            >
              {option.label}
              {option.value === current && <Check aria-hidden className="size-4" />}
            </PageLink>
          </li>
        ))}
      </ul>
    </details>
  );
}
