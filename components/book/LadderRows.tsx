import clsx from 'clsx';
import { useHydrated } from '#components/ui/clock.ts';
import { pickPrice } from '#lib/browser/trade/pickedPrice.ts';
import { cents, contractsRounded, contractsWhole, dollarsShort } from '#lib/format/money.ts';
import { type LadderLevel, ownAt } from '#lib/market/ladder.ts';
import type { LadderTableProps } from './LadderTable.tsx';

/** What a side has room for; its bars fill the width there. */
export const VISIBLE_LEVELS = 8;

type LadderRowsProps = LadderTableProps & { kind: 'ask' | 'bid'; mostMicros: bigint };

const MOST_LEVELS = 100;

export function LadderRows(props: LadderRowsProps) {
  const { ticker, side, kind, ladder, rests, groupMicros, mostMicros } = props;
  const isHydrated = useHydrated();
  const levels = kind === 'ask' ? ladder.asks : ladder.bids;
  return (
    <tbody className={clsx('ladder-side', kind === 'ask' && 'flex-col-reverse')}>
      {levels.length === 0 && (
        <tr className="ladder-row">
          <td className="col-span-full text-ink-3">No {kind}s</td>
        </tr>
      )}
      {levels.slice(0, isHydrated ? MOST_LEVELS : VISIBLE_LEVELS).map((level, index) => (
        <LevelRow
          key={String(level.priceMicros)}
          {...{ ticker, side, kind }}
          {...level}
          share={Math.min(100, Number((level.totalContractMicros * 1_000n) / mostMicros) / 10)}
          {...(isHydrated &&
            ownAt(rests, side, kind, { priceMicros: level.priceMicros, groupMicros }))}
          // The best bid is the way in for the Tab key; without bids, the best ask.
          isTabStop={index === 0 && (kind === 'bid' || ladder.bids.length === 0)}
        />
      ))}
    </tbody>
  );
}

type LevelRowProps = Pick<LadderRowsProps, 'ticker' | 'side' | 'kind'> &
  LadderLevel & {
    /** Of the deepest level, in percent. */
    share: number;
    ownContractMicros?: bigint;
    aheadContractMicros?: bigint | undefined;
    isTabStop: boolean;
  };

function LevelRow(props: LevelRowProps) {
  const { ticker, side, kind, priceMicros, share, isTabStop } = props;
  const { ownContractMicros: own, aheadContractMicros: ahead } = props;
  const tone = kind === 'ask' ? 'var(--no-soft)' : 'var(--yes-soft)';
  return (
    <tr
      className={clsx(
        'ladder-row outline-accent has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 hover:bg-sunken',
        own && 'shadow-[inset_3px_0_0_var(--ink)]',
      )}
      style={{
        backgroundImage: `linear-gradient(to left, ${tone} ${share}%, transparent ${share}%)`,
      }}
      data-own={own && contractsRounded(own)}
    >
      <td className={clsx('font-medium', kind === 'ask' ? 'text-no' : 'text-yes')}>
        {/* The whole row can be pressed. */}
        <button
          type="button"
          data-kind={kind}
          tabIndex={isTabStop ? 0 : -1}
          onClick={() => pickPrice({ ticker, side, priceMicros })}
          className="before:absolute before:inset-0 focus-visible:outline-none"
        >
          <span className="sr-only">{kind === 'ask' ? 'Ask' : 'Bid'} </span>
          {cents(priceMicros)}
          <span className="sr-only">, use as limit price</span>
        </button>
        {own && (
          <span className="ml-2 whitespace-nowrap font-normal text-12 text-ink-2">
            <span className="sr-only">your orders: </span>
            {contractsRounded(own)}
            {ahead !== undefined && (
              <span className="@max-[21rem]:sr-only"> · {contractsWhole(ahead)} ahead</span>
            )}
          </span>
        )}
      </td>
      <td className="text-right">{contractsWhole(props.contractMicros)}</td>
      <td className="ladder-total text-right text-ink-2">
        {contractsWhole(props.totalContractMicros)}
      </td>
      <td className="ladder-value text-right text-ink-2">{dollarsShort(props.totalUsdcMicros)}</td>
    </tr>
  );
}
