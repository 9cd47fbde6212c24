import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { orderBookQuery } from '#lib/browser/queries/markets.ts';
import { cents, contractsShort } from '#lib/format/money.ts';
import { type DepthShape, depthShape } from '#lib/market/depthShape.ts';
import { ladderOf } from '#lib/market/ladder.ts';
import { CENT_MICROS } from '#lib/money.ts';
import { BookHeading } from './BookHeading.tsx';

/** How much is offered up to each price of Yes. The ladder beside it has the same as a table. */
export function DepthChart({ ticker, label }: { ticker: string; label: string | undefined }) {
  const { api } = useApp();
  const { data } = useQuery(orderBookQuery(api, ticker));
  const shape = data && depthShape(ladderOf(data, 'yes', CENT_MICROS / 10n));
  return (
    <section aria-labelledby={`depth-${ticker}`}>
      <BookHeading id={`depth-${ticker}`} title="Depth" label={label} />
      <div className="sheet h-44 p-4">
        {shape ? (
          <Drawing shape={shape} />
        ) : (
          <p className="grid h-full place-items-center text-14 text-ink-3">
            {data ? 'Offers on one side only.' : ''}
          </p>
        )}
      </div>
    </section>
  );
}

function Drawing({ shape }: { shape: DepthShape }) {
  const { bids, asks, lowestMicros, middleMicros, highestMicros, mostContractMicros } = shape;
  const most = contractsShort(mostContractMicros);
  return (
    <figure className="nums flex h-full flex-col text-12 text-ink-3">
      <figcaption className="sr-only">
        Bids and asks for Yes around {price(middleMicros)}, up to {most} contracts on one side.
      </figcaption>
      <div aria-hidden className="relative min-h-0 flex-1">
        <span className="absolute inset-x-0 top-0 text-center">{most}</span>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="size-full">
          <title>Depth</title>
          <path d={bids} className="depth-bids" />
          <path d={asks} className="depth-asks" />
        </svg>
      </div>
      <div aria-hidden className="grid grid-cols-3 border-t pt-1">
        <span>{price(lowestMicros)}</span>
        <span className="text-center text-ink">{price(middleMicros)}</span>
        <span className="text-right">{price(highestMicros)}</span>
      </div>
    </figure>
  );
}

/** The edges of the drawing lie beyond 0 and a dollar, where no order can be. */
function price(micros: bigint): string {
  if (micros <= 0n) return '0¢';
  return cents(micros >= 1_000_000n ? 1_000_000n : (micros / 1_000n) * 1_000n);
}
