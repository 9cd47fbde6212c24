import { LocalTime } from '#components/ui/LocalTime.tsx';
import { OpensIn } from './OpensIn.tsx';

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
