import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IPriceLine,
  LineSeries,
  LineStyle,
  type Time,
} from "lightweight-charts";
import { type ChartBar, type PriceChartData, timeOf } from "./chart-data.ts";
import { onThemeChange, readColors, TONES, withOpacity } from "./colors.ts";
import { createIndicatorPanes } from "./indicator-panes.ts";
import { createPlanLayer } from "./plan-layer.ts";
import { createStructureLayer } from "./structure-layer.ts";

interface PriceChartOptions {
  readonly height: number;
  /** Number of bars shown at first. */
  readonly visibleBars: number;
  /** Called with the bar under the pointer and the one before it; null outside of the bars. */
  onHover(bar: ChartBar | null, previous: ChartBar | null): void;
  /** Called with the price at which the candles are clicked. */
  onPick?(price: number): void;
}

export interface PriceChart {
  set(data: PriceChartData): void;
  /** Shows fewer bars with a factor below 1, more above. */
  zoom(factor: number): void;
  /** Shows the newest bars again. */
  reset(): void;
  /** Moves the crosshair by a number of bars, at first from the last one. */
  step(bars: number): void;
  destroy(): void;
}

/** Free bars to the right of the last one. */
const AHEAD = 12;
/** Widths of the names of levels, which stand to the right of the last bar, of the price scale and of a bar at least, px. */
const WIDTHS = { names: 84, scale: 64, bar: 3.2 } as const;
/** Bars shown before the moment at least, as a share of those shown without later ones. */
const BEFORE_SHARE = 0.4;
const NOTHING = { first: "", last: -1, later: 0 };

const candleOf = ({ datetime, open, high, low, close }: ChartBar) => ({
  time: timeOf(datetime),
  open,
  high,
  low,
  close,
});

