import clsx from 'clsx';
import { type ComponentProps, type ReactNode, useId } from 'react';

export const FIELD =
  'min-h-11 w-full min-w-0 rounded-md border border-line bg-surface px-3 placeholder:text-ink-3 hover:border-line-strong';

type FieldProps = { label: string; hint?: string | undefined; children: (id: string) => ReactNode };

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-14">
        {label}
      </label>
      {children(id)}
      {hint && <p className="text-13 text-ink-3">{hint}</p>}
    </div>
  );
}

type TextFieldProps = Omit<ComponentProps<'input'>, 'onChange'> & {
  label: string;
  hint?: string | undefined;
  onChange: (text: string) => void;
};

export function TextField({ label, hint, onChange, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(id) => (
        <input
          id={id}
          {...input}
          onChange={(event) => onChange(event.target.value)}
          className={clsx(FIELD, className)}
        />
      )}
    </Field>
  );
}

type CheckFieldProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  children: ReactNode;
};

export function CheckField({ checked, onChange, disabled, children }: CheckFieldProps) {
  return (
    <label className="flex min-h-11 items-center gap-3 text-14">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  );
}

type AmountInputProps = {
  id: string;
  value: string;
  onChange: (text: string) => void;
  readOnly?: boolean;
  className?: string;
};

/** A field for an amount; its value stays text until a caller parses it. */
export function AmountInput({ id, value, onChange, readOnly, className }: AmountInputProps) {
  return (
    <input
      id={id}
      inputMode="decimal"
      autoComplete="off"
      placeholder="0"
      value={value}
      readOnly={readOnly}
      onChange={(event) => onChange(event.target.value)}
      className={clsx('nums', className ?? FIELD)}
    />
  );
}

type SwitchFieldProps = {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  disabled?: boolean;
  describedBy?: string | undefined;
  children: ReactNode;
};

/** A setting that takes effect at once, without a button to confirm it. */
export function SwitchField({ isOn, onChange, disabled, describedBy, children }: SwitchFieldProps) {
  return (
    <label className="flex min-h-11 items-center gap-3 text-14">
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        disabled={disabled}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  );
}
