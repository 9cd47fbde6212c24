import {
  AreaSeries,
  type AutoscaleInfo,
  BaselineSeries,
  CandlestickSeries,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineStyle,
  LineType,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { type ChartLine, type ChartMark, type ChartScale, rangeAround } from './chartLines.ts';

/** One line of a chart on the canvas. */
export type DrawnSeries = {
  update: (line: ChartLine) => void;
  paint: (element: HTMLElement, line: ChartLine, isOnly: boolean) => void;
  /** Pixels from the top. */
  height: (value: number | undefined) => number | undefined;
  remove: () => void;
};

/** By token and inherited ink, which differs between the themes. */
const resolved = new Map<string, string>();

/** Resolves a colour token to the rgb the canvas understands, in the current theme. */
export function tokenColour(element: HTMLElement, token: string, alpha = 1): string {
  const key = `${token} ${getComputedStyle(element).color}`;
  const rgb = resolved.get(key) ?? resolve(element, token);
  resolved.set(key, rgb);
  return `rgba(${rgb}, ${alpha})`;
}

let canvas: CanvasRenderingContext2D | null = null;

/** Costly: it changes the document and reads a canvas back. */
function resolve(element: HTMLElement, token: string): string {
  const probe = element.appendChild(document.createElement('span'));
  probe.style.color = `var(${token})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  canvas ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!canvas) throw new Error('this browser draws on no canvas');
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  return canvas.getImageData(0, 0, 1, 1).data.slice(0, 3).join(', ');
}

export function addSeries(api: IChartApi, line: ChartLine, scale: ChartScale): DrawnSeries {
  if (line.candles) return addCandles(api, scale);
  if (scale.baseline !== undefined) return addBaseline(api, scale, scale.baseline);
  return addArea(api, scale);
}

function addArea(api: IChartApi, scale: ChartScale): DrawnSeries {
  const { options, marks } = shared(scale);
  const series = api.addSeries(AreaSeries, {
    ...options,
    lineType: LineType.WithSteps,
    lineWidth: 2,
  });
  const markers = createSeriesMarkers(series);
  const drawRests = restLines(series);
  return {
    ...common(api, series),
    update: (line) => {
      marks.current = marksIn(line);
      series.setData(line.points.map(timed));
    },
    paint: (element, line, isOnly) => {
      series.applyOptions({
        lineColor: tokenColour(element, line.token),
        topColor: tokenColour(element, line.token, isOnly ? 0.09 : 0),
        bottomColor: tokenColour(element, line.token, 0),
        // Labels beside the chart name the ends of several lines.
        lastValueVisible: isOnly,
        priceScaleId: isOnly ? 'right' : 'left',
      });
      markers.setMarkers(markersOf(element, line));
      drawRests(element, line);
    },
  };
}

function addBaseline(api: IChartApi, scale: ChartScale, price: number): DrawnSeries {
  const series = api.addSeries(BaselineSeries, {
    ...shared(scale).options,
    baseValue: { type: 'price', price },
    lineType: LineType.WithSteps,
    lineWidth: 2,
  });
  return {
    ...common(api, series),
    update: (line) => series.setData(line.points.map(timed)),
    paint: (element) =>
      series.applyOptions({
        topLineColor: tokenColour(element, '--yes'),
        topFillColor1: tokenColour(element, '--yes', 0.14),
        topFillColor2: tokenColour(element, '--yes', 0.02),
        bottomLineColor: tokenColour(element, '--no'),
        bottomFillColor1: tokenColour(element, '--no', 0.02),
        bottomFillColor2: tokenColour(element, '--no', 0.14),
      }),
  };
}

function addCandles(api: IChartApi, scale: ChartScale): DrawnSeries {
  const { options, marks } = shared(scale);
  const series = api.addSeries(CandlestickSeries, { ...options, borderVisible: false });
  const volumes = api.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceLineVisible: false,
    lastValueVisible: false,
  });
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  const markers = createSeriesMarkers(series);
  const drawRests = restLines(series);
  return {
    height: common(api, series).height,
    remove: () => {
      api.removeSeries(series);
      api.removeSeries(volumes);
    },
    update: (line) => {
      marks.current = marksIn(line);
      series.setData((line.candles ?? []).map(timed));
    },
    paint: (element, line) => {
      const [up, down] = [tokenColour(element, '--yes'), tokenColour(element, '--no')];
      series.applyOptions({ upColor: up, wickUpColor: up, downColor: down, wickDownColor: down });
      const [risen, fallen] = ['--yes', '--no'].map((token) => tokenColour(element, token, 0.35));
      volumes.setData(
        (line.candles ?? []).map(({ time, open, close, volume }) => ({
          time: time as UTCTimestamp,
          value: volume,
          ...((close < open ? fallen : risen) && { color: close < open ? fallen : risen }),
        })),
      );
      markers.setMarkers(markersOf(element, line));
      drawRests(element, line);
    },
  };
}

function common(api: IChartApi, series: ISeriesApi<'Area' | 'Baseline' | 'Candlestick'>) {
  return {
    height: (value: number | undefined) =>
      value === undefined ? undefined : (series.priceToCoordinate(value) ?? undefined),
    remove: () => api.removeSeries(series),
  };
}

/** Draws a dotted line at the price of each resting order. */
function restLines(series: ISeriesApi<'Area' | 'Candlestick'>) {
  let drawn: IPriceLine[] = [];
  return (element: HTMLElement, { rests = [] }: ChartLine) => {
    for (const line of drawn) series.removePriceLine(line);
    drawn = rests.map(({ value, token, text }) =>
      series.createPriceLine({
        price: value,
        color: tokenColour(element, token),
        lineStyle: LineStyle.Dotted,
        lineWidth: 1,
        axisLabelVisible: false,
        title: text,
      }),
    );
  };
}

/** Options of each kind of series, with a price range that includes the visitor's trades. */
function shared(scale: ChartScale) {
  const marks: { current: ChartMark[] } = { current: [] };
  const autoscaleInfoProvider = (original: () => AutoscaleInfo | null): AutoscaleInfo | null => {
    const found = original();
    if (!found?.priceRange) return found;
    const values = marks.current.map(({ value }) => value);
    const { lowest, highest } = rangeAround(
      Math.min(found.priceRange.minValue, ...values),
      Math.max(found.priceRange.maxValue, ...values),
      scale,
    );
    return { ...found, priceRange: { minValue: lowest, maxValue: highest } };
  };
  const options = {
    priceLineVisible: false,
    priceFormat: { type: 'custom' as const, formatter: scale.format, minMove: scale.step },
    autoscaleInfoProvider,
  };
  return { options, marks };
}

function timed<T extends { time: number }>(point: T): T & { time: UTCTimestamp } {
  return { ...point, time: point.time as UTCTimestamp };
}

function marksIn({ points, candles, marks = [] }: ChartLine): ChartMark[] {
  const first = (candles ?? points)[0]?.time ?? Number.POSITIVE_INFINITY;
  return marks.filter((mark) => mark.time >= first);
}

function markersOf(element: HTMLElement, line: ChartLine): SeriesMarker<Time>[] {
  return marksIn(line).map((mark) => ({
    id: mark.text,
    time: mark.time as UTCTimestamp,
    price: mark.value,
    position: mark.kind === 'bought' ? ('atPriceBottom' as const) : ('atPriceTop' as const),
    shape: mark.kind === 'bought' ? ('arrowUp' as const) : ('arrowDown' as const),
    color: tokenColour(element, mark.token),
  }));
}
