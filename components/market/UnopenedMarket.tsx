import { useNow } from '#components/ui/clock.ts';
import { Until } from '#components/ui/Durations.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';

type NotOpenYetProps = { openTime: string; renderedAtMs: number };

export function UnopenedMarket({ openTime, renderedAtMs }: NotOpenYetProps) {
  return (
    <section aria-labelledby="opening-heading" className="sheet px-5 py-4">
      <h2 id="opening-heading" className="font-medium text-15">
        <OpensIn openTime={openTime} renderedAtMs={renderedAtMs} />
      </h2>
      <p className="mt-1 text-14 text-ink-2">
        <LocalTime at={openTime} />. Prices, the order book and the chart appear here when trading
        opens.
      </p>
    </section>
  );
}

/** A countdown to the opening; after it, a message that trading is about to start. */
function OpensIn({ openTime, renderedAtMs }: NotOpenYetProps) {
  const now = useNow() ?? renderedAtMs;
  if (Date.parse(openTime) <= now) return 'Opening soon';
  return (
    <>
      Opens in <Until at={openTime} renderedAtMs={renderedAtMs} />
    </>
  );
}
