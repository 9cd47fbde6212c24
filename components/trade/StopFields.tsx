import { Segmented } from '#components/ui/Segmented.tsx';
import { cents } from '#lib/format/money.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import type { PriceRange } from '#lib/market/ticks.ts';
import { PriceStepper } from './PriceStepper.tsx';
import { PROTECTIONS } from './useLimitOptions.ts';
import type { LimitTicketState } from './useLimitTicket.ts';
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

type StopTypeProps = {
  limit: LimitTicketState;
  /** At which a market order is filled at worst; undefined without a trigger price. */
  worstMicros: bigint | undefined;
};

/** What becomes of the order at its trigger, and how far a market order may go. */
export function StopType({ limit: { options, change, isMarket }, worstMicros }: StopTypeProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-14">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <span className="font-medium">Then place</span>
        <Segmented
          legend="Order at the trigger"
          value={options.stopType}
          onChange={(stopType) => change({ stopType })}
          size="s"
          options={[
            { value: 'market', label: 'Market order' },
            { value: 'limit', label: 'Limit order' },
          ]}
        />
      </div>
      {isMarket && (
        <label className="flex items-center justify-between gap-3">
          <span>
            Price protection
            <span className="nums block text-13 text-ink-3">
              {worstMicros === undefined
                ? 'beyond the trigger'
                : `worst price ${cents(worstMicros)}`}
            </span>
          </span>
          <select
            value={String(options.protectionMicros)}
            onChange={(event) => change({ protectionMicros: BigInt(event.target.value) })}
            className="nums min-h-11 rounded-md border border-line bg-surface px-3 hover:border-line-strong"
          >
            {PROTECTIONS.map((micros) => (
              <option key={String(micros)} value={String(micros)}>
                {cents(micros)}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
