import type { Compute } from "../domain/compute-port.ts";
import { sliceBars } from "../domain/market/bars.ts";
import type { BarSeries, Instrument } from "../domain/market/market.ts";
import type { MediaFile } from "../domain/media.ts";
import { formatLevel, formatPlan, formatRange } from "../domain/odds/odds.text.ts";
import type { OddsAnswer } from "../domain/odds/odds.ts";
import { candlesText } from "./chart.text.ts";
import { type Chart, chartSvg } from "./chart.ts";
import { priceText } from "./figures.ts";
import { overlayOf } from "./level-overlay.ts";
import { pngTask } from "./png-task.ts";

/** Number of closed bars drawn. */
const SHOWN = 120;

export interface OddsPicture {
  readonly instrument: Pick<Instrument, "symbol" | "name">;
  readonly series: Pick<BarSeries, "bars" | "source" | "venue"> & { readonly as_of: string };
  readonly odds: OddsAnswer;
  /** Bars of the odds of the levels; one of the ranges. */
  readonly horizon: number;
  /** Label of simulated prices; null for real ones. */
  readonly simulated: string | null;
}

/** Returns the chart of odds: the last bars, the ranges after them, and the levels with their odds. */
export function oddsChartOf({ instrument, series, odds, horizon, simulated }: OddsPicture): Chart {
  const { bars, source, venue, as_of: closedAt } = series;
  return {
    symbol: instrument.symbol,
    name: instrument.name,
    source,
    venue,
    closedAt,
    bars,
    shown: Math.min(SHOWN, bars.time.length),
    verdict: null,
    summary: "",
    plan: null,
    range: odds.ranges,
    odds: null,
    levels: overlayOf(odds, { horizon, timeframe: bars.timeframe }),
    simulated,
  };
}

/** Describes a chart of odds in text: the bars, then the same odds. */
export function oddsAltText({ instrument, series, odds, horizon, simulated }: OddsPicture): string {
  const { bars } = series;
  const shown = sliceBars(bars, Math.max(0, bars.time.length - SHOWN));
  const range = odds.ranges.find((band) => band.bars === horizon)!;
  return [
    candlesText({ symbol: instrument.symbol, bars: shown, isSimulated: simulated !== null }),
    formatRange(range, bars.timeframe, priceText),
    ...(odds.plan === null ? [] : [formatPlan(odds.plan, priceText)]),
    ...odds.levels.map((level) => formatLevel(level, horizon, priceText)),
  ].join(" ");
}

/** Renders odds as a PNG file with alternative text. Rejects with the abort reason when the signal aborts. */
export async function oddsPng(
  picture: OddsPicture,
  { signal, compute }: { readonly signal: AbortSignal; readonly compute: Compute },
): Promise<MediaFile & { readonly mime: "image/png" }> {
  const { base64 } = await compute.run(pngTask, { svg: chartSvg(oddsChartOf(picture)) }, { signal });
  return { mime: "image/png", base64, alt: oddsAltText(picture) };
}
