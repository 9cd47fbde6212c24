import clsx from 'clsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { cents } from '#lib/format/money.ts';

type PriceLinkProps = {
  href: string;
  side: 'yes' | 'no';
  askMicros: bigint | null;
  marketLabel: string;
  className?: string;
};

/** The price at which a side can be bought now, as a link to its ticket. */
export function PriceLink({ href, side, askMicros, marketLabel, className }: PriceLinkProps) {
  const word = side === 'yes' ? 'Yes' : 'No';
  return (
    <PageLink
      href={href}
      className={clsx(
        'nums inline-flex min-h-11 min-w-[4.625rem] items-center justify-center gap-1.5 rounded-md px-2 font-medium text-14 transition-colors duration-(--quick) md:min-h-9',
        // There are no sellers, or trading has not opened: the link still leads to the ticket,
        // which explains it.
        askMicros === null
          ? 'bg-sunken text-ink-2 hover:text-ink'
          : side === 'yes'
            ? 'bg-yes-soft text-yes hover:bg-yes-solid hover:text-on-solid'
            : 'bg-no-soft text-no hover:bg-no-solid hover:text-on-solid',
        className,
      )}
    >
      <span>
        <span className="sr-only">Buy </span>
        {word}
      </span>
      <span>{askMicros === null ? '–' : cents(askMicros)}</span>
      <span className="sr-only">, {marketLabel}</span>
    </PageLink>
  );
}
