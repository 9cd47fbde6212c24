import clsx from 'clsx';
import { type ReactNode, useId } from 'react';

export type SegmentedOption<T extends string> = { value: T; label: ReactNode; className?: string };

type SegmentedProps<T extends string> = {
  legend: string;
  value: T;
  options: readonly SegmentedOption<T>[];
  onChange: (value: T) => void;
  /** `s` where space is short; ignored on a phone, where touch targets need room. */
  size?: 's' | 'm';
  className?: string;
};

/** Native radio buttons, for their keyboard and screen-reader support. */
export function Segmented<T extends string>(props: SegmentedProps<T>) {
  const name = useId();
  return (
    <fieldset
      className={clsx(
        'flex min-w-0 max-[20rem]:flex-wrap',
        props.className ?? 'rounded-md bg-sunken p-1',
      )}
    >
      <legend className="sr-only">{props.legend}</legend>
      {props.options.map((option) => (
        <label
          key={option.value}
          className={clsx(
            'flex flex-1 cursor-pointer items-center justify-center whitespace-nowrap rounded-[7px] text-center font-medium text-ink-2 max-md:min-h-11',
            props.size === 's' ? 'min-h-7 px-2.5 text-13' : 'min-h-9 px-3 text-14',
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
