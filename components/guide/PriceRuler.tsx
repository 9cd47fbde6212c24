/** A contract's dollar, split between Yes and No at a price. */
export function PriceRuler({ cents }: { cents: number }) {
  return (
    <figure className="sheet p-5">
      <div className="flex overflow-hidden rounded-md font-semibold text-15">
        <span className="bg-yes-solid px-3 py-3 text-on-solid" style={{ width: `${cents}%` }}>
          Yes {cents}¢
        </span>
        <span className="flex-1 bg-no-solid px-3 py-3 text-right text-on-solid">
          No {100 - cents}¢
        </span>
      </div>
      <figcaption className="mt-3 flex justify-between gap-4 text-13 text-ink-3">
        <span>Yes and No together cost about $1.00</span>
        <span>One of them pays $1.00</span>
      </figcaption>
    </figure>
  );
}
