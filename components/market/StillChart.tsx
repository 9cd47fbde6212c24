import { useDeferredValue } from 'react';
import { axisTime } from '#lib/format/time.ts';
import type { ChartLine, ChartScale } from './chartLines.ts';
import { stillDrawing } from './stillDrawing.ts';

/** Closer than this, two texts beside the picture would touch. */
const COVERED = 8;

type StillChartProps = { lines: ChartLine[]; scale: ChartScale };

/** A chart as a picture, in the place and the looks of the canvas that answers to the pointer. */
export function StillChart({ lines, scale }: StillChartProps) {
  const { values, latest, times, marks, area, ...drawing } = stillDrawing(lines, scale);
  /** What stands where a line has come to would be half behind it. */
  const isCovered = (at: number) => latest.some((one) => Math.abs(one.at - at) < COVERED);
  const longest = Math.max(...[...values, ...latest].map(({ text }) => text.length));
  // The server does not know the reader's zone.
  const isLocal = useDeferredValue(true, false);
  const span = (times.at(-1)?.seconds ?? 0) - (times[0]?.seconds ?? 0);
  return (
    <div
      className="nums relative h-[260px] text-12 text-ink-3"
      style={{ paddingRight: `calc(${longest}ch + 14px)` }}
    >
      <div className="relative mr-2 h-[232px]">
        {area && (
          <svg
            aria-hidden="true"
            className="absolute inset-0 size-full opacity-[0.09] [mask-image:linear-gradient(#000,transparent)]"
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
          >
            <path d={area.path} style={{ fill: `var(${area.token})` }} />
          </svg>
        )}
        <svg
          aria-hidden="true"
          className="absolute inset-0 size-full overflow-visible"
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          fill="none"
        >
          {values.map(({ at, text }) => (
            <path key={text} d={`M0 ${at}H101`} className="still-line stroke-line" />
          ))}
          {drawing.lines.map(({ key, token, path }) => (
            <path
              key={key}
              d={path}
              className="still-line"
              style={{ stroke: `var(${token})`, strokeWidth: 2 }}
            />
          ))}
        </svg>
        {marks.map(({ key, at, height, kind, token }) => (
          <span
            key={key}
            className={`-translate-x-1/2 absolute leading-none ${kind === 'bought' ? 'pt-1.5' : '-translate-y-full pb-1.5'}`}
            style={{ left: `${at}%`, top: `${height}%`, color: `var(${token})` }}
          >
            {kind === 'bought' ? '▲' : '▼'}
          </span>
        ))}
        {values.map(({ at, text }) => (
          <span
            key={text}
            className="-translate-y-1/2 absolute left-full pl-3"
            style={{ top: `${at}%` }}
          >
            {!isCovered(at) && text}
          </span>
        ))}
        {latest.map(({ key, at, token, text }) => (
          <span
            key={key}
            className="-translate-y-1/2 absolute left-full ml-1.5 rounded-sm border bg-paper px-1 text-ink"
            style={{ top: `${at}%`, borderColor: `var(${token})` }}
          >
            {text}
          </span>
        ))}
      </div>
      <div className="@container relative mr-2 border-line border-t">
        {times.map(({ at, seconds }, index) => (
          <span
            key={seconds}
            // Where four would touch, every other one is enough.
            className={`-translate-x-1/2 absolute top-1.5 whitespace-nowrap ${index % 2 === 1 ? '@max-[18rem]:hidden' : ''}`}
            // At the edge it stands beside its moment, not half outside.
            style={{ left: `clamp(2rem, ${at}%, 100% - 2rem)` }}
          >
            {isLocal && axisTime(seconds, span)}
          </span>
        ))}
      </div>
    </div>
  );
}
