import dynamic from 'next/dynamic';
import { renderNothing } from '#components/ui/renderNothing.ts';
import { utc } from '#lib/format/utc.ts';
import type { ChartLine, ChartMark, ChartScale } from './chartLines.ts';

// The server cannot draw a canvas. A table below it has the same data.
const PriceChart = dynamic(
  () => import('./PriceChart.tsx').then((m) => m.PriceChart, renderNothing),
  {
    ssr: false,
    loading: () => <div className="skeleton h-[260px]" />,
  },
);

type ChartFrameProps = {
  lines: ChartLine[];
  scale: ChartScale;
  quantity: string;
  isPending: boolean;
  isError: boolean;
};

export function ChartFrame({ lines, scale, quantity, isPending, isError }: ChartFrameProps) {
  const drawn = lines.filter((line) => line.points.length > 1);
  return (
    <div className="min-h-[286px]">
      {isPending && drawn.length === 0 ? (
        <div className="skeleton h-[260px]" />
      ) : drawn.length === 0 ? (
        <p className="sheet grid h-[260px] place-items-center px-4 text-center text-14 text-ink-3">
          {isError
            ? 'Price history could not be loaded. Retrying…'
            : 'Not enough price history in this range.'}
        </p>
      ) : (
        <>
          <PriceChart lines={drawn} scale={scale} />
          {drawn.map((line) => (
            <ChartTable key={line.key} line={line} scale={scale} quantity={quantity} />
          ))}
          <OwnMarks marks={drawn.flatMap((line) => line.marks ?? [])} />
        </>
      )}
    </div>
  );
}

function OwnMarks({ marks }: { marks: ChartMark[] }) {
  if (marks.length === 0) return null;
  return (
    <>
      <p aria-hidden className="-mt-5 text-12 text-ink-3">
        ↑ you bought, ↓ you sold
      </p>
      <ul className="sr-only" aria-label="Your trades">
        {marks.map((mark) => (
          <li key={`${mark.time} ${mark.text}`}>
            {mark.text}, {utc(new Date(mark.time * 1_000).toISOString())}
          </li>
        ))}
      </ul>
    </>
  );
}

const TABLE_ROWS = 24;

type ChartTableProps = { line: ChartLine; scale: ChartScale; quantity: string };

function ChartTable({ line, scale, quantity }: ChartTableProps) {
  const every = Math.ceil(line.points.length / TABLE_ROWS);
  const rows = line.points.filter(
    (_, index) => index % every === 0 || index === line.points.length - 1,
  );
  const first = rows[0];
  const last = rows.at(-1);
  return (
    // A table cannot shrink to a visually hidden size; its wrapper can.
    <div className="sr-only">
      <table>
        <caption>
          {line.label}, {quantity.toLowerCase()} over time: {first && scale.format(first.value)} at
          first, {last && scale.format(last.value)} now
        </caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">{quantity}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((point) => (
            <tr key={point.time}>
              <td>{utc(new Date(point.time * 1_000).toISOString())}</td>
              <td>{scale.format(point.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
