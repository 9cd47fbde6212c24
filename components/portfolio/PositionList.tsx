import Link from 'next/link';
import { buttonStyle } from '#components/ui/Button.tsx';
import { cents, centsRounded, contracts, dollars } from '#lib/format/money.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';
import { PnL } from './PnL.tsx';

/** Every position with what it cost and what it would bring now. */
export function PositionList({ positions }: { positions: PositionView[] }) {
  return (
    <section aria-labelledby="positions-heading">
      <h2 id="positions-heading" className="mb-3 font-semibold text-[17px]">
        Positions
      </h2>
      <div className="sheet overflow-hidden">
        <table className="nums w-full text-[14px] max-md:block">
          <thead className="max-md:sr-only">
            <tr className="border-b text-left text-[13px] text-ink-3 [&>th]:px-4 [&>th]:py-2.5 [&>th]:font-normal">
              <th scope="col">Market</th>
              <th scope="col" className="text-right">
                Contracts
              </th>
              <th scope="col" className="text-right">
                Average cost
              </th>
              <th scope="col" className="text-right">
                Now
              </th>
              <th scope="col" className="text-right">
                Value
              </th>
              <th scope="col" className="text-right">
                Profit
              </th>
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody className="max-md:block max-md:divide-y">
            {positions.map((position) => (
              <PositionRow key={position.tokenId} position={position} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const CELL = 'px-4 py-3 text-right max-md:flex max-md:justify-between max-md:px-0 max-md:py-0';

function PositionRow({ position }: { position: PositionView }) {
  const settled = position.status === 'settled';
  return (
    <tr className="border-b last:border-b-0 max-md:grid max-md:gap-1.5 max-md:border-0 max-md:px-4 max-md:py-4">
      <th
        scope="row"
        className="max-w-[380px] px-4 py-3 text-left font-normal max-md:max-w-none max-md:px-0 max-md:pt-0 max-md:pb-1"
      >
        <Link
          href={`/markets/${position.marketId}`}
          className="block font-medium hover:underline hover:underline-offset-4"
        >
          {position.name}
        </Link>
        <span className="text-[13px] text-ink-3">
          <span className={position.side === 'yes' ? 'text-yes' : 'text-no'}>
            {position.side === 'yes' ? 'Yes' : 'No'}
          </span>
          {position.subtitle && ` · ${position.subtitle}`}
        </span>
      </th>
      <td className={CELL}>
        <PhoneLabel>Contracts</PhoneLabel>
        {contracts(position.contractMicros)}
      </td>
      <td className={CELL}>
        <PhoneLabel>Average cost</PhoneLabel>
        {position.averageCostMicros === null ? '–' : centsRounded(position.averageCostMicros)}
      </td>
      <td className={CELL}>
        <PhoneLabel>{settled ? 'Pays' : 'Now'}</PhoneLabel>
        {cents(position.priceMicros)}
      </td>
      <td className={CELL}>
        <PhoneLabel>Value</PhoneLabel>
        {dollars(position.valueMicros)}
      </td>
      <td className={CELL}>
        <PhoneLabel>Profit</PhoneLabel>
        <PnL position={position} />
      </td>
      <td className="px-4 py-3 text-right max-md:px-0 max-md:pt-2 max-md:pb-0">
        <Link
          href={`/markets/${position.marketId}?side=${position.side}&action=sell`}
          className={`${buttonStyle('outline', 's')} max-md:w-full`}
          aria-label={`Sell ${position.side === 'yes' ? 'Yes' : 'No'} of ${position.name}`}
        >
          Sell
        </Link>
      </td>
    </tr>
  );
}

function PhoneLabel({ children }: { children: string }) {
  return (
    <span aria-hidden className="text-ink-3 md:hidden">
      {children}
    </span>
  );
}
