import { type ReactNode, useState } from 'react';

type FlashingProps = { value: bigint | null; children: ReactNode };

/** Marks its content for a moment when the value that it shows rises or falls. */
export function Flashing({ value, children }: FlashingProps) {
  const [shown, setShown] = useState<{ value: bigint | null; fell?: boolean }>({ value });
  if (shown.value !== value) {
    const before = shown.value;
    setShown(value === null || before === null ? { value } : { value, fell: value < before });
  }
  const { fell } = shown;
  return (
    // With a new key each change flashes.
    <span
      key={`${value}`}
      className={fell === undefined ? undefined : 'price-flash'}
      data-down={fell || undefined}
    >
      {children}
    </span>
  );
}
