import {
  ColorType,
  CrosshairMode,
  createChart,
  type IChartApi,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { spreadLabels } from '#lib/browser/market/spreadLabels.ts';
import { useTheme } from '#lib/browser/theme.ts';
import { axisTime, dateTime } from '#lib/format/time.ts';
import type { ChartLine, ChartScale } from './chartLines.ts';
import { addSeries, type DrawnSeries, tokenColour } from './chartSeries.ts';

type Drawn = { api: IChartApi; series: Map<string, DrawnSeries> };

function applyTheme(element: HTMLElement, drawn: Drawn, lines: ChartLine[]): void {
  const { api } = drawn;
  const line = tokenColour(element, '--line');
  const hasVolume = lines.some(({ candles }) => candles?.some(({ volume }) => volume > 0));
  const isOnly = lines.length === 1;
  const scale = {
    borderVisible: false,
    entireTextOnly: true,
    scaleMargins: { top: 0.1, bottom: hasVolume ? 0.24 : 0.06 },
  };
  api.applyOptions({
    layout: {
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: tokenColour(element, '--ink-3'),
      fontFamily: getComputedStyle(element).fontFamily,
      fontSize: 12,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: line } },
    rightPriceScale: { ...scale, visible: isOnly },
    // Labels take the right side of several lines.
    leftPriceScale: { ...scale, visible: !isOnly },
    timeScale: { borderColor: line, timeVisible: true, secondsVisible: false },
  });
  for (const one of lines) drawn.series.get(one.key)?.paint(element, one, isOnly);
}

function draw(drawn: Drawn, lines: ChartLine[], scale: ChartScale): void {
  for (const [key, series] of drawn.series) {
    if (lines.some((line) => line.key === key)) continue;
    series.remove();
    drawn.series.delete(key);
  }
  for (const line of lines) {
    const series = drawn.series.get(line.key) ?? addSeries(drawn.api, line, scale);
    drawn.series.set(line.key, series);
    series.update(line);
  }
  const times = lines.flatMap(({ points, candles }) => (candles ?? points).map(({ time }) => time));
  const spanSeconds = Math.max(...times) - Math.min(...times);
  drawn.api.applyOptions({
    // Without these the canvas shows UTC.
    timeScale: { tickMarkFormatter: (time: UTCTimestamp) => axisTime(time, spanSeconds) },
    localization: {
      timeFormatter: (time: UTCTimestamp) => dateTime(new Date(time * 1_000).toISOString()),
    },
  });
  showAll(
    drawn.api,
    new Set(times).size,
    lines.some(({ candles }) => candles !== undefined),
  );
}

/** Of the width, for the mark of what has just been traded. */
const RIGHT_ROOM = 0.01;

/** From the first moment at the left edge to the last; a candle is shown with its whole width. */
function showAll(api: IChartApi, moments: number, isCandles: boolean): void {
  const last = moments - 1;
  const edge = isCandles ? -0.5 : 0.5;
  api.timeScale().setVisibleLogicalRange({ from: edge, to: last * (1 + RIGHT_ROOM) - edge });
}

/** Moves each label to the end of its line; hides them when they do not fit. */
function placeLabels(column: HTMLElement | null, drawn: Drawn, lines: ChartLine[]): void {
  const labels = [...(column?.children ?? [])].filter((one) => one instanceof HTMLElement);
  if (!column || labels.length === 0) return;
  const ends = lines.map((line) => drawn.series.get(line.key)?.height(line.points.at(-1)?.value));
  const tops = spreadLabels(
    labels.map((label, index) => ({ at: ends[index] ?? 0, height: label.offsetHeight })),
    column.clientHeight - drawn.api.timeScale().height(),
  );
  for (const [index, label] of labels.entries()) {
    label.style.visibility = tops ? 'visible' : 'hidden';
    label.style.transform = `translateY(${tops?.[index] ?? 0}px)`;
  }
}

type PriceChartProps = {
  lines: ChartLine[];
  scale: ChartScale;
  /** Called with the text of the mark below the pointer. */
  onMark: (text: string | undefined) => void;
};

/** Draws the lines on an interactive canvas; the caller also supplies a table. */
export function PriceChart({ lines, scale, onMark }: PriceChartProps) {
  const container = useRef<HTMLDivElement>(null);
  const column = useRef<HTMLUListElement>(null);
  const chart = useRef<Drawn>(undefined);
  const shown = useRef(lines);
  const theme = useTheme();

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const api = createChart(element, {
      // The attribution is in the text below instead: a screen reader cannot announce a link in a
      // hidden element.
      layout: { attributionLogo: false },
      autoSize: true,
      crosshair: { mode: CrosshairMode.Magnet },
      handleScroll: false,
      handleScale: false,
      timeScale: { maxBarSpacing: Number.MAX_SAFE_INTEGER, lockVisibleTimeRangeOnResize: true },
    });
    const drawn: Drawn = { api, series: new Map() };
    chart.current = drawn;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const onTheme = () => applyTheme(element, drawn, shown.current);
    dark.addEventListener('change', onTheme);
    api.timeScale().subscribeSizeChange(() => placeLabels(column.current, drawn, shown.current));
    api.subscribeCrosshairMove(({ hoveredObjectId }) =>
      onMark(typeof hoveredObjectId === 'string' ? hoveredObjectId : undefined),
    );
    return () => {
      dark.removeEventListener('change', onTheme);
      chart.current = undefined;
      api.remove();
    };
  }, [onMark]);

  // The canvas is outside React: this effect passes on new data and a new theme.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme acts through the tokens
  useEffect(() => {
    shown.current = lines;
    const drawn = chart.current;
    if (!drawn || !container.current) return;
    draw(drawn, lines, scale);
    applyTheme(container.current, drawn, lines);
    // The canvas computes its heights when it paints.
    const frame = requestAnimationFrame(() => placeLabels(column.current, drawn, lines));
    return () => cancelAnimationFrame(frame);
  }, [lines, scale, theme]);

  return (
    <div aria-hidden className="flex h-(--chart-height)">
      <div ref={container} className="h-full min-w-0 flex-1" />
      {lines.length > 1 && (
        <ul ref={column} className="relative h-full w-28 shrink-0 overflow-hidden sm:w-36">
          {lines.map((line) => (
            <EndLabel key={line.key} line={line} scale={scale} />
          ))}
        </ul>
      )}
    </div>
  );
}

function EndLabel({ line, scale }: { line: ChartLine; scale: ChartScale }) {
  const last = line.points.at(-1);
  return (
    <li className="invisible absolute inset-x-0 top-0 py-px text-12 leading-tight">
      <p
        className="wrap-anywhere border-l-[3px] pl-2"
        style={{ borderColor: `var(${line.token})` }}
      >
        <span className="nums font-semibold">{last && scale.format(last.value)}</span> {line.label}
      </p>
    </li>
  );
}
