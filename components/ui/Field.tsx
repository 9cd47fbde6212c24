import { type ReactNode, useId } from 'react';

/** The style of a text field or a select. */
export const FIELD =
  'min-h-11 w-full min-w-0 rounded-md border border-line bg-surface px-3 placeholder:text-ink-3 hover:border-line-strong';

type FieldProps = { label: string; hint?: string; children: (id: string) => ReactNode };

/** A field with its label above and a hint below. */
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
