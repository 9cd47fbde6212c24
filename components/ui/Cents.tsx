import { dollars, dollarsExact } from '#lib/format/money.ts';

/** A balance in cents; all its digits on hover. */
export function Cents({ micros }: { micros: bigint }) {
  const exact = dollarsExact(micros);
  return (
    <data value={exact} title={exact}>
      {dollars(micros)}
    </data>
  );
}
