import clsx from 'clsx';
import type { ComponentProps } from 'react';
import { type ButtonSize, type ButtonTone, buttonStyle } from './buttonStyle.ts';
import { Spinner } from './Spinner.tsx';

type ButtonProps = ComponentProps<'button'> & {
  tone?: ButtonTone;
  size?: ButtonSize;
  /** Shows a spinner and makes the button inactive; with `aria-disabled` it keeps the focus. */
  isBusy?: boolean | undefined;
};

const INACTIVE =
  'aria-disabled:cursor-default aria-disabled:bg-sunken aria-disabled:text-ink-3 aria-disabled:opacity-100';

export function Button(props: ButtonProps) {
  const { tone, size, className, type = 'button', isBusy = false, children, ...rest } = props;
  const keepsFocus = rest['aria-disabled'] !== undefined;
  return (
    <button
      type={type}
      className={clsx(buttonStyle(tone, size), INACTIVE, className)}
      {...rest}
      {...(isBusy && (keepsFocus ? { 'aria-disabled': true } : { disabled: true }))}
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  );
}