/** Draws candles with volume and everything else of the data. The page shows what it loads from this server. */
export function mountPriceChart(element: HTMLElement, options: PriceChartOptions): PriceChart {
  const chart = createChart(element, {
    height: options.height,
    width: element.clientWidth,
    // its logo breaks the content security policy; the page names the library in a link instead
    layout: { attributionLogo: false, fontFamily: readColors()("font"), fontSize: 11 },
    rightPriceScale: { borderVisible: false },
    timeScale: {
      borderVisible: false,
      rightOffset: AHEAD,
      minBarSpacing: 0.5,
      lockVisibleTimeRangeOnResize: true,
    },
    crosshair: { mode: 0 },
  });
  const candles = chart.addSeries(CandlestickSeries, { borderVisible: false, priceLineVisible: false });
  // bars after the moment shown have a series of their own, so that the last prices at the scale are those of then
  const pale = chart.addSeries(CandlestickSeries, { borderVisible: false, priceLineVisible: false });
  candles.priceScale().applyOptions({ scaleMargins: { top: 0.14, bottom: 0.2 } });
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: "volume",
    priceFormat: { type: "volume" },
    priceLineVisible: false,
    lastValueVisible: false,
  });
  chart.priceScale("volume").applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
  const other = chart.addSeries(LineSeries, {
    lineWidth: 2,
    priceLineVisible: false,
    crosshairMarkerVisible: false,
  });
  const plan = createPlanLayer();
  const structure = createStructureLayer();
  candles.attachPrimitive(plan.primitive);
  candles.attachPrimitive(structure.primitive);
  const panes = createIndicatorPanes(chart);
  let lines: IPriceLine[] = [];
  let all: readonly ChartBar[] = [];
  let indexes = new Map<Time, number>();
  let shown: PriceChartData | null = null;
  let fitted = NOTHING;
  let crosshair: number | null = null;

  let hovered: ChartBar | null = null;

  function hover(index: number | undefined): void {
    const bar = all[index ?? -1] ?? null;
    if (bar === hovered) return;
    hovered = bar;
    options.onHover(bar, all[(index ?? 0) - 1] ?? null);
  }
  chart.subscribeCrosshairMove(({ time, sourceEvent }) => {
    if (sourceEvent === undefined) return;
    const index = time === undefined ? undefined : indexes.get(time);
    crosshair = index ?? null;
    hover(index);
  });
  chart.subscribeClick(({ point, paneIndex }) => {
    const price = point === undefined || paneIndex !== 0 ? null : candles.coordinateToPrice(point.y);
    if (price !== null) options.onPick?.(price);
  });

  function draw(data: PriceChartData): void {
    shown = data;
    const colors = readColors();
    const { bars, forming, later = [] } = data;
    all = [...bars, ...(later.length > 0 ? later : forming === null ? [] : [forming])];
    indexes = new Map(all.map(({ datetime }, index) => [timeOf(datetime), index]));
    candles.setData(bars.map(candleOf));
    pale.setData(all.slice(bars.length).map(candleOf));
    // the price now is that of the forming bar
    const isForming = later.length === 0 && forming !== null;
    pale.applyOptions({ lastValueVisible: isForming });
    candles.applyOptions({ lastValueVisible: !isForming });
    volume.setData(
      all.map((bar, index) => ({
        time: timeOf(bar.datetime),
        value: bar.volume ?? 0,
        color: withOpacity(
          colors(index >= bars.length ? "flat" : bar.close >= bar.open ? "chart-up" : "chart-down"),
          "55",
        ),
      })),
    );
    const closes = data.compare?.closes ?? [];
    other.applyOptions({ title: data.compare?.name ?? "", color: colors("warn") });
    other.setData(
      bars.flatMap(({ datetime }, index) => {
        const value = closes[index];
        return value === null || value === undefined ? [] : [{ time: timeOf(datetime), value }];
      }),
    );
    panes.set(bars, data.indicators ?? [], colors);
    for (const line of lines) candles.removePriceLine(line);
    lines = data.levels.map(({ price, text, tone }) =>
      candles.createPriceLine({
        price,
        title: text,
        color: colors(TONES[tone]),
        lineWidth: 1,
        lineStyle: LineStyle.Dashed,
        axisLabelVisible: true,
      }),
    );
    const last = bars.at(-1);
    plan.set(
      last === undefined
        ? null
        : { colors, plan: data.plan, fan: data.fan ?? [], last: bars.length - 1, close: last.close },
    );
    const { events, range = null, path = [], marks = [], prints = [] } = data;
    structure.set({ colors, bars, last: all.length - 1, events, range, path, marks, prints });
    fitRange(data);
  }

  /**
   * Shows the newest bars of other data, and of the same data that end earlier or later as many as were visible; with
   * later bars all of those and some before them.
   */
  function fitRange({ bars, levels, fan = [], later = [] }: PriceChartData): void {
    const first = bars[0]?.datetime ?? "";
    const last = bars.length - 1;
    if (first === fitted.first && last === fitted.last && later.length === fitted.later) return;
    const keeps = first === fitted.first && later.length === 0 && fitted.later === 0;
    const visible = keeps ? chart.timeScale().getVisibleLogicalRange() : null;
    // without a width yet there is room for all
    const width = element.clientWidth || Number.POSITIVE_INFINITY;
    const free = Math.max(width - WIDTHS.scale - WIDTHS.names, WIDTHS.names);
    const most = Math.min(options.visibleBars, Math.floor(free / WIDTHS.bar));
    const before = Math.max(most - later.length, Math.ceil(most * BEFORE_SHARE));
    const named = levels.length === 0 ? 0 : Math.ceil((before * WIDTHS.names) / free);
    const ahead = Math.max(AHEAD, (fan.at(-1)?.bars ?? 0) + 2, later.length + 2, named);
    const shownBars = visible === null ? before + ahead : visible.to - visible.from;
    fitted = { first, last, later: later.length };
    chart.timeScale().setVisibleLogicalRange({ from: last + ahead - shownBars, to: last + ahead });
  }

  function paint(): void {
    const colors = readColors();
    chart.applyOptions({
      layout: {
        background: { color: "transparent" },
        textColor: colors("muted"),
        panes: { separatorColor: colors("line") },
      },
      grid: { vertLines: { color: colors("grid") }, horzLines: { color: colors("grid") } },
    });
    const [up, down] = [colors("chart-up"), colors("chart-down")];
    candles.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down });
    const flat = withOpacity(colors("flat"), "99");
    pale.applyOptions({ upColor: flat, downColor: flat, wickUpColor: flat, wickDownColor: flat });
    panes.forget();
    if (shown !== null) draw(shown);
  }

  const size = new ResizeObserver(() => chart.resize(element.clientWidth, options.height));
  size.observe(element);
  const endThemes = onThemeChange(paint);
  paint();
  return {
    set: draw,
    zoom(factor) {
      const range = chart.timeScale().getVisibleLogicalRange();
      if (range === null) return;
      chart
        .timeScale()
        .setVisibleLogicalRange({ from: range.to - (range.to - range.from) * factor, to: range.to });
    },
    reset() {
      fitted = NOTHING;
      if (shown !== null) fitRange(shown);
    },
    step(bars) {
      const end = (shown?.bars.length ?? 0) - 1;
      const index = Math.max(0, Math.min(crosshair === null ? end : crosshair + bars, all.length - 1));
      const bar = all[index];
      if (bar === undefined) return;
      crosshair = index;
      const range = chart.timeScale().getVisibleLogicalRange();
      if (range !== null && (index < range.from || index > range.to)) {
        const half = (range.to - range.from) / 2;
        chart.timeScale().setVisibleLogicalRange({ from: index - half, to: index + half });
      }
      chart.setCrosshairPosition(bar.close, timeOf(bar.datetime), candles);
      hover(index);
    },
    destroy() {
      size.disconnect();
      endThemes();
      chart.remove();
    },
  };
}
