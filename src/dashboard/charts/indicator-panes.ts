import {
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type Time,
} from "lightweight-charts";
import { type ChartBar, type ChartIndicator, timeOf } from "./chart-data.ts";
import { type Colors, withOpacity } from "./colors.ts";
import { paneNames } from "./indicator-names.ts";

/** Levels at which an indicator counts as stretched. */
const BOUNDS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^rsi/, [30, 70]],
  [/^mfi/, [20, 80]],
  [/^stoch_k/, [20, 80]],
  [/^williams_r/, [-80, -20]],
  [/^adx/, [25]],
  [/^cci/, [-100, 100]],
];
const COLORS = ["accent", "warn", "chart-up", "chart-down"] as const;

interface NewSeries {
  readonly name: string;
  readonly pane: number;
  /** Its place among those of the pane. */
  readonly nth: number;
  readonly colors: Colors;
}

/** Draws indicators over the candles and in panes of their own. */
export function createIndicatorPanes(chart: IChartApi) {
  let drawn: { readonly name: string; readonly series: ISeriesApi<"Line" | "Histogram"> }[] = [];
  let key = "";

  function rebuild(names: readonly string[], colors: Colors): void {
    for (const { series } of drawn) chart.removeSeries(series);
    drawn = paneNames(names).flatMap((pane, index) =>
      pane.map((name, nth) => ({ name, series: addSeries({ name, pane: index, nth, colors }) })),
    );
    for (const [index, pane] of chart.panes().entries()) pane.setStretchFactor(index === 0 ? 4 : 1);
  }

  function addSeries({ name, pane, nth, colors }: NewSeries): ISeriesApi<"Line" | "Histogram"> {
    const common = { priceLineVisible: false, lastValueVisible: pane > 0, title: "" } as const;
    if (name.startsWith("macd_hist"))
      return chart.addSeries(HistogramSeries, { ...common, lastValueVisible: false }, pane);
    const color = colors(COLORS[nth % COLORS.length]!);
    const series = chart.addSeries(
      LineSeries,
      { ...common, color, lineWidth: pane === 0 ? 1 : 2, crosshairMarkerVisible: false },
      pane,
    );
    for (const price of BOUNDS.find(([pattern]) => pattern.test(name))?.[1] ?? [])
      series.createPriceLine({
        price,
        color: withOpacity(colors("muted"), "90"),
        lineStyle: LineStyle.Dotted,
        lineWidth: 1,
        axisLabelVisible: false,
        title: "",
      });
    return series;
  }

  return {
    /** Redraws in the colours of the theme as it is now. */
    forget(): void {
      key = "";
    },
    set(bars: readonly ChartBar[], indicators: readonly ChartIndicator[], colors: Colors): void {
      const names = indicators.map(({ name }) => name).join(" ");
      if (names !== key)
        rebuild(
          indicators.map(({ name }) => name),
          colors,
        );
      key = names;
      for (const { name, series } of drawn) {
        const values = indicators.find((indicator) => indicator.name === name)?.values ?? [];
        const isHistogram = series.seriesType() === "Histogram";
        series.setData(
          bars.map(({ datetime }, index) => {
            const value = values[index];
            const time: Time = timeOf(datetime);
            if (value === null || value === undefined) return { time };
            if (!isHistogram) return { time, value };
            return { time, value, color: withOpacity(colors(value >= 0 ? "chart-up" : "chart-down"), "99") };
          }),
        );
      }
    },
  };
}
