import { Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { nearestTick, parsePrice, stepPrice, typedPrice } from '#lib/browser/trade/limitPrice.ts';
import type { PriceRange } from '#lib/market/ticks.ts';

type PriceStepperProps = {
  label: string;
  /** In cents, as typed. */
  text: string;
  /** The prices that orders of the side may have. */
  grid: readonly PriceRange[];
  onChange: (text: string) => void;
  /** Beside the label. */
  children?: ReactNode;
};

const KEYS: Record<string, 'up' | 'down'> = { ArrowUp: 'up', ArrowDown: 'down' };
const FAR = 10;

/** A price in cents; arrow keys and buttons step by the market's ticks, ten with Shift. */
export function PriceStepper({ label, text, grid, onChange, children }: PriceStepperProps) {
  const id = useId();
  const step = (direction: 'up' | 'down', times = 1) => {
    const { state, micros } = parsePrice(text, grid);
    if (state === 'empty' || state === 'invalid') {
      const middle = nearestTick(500_000n, grid);
      if (middle !== undefined) onChange(typedPrice(middle));
      return;
    }
    let price = micros;
    for (let done = 0; done < times; done += 1) price = stepPrice(price, grid, direction);
    onChange(typedPrice(price));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = KEYS[event.key];
    if (!direction) return;
    event.preventDefault();
    step(direction, event.shiftKey ? FAR : 1);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3 text-14">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {children}
      </div>
      <div className="flex items-center rounded-md border border-line bg-surface focus-within:border-accent focus-within:outline-2 focus-within:outline-accent hover:border-line-strong">
        <StepButton name={`${label}: one tick down`} icon={Minus} onStep={() => step('down')} />
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          placeholder="–"
          value={text}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeyDown}
          className="nums min-h-11 min-w-0 flex-1 bg-transparent text-center font-medium text-17 outline-none placeholder:text-ink-3"
        />
        <span aria-hidden className="-ml-8 w-8 text-ink-3">
          ¢
        </span>
        <StepButton name={`${label}: one tick up`} icon={Plus} onStep={() => step('up')} />
      </div>
    </div>
  );
}

type StepButtonProps = { name: string; icon: typeof Minus; onStep: () => void };

function StepButton({ name, icon: Icon, onStep }: StepButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      onClick={onStep}
      className="grid size-11 shrink-0 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
