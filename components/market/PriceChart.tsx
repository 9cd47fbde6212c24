import {
  AreaSeries,
  type AutoscaleInfo,
  ColorType,
  CrosshairMode,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { useTheme } from '#lib/browser/theme.ts';
import { axisTime, dateTime } from '#lib/format/time.ts';
import { type ChartLine, type ChartScale, rangeAround } from './chartLines.ts';

type Line = { series: ISeriesApi<'Area'>; markers: ISeriesMarkersPluginApi<Time> };
type Drawn = { api: IChartApi; lines: Map<string, Line> };

/** Resolves a colour token to the rgb the canvas understands, in the current theme. */
function tokenColour(element: HTMLElement, token: string, alpha = 1): string {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const probe = element.appendChild(document.createElement('span'));
  probe.style.color = `var(${token})`;
  const colour = getComputedStyle(probe).color;
  probe.remove();
  if (!canvas) return colour;
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return `rgba(${r}, ${g}, ${b}, ${alpha})`;
}

function applyTheme(element: HTMLElement, drawn: Drawn, lines: ChartLine[]): void {
  const { api } = drawn;
  const line = tokenColour(element, '--line');
  api.applyOptions({
    layout: {
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: tokenColour(element, '--ink-3'),
      fontFamily: getComputedStyle(element).fontFamily,
      fontSize: 12,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: line } },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.1, bottom: 0.06 } },
    timeScale: { borderColor: line, timeVisible: true, secondsVisible: false },
  });
  for (const { key, token, points, marks = [] } of lines) {
    const one = drawn.lines.get(key);
    one?.series.applyOptions({
      lineColor: tokenColour(element, token),
      topColor: tokenColour(element, token, lines.length === 1 ? 0.09 : 0),
      bottomColor: tokenColour(element, token, 0),
    });
    const first = points[0]?.time ?? Number.POSITIVE_INFINITY;
    one?.markers.setMarkers(
      marks
        .filter((mark) => mark.time >= first)
        .map((mark) => ({
          time: mark.time as UTCTimestamp,
          position: mark.kind === 'bought' ? ('belowBar' as const) : ('aboveBar' as const),
          shape: mark.kind === 'bought' ? ('arrowUp' as const) : ('arrowDown' as const),
          color: tokenColour(element, mark.token),
        })),
    );
  }
}

function atLeastSomeRange(scale: ChartScale) {
  return (original: () => AutoscaleInfo | null): AutoscaleInfo | null => {
    const found = original();
    if (!found?.priceRange) return found;
    const { minValue, maxValue } = found.priceRange;
    const { lowest, highest } = rangeAround(minValue, maxValue, scale);
    return { ...found, priceRange: { minValue: lowest, maxValue: highest } };
  };
}

function draw(drawn: Drawn, lines: ChartLine[], scale: ChartScale): void {
  for (const [key, { series }] of drawn.lines) {
    if (lines.some((line) => line.key === key)) continue;
    drawn.api.removeSeries(series);
    drawn.lines.delete(key);
  }
  for (const line of lines) {
    const one = drawn.lines.get(line.key) ?? addLine(drawn.api, scale);
    drawn.lines.set(line.key, one);
    one.series.setData(
      line.points.map((point) => ({ time: point.time as UTCTimestamp, value: point.value })),
    );
  }
  const times = lines.flatMap(({ points }) => points.map(({ time }) => time));
  const spanSeconds = Math.max(...times) - Math.min(...times);
  drawn.api.applyOptions({
    // Without these the canvas shows UTC.
    timeScale: { tickMarkFormatter: (time: UTCTimestamp) => axisTime(time, spanSeconds) },
    localization: {
      timeFormatter: (time: UTCTimestamp) => dateTime(new Date(time * 1_000).toISOString()),
    },
  });
  showAll(drawn.api, new Set(times).size);
}

/** Of the width, for the mark of what has just been traded. */
const RIGHT_ROOM = 0.01;

/** From the first moment at the left edge to the last; `fitContent` leaves a moment's room on both sides. */
function showAll(api: IChartApi, moments: number): void {
  const last = moments - 1;
  api.timeScale().setVisibleLogicalRange({ from: 0.5, to: last * (1 + RIGHT_ROOM) - 0.5 });
}

function addLine(api: IChartApi, scale: ChartScale): Line {
  const series = api.addSeries(AreaSeries, {
    lineType: LineType.WithSteps,
    lineWidth: 2,
    priceLineVisible: false,
    priceFormat: { type: 'custom', formatter: scale.format, minMove: scale.step },
    autoscaleInfoProvider: atLeastSomeRange(scale),
  });
  return { series, markers: createSeriesMarkers(series) };
}

/** Draws the lines on an interactive canvas; the caller also supplies a table. */
export function PriceChart({ lines, scale }: { lines: ChartLine[]; scale: ChartScale }) {
  const container = useRef<HTMLDivElement>(null);
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
    const drawn: Drawn = { api, lines: new Map() };
    chart.current = drawn;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const onTheme = () => applyTheme(element, drawn, shown.current);
    dark.addEventListener('change', onTheme);
    return () => {
      dark.removeEventListener('change', onTheme);
      chart.current = undefined;
      api.remove();
    };
  }, []);

  // The canvas is outside React: this effect passes on new data and a new theme.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme acts through the tokens
  useEffect(() => {
    shown.current = lines;
    if (!chart.current || !container.current) return;
    draw(chart.current, lines, scale);
    applyTheme(container.current, chart.current, lines);
  }, [lines, scale, theme]);

  return (
    <>
      <div ref={container} aria-hidden className="h-[260px]" />
      <p className="mt-1 text-right text-12 text-ink-3">
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
    </>
  );
}
