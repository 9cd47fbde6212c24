import clsx from 'clsx';
import { FIELD } from './Field.tsx';

type AmountInputProps = {
  id: string;
  value: string;
  onChange: (text: string) => void;
  readOnly?: boolean;
  /** Replaces the default style of a field. */
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
