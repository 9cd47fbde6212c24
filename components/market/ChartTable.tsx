import { utc } from '#lib/format/utc.ts';
import type { ChartLine, ChartScale } from './chartLines.ts';

const TABLE_ROWS = 24;

type ChartTableProps = { line: ChartLine; scale: ChartScale; quantity: string };

/** What a line shows, for screen readers. */
export function ChartTable({ line, scale, quantity }: ChartTableProps) {
  const first = line.points[0];
  const last = line.points.at(-1);
  return (
    // A table cannot shrink to a visually hidden size; its wrapper can.
    <div className="sr-only">
      <table>
        <caption>
          {line.label}, {quantity.toLowerCase()} over time: {first && scale.format(first.value)} at
          first, {last && scale.format(last.value)} now
        </caption>
        {line.candles ? (
          <Candles line={line} scale={scale} />
        ) : (
          <Points {...{ line, scale, quantity }} />
        )}
      </table>
    </div>
  );
}

function Points({ line, scale, quantity }: ChartTableProps) {
  return (
    <>
      <Heads names={['Time', quantity]} />
      <tbody>
        {some(line.points).map((point) => (
          <tr key={point.time}>
            <td>{moment(point.time)}</td>
            <td>{scale.format(point.value)}</td>
          </tr>
        ))}
      </tbody>
    </>
  );
}

function Candles({ line, scale }: Omit<ChartTableProps, 'quantity'>) {
  return (
    <>
      <Heads names={['Time', 'Open', 'High', 'Low', 'Close', 'Contracts']} />
      <tbody>
        {some(line.candles ?? []).map(({ time, open, high, low, close, volume }) => (
          <tr key={time}>
            <td>{moment(time)}</td>
            <td>{scale.format(open)}</td>
            <td>{scale.format(high)}</td>
            <td>{scale.format(low)}</td>
            <td>{scale.format(close)}</td>
            <td>{volume}</td>
          </tr>
        ))}
      </tbody>
    </>
  );
}

function Heads({ names }: { names: string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Evenly spaced, with the last. */
function some<T>(rows: readonly T[]): T[] {
  const every = Math.ceil(rows.length / TABLE_ROWS);
  return rows.filter((_, index) => index % every === 0 || index === rows.length - 1);
}

function moment(time: number): string {
  return utc(new Date(time * 1_000).toISOString());
}
