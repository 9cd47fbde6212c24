import { Segmented } from '#components/ui/Segmented.tsx';
import { cents } from '#lib/format/money.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import type { PriceRange } from '#lib/market/ticks.ts';
import { PriceStepper } from './PriceStepper.tsx';
import type { StopTrigger } from './useStopTrigger.ts';

type StopFieldsProps = {
  trigger: StopTrigger;
  grid: readonly PriceRange[];
};

/** The price at which a stop order goes to the exchange, and from which side it is reached. */
export function StopFields({ trigger, grid }: StopFieldsProps) {
  const { terms, watchedMicros, text, type, direction, choose } = trigger;
  const price = `${sideWord(terms.side)} ${terms.source}`;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Segmented
        legend={`When the ${price}`}
        value={direction}
        onChange={choose}
        size="s"
        options={[
          { value: 'below', label: `${price} falls to` },
          { value: 'above', label: `${price} rises to` },
        ]}
      />
      <PriceStepper label="Trigger price" text={text} grid={grid} onChange={type}>
        <span className="nums text-13 text-ink-2">
          now {watchedMicros === undefined ? '–' : cents(watchedMicros)}
        </span>
      </PriceStepper>
    </div>
  );
}
