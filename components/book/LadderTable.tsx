import clsx from 'clsx';
import type { KeyboardEvent } from 'react';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { cents } from '#lib/format/money.ts';
import type { Ladder, LadderLevel, OwnRest, Side } from '#lib/market/ladder.ts';
import { sideWord } from '#lib/market/outcomeName.ts';
import { maxMicros } from '#lib/money.ts';
import { LadderRows, VISIBLE_LEVELS } from './LadderRows.tsx';

export type LadderTableProps = {
  ticker: string;
  side: Side;
  ladder: Ladder;
  groupMicros: bigint;
  rests: readonly OwnRest[];
  lastMicros: bigint | undefined;
  /** When the book was last known to be complete, if it may be wrong by now. */
  staleSince: string | undefined;
};

/** Asks and bids scroll apart from each other, each from the middle outwards. */
export function LadderTable(props: LadderTableProps) {
  const { side, ladder, staleSince } = props;
  const deepest = (levels: readonly LadderLevel[]) =>
    levels[Math.min(levels.length, VISIBLE_LEVELS) - 1]?.totalContractMicros ?? 1n;
  const most = maxMicros(deepest(ladder.asks), deepest(ladder.bids));
  return (
    <table
      onKeyDown={moveFocus}
      data-stale={staleSince !== undefined}
      className="ladder sheet nums block w-full overflow-hidden text-14"
    >
      <caption className="sr-only">
        {`Asks and bids for ${sideWord(side)}, best prices in the middle. Arrow keys move between prices, Enter takes one over into the ticket.`}
      </caption>
      <thead className="block">
        <tr className="ladder-row text-13 text-ink-3">
          <th scope="col" className="text-left font-normal">
            Price
          </th>
          <th scope="col" className="text-right font-normal">
            Contracts
          </th>
          <th scope="col" className="ladder-total text-right font-normal">
            Total
          </th>
          <th scope="col" className="ladder-value text-right font-normal">
            Value
          </th>
        </tr>
      </thead>
      <LadderRows {...props} kind="ask" mostMicros={most} />
      <MiddleRow {...props} />
      <LadderRows {...props} kind="bid" mostMicros={most} />
    </table>
  );
}

function MiddleRow({ ladder: { asks, bids }, lastMicros, staleSince }: LadderTableProps) {
  const [ask, bid] = [asks[0], bids[0]];
  return (
    <tbody className="block">
      <tr className="flex min-h-9 items-center justify-between gap-3 border-y bg-sunken px-4 text-13 text-ink-2">
        <td>Spread {ask && bid ? cents(ask.priceMicros - bid.priceMicros) : '–'}</td>
        <td className={clsx('text-right', staleSince && 'text-caution')}>
          {staleSince ? (
            <span role="status">
              Out of date since <LocalTime at={staleSince} format="clock" />
            </span>
          ) : (
            <>Last {lastMicros === undefined ? '–' : cents(lastMicros)}</>
          )}
        </td>
      </tr>
    </tbody>
  );
}

const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

/** Moves to the next price above or below, across the middle; one price is a tab stop. */
function moveFocus(event: KeyboardEvent<HTMLTableElement>): void {
  const step = STEPS[event.key];
  if (step === undefined || !(event.target instanceof HTMLButtonElement)) return;
  const levels = [...event.currentTarget.querySelectorAll('button')];
  // Asks are in the document from the best outwards, which is upwards on the screen.
  const asks = levels.filter(({ dataset }) => dataset.kind === 'ask').reverse();
  const shown = [...asks, ...levels.filter(({ dataset }) => dataset.kind === 'bid')];
  const next = shown[shown.indexOf(event.target) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
