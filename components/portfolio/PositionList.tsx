'use client';

import Link from 'next/link';
import { useId } from 'react';
import { cents, centsRounded, contracts, dollars } from '#lib/format/money.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';
import { Amount } from './Amount.tsx';
import { PnL } from './PnL.tsx';
import { PositionAction } from './PositionAction.tsx';

type PositionListProps = { title: string; positions: PositionView[] };

/** Positions with what each cost and what it would bring now. */
export function PositionList({ title, positions }: PositionListProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 font-semibold text-[17px]">
        {title}
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
        <Amount>{contracts(position.contractMicros)}</Amount>
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
        <Amount>{dollars(position.valueMicros)}</Amount>
      </td>
      <td className={CELL}>
        <PhoneLabel>Profit</PhoneLabel>
        <PnL position={position} />
      </td>
      <td className="px-4 py-3 text-right max-md:px-0 max-md:pt-2 max-md:pb-0">
        <PositionAction position={position} />
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
