import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IPriceLine,
  LineStyle,
  type SeriesMarker,
  type Time,
} from "lightweight-charts";
import { colorOf, onThemeChange, withOpacity } from "./colors.ts";
import { PlanBoxes } from "./plan-boxes.ts";

export interface ChartBar {
  readonly datetime: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** null if the source states none. */
  readonly volume: number | null;
}

/** A mark at a bar. */
export interface ChartEvent {
  readonly date: string;
  readonly side: "above" | "below";
  readonly text: string;
  readonly tone: "up" | "down" | "warn" | "flat";
}

export interface ChartLevel {
  readonly price: number;
  readonly text: string;
  readonly tone: "up" | "down" | "accent" | "flat";
}

export interface PriceChartData {
  readonly bars: readonly ChartBar[];
  readonly forming: ChartBar | null;
  readonly plan: {
    readonly entryLow: number;
    readonly entryHigh: number;
    readonly stop: number;
    readonly target: number;
  } | null;
  readonly levels: readonly ChartLevel[];
  readonly events: readonly ChartEvent[];
}

interface PriceChartOptions {
  readonly height: number;
  /** Number of bars shown at first. */
  readonly visibleBars: number;
  /** Called with the bar under the pointer and the one before it; null outside of the bars. */
  onHover(bar: ChartBar | null, previous: ChartBar | null): void;
}

export interface PriceChart {
  set(data: PriceChartData): void;
  destroy(): void;
}

const TONES = { up: "chart-up", down: "chart-down", accent: "accent", warn: "warn", flat: "flat" } as const;

/** Returns the time of a bar as the chart takes it: a day as text, a moment in seconds. */
export const timeOf = (datetime: string): Time =>
  datetime.length === 10 ? datetime : (Math.floor(Date.parse(datetime) / 1_000) as Time);

/** Draws candles with volume, the boxes of a plan, levels and events. The page shows what it loads from this server. */
export function mountPriceChart(element: HTMLElement, options: PriceChartOptions): PriceChart {
  const chart = createChart(element, {
    height: options.height,
    width: element.clientWidth,
    // its logo breaks the content security policy; the page names the library in a link instead
    layout: { attributionLogo: false, fontFamily: colorOf("font"), fontSize: 11 },
    rightPriceScale: { borderVisible: false },
    timeScale: { borderVisible: false, rightOffset: 12, minBarSpacing: 1 },
    crosshair: { mode: 0 },
  });
  const candles = chart.addSeries(CandlestickSeries, { borderVisible: false, priceLineVisible: false });
  candles.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.2 } });
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: "volume",
    priceFormat: { type: "volume" },
    priceLineVisible: false,
    lastValueVisible: false,
  });
  chart.priceScale("volume").applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
  const boxes = new PlanBoxes();
  candles.attachPrimitive(boxes);
  const marks = createSeriesMarkers(candles, []);
  let lines: IPriceLine[] = [];
  let indexes = new Map<Time, number>();
  let shown: PriceChartData | null = null;
  let fitted = "";

  chart.subscribeCrosshairMove(({ time }) => {
    const index = time === undefined ? undefined : indexes.get(time);
    const bars = shown?.bars ?? [];
    options.onHover(index === undefined ? null : (bars[index] ?? null), bars[(index ?? 0) - 1] ?? null);
  });

  function draw(data: PriceChartData): void {
    shown = data;
    const { bars, forming, plan, levels, events } = data;
    indexes = new Map(bars.map(({ datetime }, index) => [timeOf(datetime), index]));
    const candle = ({ datetime, open, high, low, close }: ChartBar) => ({
      time: timeOf(datetime),
      open,
      high,
      low,
      close,
    });
    const pending = { color: withOpacity(colorOf("flat"), "aa"), wickColor: colorOf("flat") };
    candles.setData([...bars.map(candle), ...(forming === null ? [] : [{ ...candle(forming), ...pending }])]);
    volume.setData(
      bars.map((bar) => ({
        time: timeOf(bar.datetime),
        value: bar.volume ?? 0,
        color: withOpacity(colorOf(bar.close >= bar.open ? "chart-up" : "chart-down"), "55"),
      })),
    );
    for (const line of lines) candles.removePriceLine(line);
    lines = levels.map(({ price, text, tone }) =>
      candles.createPriceLine({
        price,
        title: text,
        color: colorOf(TONES[tone]),
        lineWidth: 1,
        lineStyle: LineStyle.Dashed,
        axisLabelVisible: true,
      }),
    );
    const last = bars.at(-1);
    boxes.set(plan === null || last === undefined ? null : { ...plan, from: timeOf(last.datetime) });
    marks.setMarkers(
      events
        .filter(({ date }) => indexes.has(timeOf(date)))
        .map(
          ({ date, side, text, tone }): SeriesMarker<Time> => ({
            time: timeOf(date),
            position: side === "above" ? "aboveBar" : "belowBar",
            shape: side === "above" ? "arrowDown" : "arrowUp",
            color: colorOf(TONES[tone]),
            text,
            size: 0.8,
          }),
        ),
    );
    const range = `${bars[0]?.datetime} ${last?.datetime}`;
    if (range === fitted) return;
    fitted = range;
    chart
      .timeScale()
      .setVisibleLogicalRange({ from: bars.length - options.visibleBars, to: bars.length + 12 });
  }

  function paint(): void {
    chart.applyOptions({
      layout: {
        background: { color: "transparent" },
        textColor: colorOf("muted"),
        panes: { separatorColor: colorOf("line") },
      },
      grid: { vertLines: { color: colorOf("grid") }, horzLines: { color: colorOf("grid") } },
    });
    const [up, down] = [colorOf("chart-up"), colorOf("chart-down")];
    candles.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down });
    if (shown !== null) draw(shown);
  }

  const size = new ResizeObserver(() => chart.resize(element.clientWidth, options.height));
  size.observe(element);
  const endThemes = onThemeChange(paint);
  paint();
  return {
    set: draw,
    destroy() {
      size.disconnect();
      endThemes();
      chart.remove();
    },
  };
}
