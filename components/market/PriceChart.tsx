'use client';

import {
  AreaSeries,
  ColorType,
  CrosshairMode,
  createChart,
  type IChartApi,
  type ISeriesApi,
  LineType,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import type { ChancePoint } from '#lib/market/chancePoints.ts';

/** Resolves a token to the rgb the canvas understands, in the theme of the moment. */
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

function applyTheme(element: HTMLElement, chart: IChartApi, series: ISeriesApi<'Area'>): void {
  const line = tokenColour(element, '--line');
  chart.applyOptions({
    layout: {
      // Named in the text below instead: a link within something hidden could not be announced.
      attributionLogo: false,
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: tokenColour(element, '--ink-3'),
      fontFamily: getComputedStyle(element).fontFamily,
      fontSize: 12,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: line } },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.12, bottom: 0.08 } },
    timeScale: { borderColor: line, timeVisible: true, secondsVisible: false },
  });
  series.applyOptions({
    lineColor: tokenColour(element, '--ink'),
    topColor: tokenColour(element, '--ink', 0.09),
    bottomColor: tokenColour(element, '--ink', 0),
  });
}

export function PriceChart({ points }: { points: ChancePoint[] }) {
  const container = useRef<HTMLDivElement>(null);
  const chart = useRef<{ api: IChartApi; series: ISeriesApi<'Area'> }>(undefined);

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const api = createChart(element, {
      autoSize: true,
      crosshair: { mode: CrosshairMode.Magnet },
      handleScroll: false,
      handleScale: false,
      localization: { priceFormatter: (price: number) => `${Math.round(price)}%` },
    });
    const series = api.addSeries(AreaSeries, {
      lineType: LineType.WithSteps,
      lineWidth: 2,
      priceLineVisible: false,
      priceFormat: { type: 'price', precision: 0, minMove: 1 },
    });
    chart.current = { api, series };
    applyTheme(element, api, series);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const onTheme = () => applyTheme(element, api, series);
    dark.addEventListener('change', onTheme);
    return () => {
      dark.removeEventListener('change', onTheme);
      chart.current = undefined;
      api.remove();
    };
  }, []);

  useEffect(() => {
    chart.current?.series.setData(
      points.map((point) => ({ time: point.time as UTCTimestamp, value: point.percent })),
    );
    chart.current?.api.timeScale().fitContent();
  }, [points]);

  return (
    <>
      <div ref={container} aria-hidden className="h-[260px]" />
      <p className="mt-1 text-right text-[12px] text-ink-3">
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
