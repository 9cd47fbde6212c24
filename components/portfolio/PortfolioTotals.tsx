import { Eye, EyeOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSite } from '#components/app/SiteProvider.tsx';
import { buttonStyle } from '#components/ui/buttonStyle.ts';
import { PageLink } from '#components/ui/PageLink.tsx';
import { toggleAmountsHidden, useAmountsHidden } from '#lib/browser/portfolio/hiddenAmounts.ts';
import { dollarsDown, dollarsSigned } from '#lib/format/money.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';
import { Amount } from './Amount.tsx';

type PortfolioTotalsProps = {
  cashMicros: bigint;
  inOrdersMicros: bigint;
  /** Those that can still pay. */
  positions: PositionView[];
  /** Profit or loss of everything sold, redeemed or lost; undefined until it is known. */
  realisedMicros: bigint | undefined;
};

function sum(positions: PositionView[], of: (position: PositionView) => bigint | null): bigint {
  return positions.reduce((total, position) => total + (of(position) ?? 0n), 0n);
}

export function PortfolioTotals(props: PortfolioTotalsProps) {
  const { cashMicros, inOrdersMicros, positions, realisedMicros } = props;
  const { sandbox } = useSite();
  const value = sum(positions, (position) => position.valueMicros);
  return (
    <section
      aria-label="Totals"
      className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-x-4 gap-y-4 sm:flex sm:flex-wrap sm:items-end sm:gap-x-10"
    >
      <Total
        label="Total value"
        note={
          inOrdersMicros > 0n && (
            <>
              , <Amount>{dollarsDown(inOrdersMicros)}</Amount> in orders
            </>
          )
        }
        strong
      >
        <Amount>{dollarsDown(cashMicros + inOrdersMicros + value)}</Amount>
        <HideButton />
      </Total>
      <Total label="Cash" testId="portfolio-cash">
        <Amount>{dollarsDown(cashMicros)}</Amount>
      </Total>
      <Total label="Positions">
        <Amount>{dollarsDown(value)}</Amount>
      </Total>
      <Profit label="Unrealized P&L" micros={sum(positions, (position) => position.profitMicros)} />
      <Profit label="Realized P&L" micros={realisedMicros} />
      <div className="col-span-full flex flex-wrap gap-2 lg:ml-auto">
        <PageLink href="/deposit" className={buttonStyle('outline')}>
          {sandbox ? 'Add test USDC' : 'Deposit'}
        </PageLink>
        <PageLink href="/withdraw" className={buttonStyle('outline')}>
          Withdraw
        </PageLink>
      </div>
    </section>
  );
}

function HideButton() {
  const hidden = useAmountsHidden();
  const Icon = hidden ? EyeOff : Eye;
  return (
    <button
      type="button"
      aria-pressed={hidden}
      aria-label="Hide amounts"
      onClick={toggleAmountsHidden}
      className="ml-1 inline-grid size-11 place-items-center rounded-md align-middle text-ink-3 hover:bg-sunken hover:text-ink"
    >
      <Icon aria-hidden className="size-[18px]" />
    </button>
  );
}

function Profit({ label, micros }: { label: string; micros: bigint | undefined }) {
  if (micros === undefined) return <Total label={label}>–</Total>;
  const tone = micros > 0n ? 'text-yes' : micros < 0n ? 'text-no' : '';
  return (
    <Total label={label}>
      <span className={tone}>
        <Amount>{dollarsSigned(micros)}</Amount>
      </span>
    </Total>
  );
}

type TotalProps = {
  label: string;
  /** Beside the label, where its appearance moves nothing. */
  note?: ReactNode;
  children: ReactNode;
  strong?: boolean;
  testId?: string;
};

function Total({ label, note, children, strong, testId }: TotalProps) {
  return (
    <div className={strong ? 'max-sm:col-span-full' : undefined}>
      <p className="text-13 text-ink-3">
        {label}
        {note}
      </p>
      <p
        data-testid={testId}
        className={`nums h-[max(44px,1.25em)] font-semibold leading-[max(44px,1.25em)] tracking-[-0.02em] ${strong ? 'text-32' : 'text-20'}`}
      >
        {children}
      </p>
    </div>
  );
}
