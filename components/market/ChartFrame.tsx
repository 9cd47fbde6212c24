import dynamic from 'next/dynamic';
import { useState } from 'react';
import { loadOptionalPart } from '#components/ui/loadPart.ts';
import { utc } from '#lib/format/utc.ts';
import { ChartTable } from './ChartTable.tsx';
import type { ChartLine, ChartMark, ChartScale } from './chartLines.ts';

// The server cannot draw a canvas. A table below it has the same data.
const PriceChart = dynamic(
  () => loadOptionalPart(() => import('./PriceChart.tsx').then((part) => part.PriceChart)),
  {
    ssr: false,
    loading: () => <div className="skeleton h-(--chart-height)" />,
  },
);

type ChartFrameProps = {
  lines: ChartLine[];
  scale: ChartScale;
  quantity: string;
  isPending: boolean;
  isError: boolean;
};

/** The one chart of all pages, in a box that keeps its height. */
export function ChartFrame({ lines, scale, quantity, isPending, isError }: ChartFrameProps) {
  const [mark, setMark] = useState<string>();
  const drawn = lines.filter(({ points, candles }) => (candles ?? points).length > 1);
  if (drawn.length === 0) {
    return (
      <div className="min-h-[calc(var(--chart-height)+1.5rem)]">
        {isPending ? (
          <div className="skeleton h-(--chart-height)" />
        ) : (
          <p className="sheet grid h-(--chart-height) place-items-center px-4 text-center text-14 text-ink-3">
            {isError
              ? 'Price history could not be loaded. Retrying…'
              : 'Not enough price history in this range.'}
          </p>
        )}
      </div>
    );
  }
  const marks = drawn.flatMap((line) => line.marks ?? []);
  return (
    <div className="min-h-[calc(var(--chart-height)+1.5rem)]">
      <PriceChart lines={drawn} scale={scale} onMark={setMark} />
      <div className="mt-1 flex flex-wrap justify-between gap-x-4 text-12 text-ink-3">
        <p aria-hidden>{mark ?? newest(marks)}</p>
        <p>
          Chart by{' '}
          <a
            href="https://www.tradingview.com/"
            target="_blank"
            rel="noreferrer"
            className="underline underline-offset-2 hover:text-ink"
          >
            TradingView
          </a>
        </p>
      </div>
      {drawn.map((line) => (
        <ChartTable key={line.key} line={line} scale={scale} quantity={quantity} />
      ))}
      <OwnMarks marks={marks} />
    </div>
  );
}

function newest(marks: ChartMark[]): string | undefined {
  const last = marks.at(-1);
  return last && `${last.kind === 'bought' ? '↑' : '↓'} ${last.text}`;
}

function OwnMarks({ marks }: { marks: ChartMark[] }) {
  if (marks.length === 0) return null;
  return (
    <ul className="sr-only" aria-label="Your trades">
      {marks.map((mark) => (
        <li key={`${mark.time} ${mark.text}`}>
          {mark.text}, {utc(new Date(mark.time * 1_000).toISOString())}
        </li>
      ))}
    </ul>
  );
}
