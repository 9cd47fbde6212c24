import clsx from 'clsx';
import { type ReactNode, useId } from 'react';

export type SegmentedOption<T extends string> = { value: T; label: ReactNode; className?: string };

type SegmentedProps<T extends string> = {
  legend: string;
  value: T;
  options: readonly SegmentedOption<T>[];
  onChange: (value: T) => void;
  className?: string;
};

/** One choice out of a few, as native radio buttons: arrow keys and announcements come for free. */
export function Segmented<T extends string>(props: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset className={clsx('flex min-w-0 rounded-m bg-sunken p-1', props.className)}>
      <legend className="sr-only">{props.legend}</legend>
      {props.options.map((option) => (
        <label
          key={option.value}
          className={clsx(
            'flex min-h-9 flex-1 cursor-pointer items-center justify-center rounded-[7px] px-3 text-center font-medium text-[14px] text-ink-2 max-md:min-h-11',
            'has-checked:bg-surface has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--line)]',
            'has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
            option.className,
          )}
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option.value === props.value}
            onChange={() => props.onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
