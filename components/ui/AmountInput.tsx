import clsx from 'clsx';
import { FIELD } from './Field.tsx';

type AmountInputProps = {
  id: string;
  value: string;
  onChange: (text: string) => void;
  readOnly?: boolean;
  /** In the place of the usual looks of a field. */
  className?: string;
};

/** Where an amount is typed; what is typed stays a text until somebody reads it as one. */
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
