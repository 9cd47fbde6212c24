import type { ReactNode } from 'react';

type SwitchFieldProps = {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  disabled?: boolean;
  /** The id of its description. */
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
