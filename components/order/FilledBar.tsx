import type { LimitView } from './limitView.ts';

/** How much of an order is filled. The words beside it say the same. */
export function FilledBar({ view }: { view: LimitView }) {
  const { filledContractMicros: filled, sizeContractMicros: size, side } = view;
  const share = size === 0n ? 0 : Number((filled * 1_000n) / size) / 10;
  return (
    <div aria-hidden className="mt-1 h-1.5 overflow-hidden rounded-full bg-sunken">
      <div
        className={`h-full transition-[width] duration-(--calm) ${side === 'yes' ? 'bg-yes-solid' : 'bg-no-solid'}`}
        style={{ width: `${share}%` }}
      />
    </div>
  );
}
