import { cents, dollars } from '#lib/format/money.ts';
import type { FeeExample } from './feeExample.ts';

const WIDTH = 300;
const HEIGHT = 90;
const CENT_MICROS = 10_000;

/** The fee of a hundred contracts over the price, with one purchase marked. */
export function FeeCurve({ points, marked }: { points: FeeExample[]; marked: FeeExample }) {
  const most = Math.max(...points.map(({ feeMicros }) => Number(feeMicros)));
  const mostText = dollars(BigInt(most));
  const x = ({ priceMicros }: FeeExample) => (Number(priceMicros) / CENT_MICROS / 100) * WIDTH;
  const y = ({ feeMicros }: FeeExample) => HEIGHT - (Number(feeMicros) / most) * HEIGHT;
  const line = points.map((point) => `${x(point)} ${y(point).toFixed(1)}`).join('L');
  return (
    <figure className="sheet flex flex-col p-5">
      <figcaption className="mb-3 flex flex-wrap justify-between gap-x-4 text-14 text-ink-2">
        <span>Fee for 100 contracts, by price</span>
        <span className="nums flex items-center gap-2">
          <span aria-hidden className="size-2 rounded-full bg-ink" />
          {dollars(marked.feeMicros)} at {cents(marked.priceMicros)}
        </span>
      </figcaption>
      <svg
        role="img"
        aria-label={`The fee rises from zero at 0¢ to ${mostText} at 50¢ and falls to zero at $1.00; at ${cents(marked.priceMicros)} it is ${dollars(marked.feeMicros)}`}
        viewBox={`-4 -6 ${WIDTH + 8} ${HEIGHT + 8}`}
        className="w-full flex-1"
      >
        <path d={`M0 ${HEIGHT}H${WIDTH}`} className="rule-line" />
        <path d={`M0 ${HEIGHT}L${line}L${WIDTH} ${HEIGHT}Z`} fill="var(--sunken)" />
        <path
          d={`M0 ${HEIGHT}L${line}L${WIDTH} ${HEIGHT}`}
          fill="none"
          stroke="var(--ink)"
          strokeWidth="1.5"
        />
        <path
          d={`M${x(marked)} ${HEIGHT}V${y(marked)}`}
          stroke="var(--line-strong)"
          strokeDasharray="3 3"
        />
        <circle cx={x(marked)} cy={y(marked)} r="3.5" fill="var(--ink)" />
      </svg>
      <p aria-hidden className="nums mt-2 flex justify-between text-12 text-ink-3">
        {['0¢', '25¢', '50¢', '75¢', '$1.00'].map((tick) => (
          <span key={tick}>{tick}</span>
        ))}
      </p>
    </figure>
  );
}
