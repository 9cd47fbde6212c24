import { dollars, dollarsExact } from '#lib/format/money.ts';

/** A balance to the cent, as everywhere; all its digits for whoever points at it. */
export function Cents({ micros }: { micros: bigint }) {
  const exact = dollarsExact(micros);
  return (
    <data value={exact} title={exact}>
      {dollars(micros)}
    </data>
  );
}
