import clsx from 'clsx';
import type { ComponentProps } from 'react';

export type ButtonTone = 'primary' | 'quiet' | 'outline' | 'yes' | 'no';

const TONES: Record<ButtonTone, string> = {
  primary: 'bg-ink text-on-ink hover:opacity-90',
  quiet: 'text-ink-2 hover:bg-sunken hover:text-ink',
  outline: 'border border-line bg-surface text-ink hover:border-line-strong',
  yes: 'bg-yes-solid text-on-solid hover:opacity-90',
  no: 'bg-no-solid text-on-solid hover:opacity-90',
};

const SIZES = {
  s: 'min-h-9 whitespace-nowrap px-3 text-13 max-[20rem]:whitespace-normal max-md:min-h-11',
  m: 'min-h-11 whitespace-nowrap px-4 text-15 max-[20rem]:whitespace-normal',
  // Full width with a long label, which may take two lines on a phone.
  l: 'min-h-12 px-5 py-1.5 text-base leading-tight',
};

export function buttonStyle(tone: ButtonTone = 'outline', size: keyof typeof SIZES = 'm'): string {
  return clsx(
    'inline-flex items-center justify-center gap-2 rounded-md font-medium transition-[opacity,background-color,border-color] duration-(--quick)',
    'disabled:cursor-default disabled:bg-sunken disabled:text-ink-3 disabled:opacity-100',
    'aria-disabled:cursor-default aria-disabled:bg-sunken aria-disabled:text-ink-3 aria-disabled:opacity-100',
    TONES[tone],
    SIZES[size],
  );
}

type ButtonProps = ComponentProps<'button'> & {
  tone?: ButtonTone;
  size?: keyof typeof SIZES;
  /** Shows a spinner and makes the button inactive; with `aria-disabled` it keeps the focus. */
  isBusy?: boolean | undefined;
};

export function Button(props: ButtonProps) {
  const { tone, size, className, type = 'button', isBusy = false, children, ...rest } = props;
  const keepsFocus = rest['aria-disabled'] !== undefined;
  return (
    <button
      type={type}
      className={clsx(buttonStyle(tone, size), className)}
      {...rest}
      {...(isBusy && (keepsFocus ? { 'aria-disabled': true } : { disabled: true }))}
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  );
}

export function Spinner() {
  return (
    <span
      aria-hidden
      className="inline-block size-4 shrink-0 rounded-full border-2 border-current border-r-transparent motion-safe:animate-spin"
    />
  );
}
