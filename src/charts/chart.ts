import { sma } from "../analytics/indicators/sma.ts";
import { type Bars, hasDateLabel, sliceBars } from "../domain/market/bars.ts";
import type { PlanOdds } from "../domain/odds/odds.ts";
import { watchingText } from "../lib/levels-side.ts";
import { plainText } from "../lib/plain-text.ts";
import { barCenterX, type Columns, candles, maxVolume, volumes } from "./candles.ts";
import { planOddsLines, startText } from "./chart.text.ts";
import { curve } from "./curve.ts";
import { countText, fixedText, momentText, priceText } from "./figures.ts";
import {
  axisLabel,
  EDGE,
  FRAME,
  GRID,
  LEADER,
  legendRow,
  level,
  picture,
  pill,
  SAMPLE_PILL,
  timeLabels,
  watermark,
} from "./frame.ts";
import { horizonTable, type LevelOverlay, levelsIn, overlayLines } from "./level-overlay.ts";
import { type ChartPlan, planFields, pricesOf, tagColumn, tagsFor, tagsOf, tagsWidth } from "./plan.ts";
import { pricesOfCone, type RangeCone, rangeCone, rangeKey } from "./range-cone.ts";
import { type Heights, type PriceScale, priceScale } from "./scale.ts";
import { label, lineTo, path, rect, textWidth } from "./svg.ts";
import { AVERAGES, INK, SIZE } from "./theme.ts";
import { timeTicks } from "./time-axis.ts";

export interface Chart {
  readonly symbol: string;
  readonly name: string;
  readonly source: string;
  readonly venue: string;
  /** Close time of the last bar, ISO 8601 UTC. */
  readonly closedAt: string;
  /** Closed bars, oldest first. The last `shown` bars are drawn; earlier ones only feed the averages. */
  readonly bars: Bars;
  /** Number of bars shown. */
  readonly shown: number;
  readonly verdict: "LONG" | "SHORT" | "WAIT" | null;
  /** Basis of the verdict, e.g. `grade B+, score 71`. */
  readonly summary: string;
  readonly plan: ChartPlan | null;
  /** Range of the price after the last bar. */
  readonly range: RangeCone["bands"] | null;
  /** Odds of the plan. */
  readonly odds: PlanOdds | null;
  /** Levels with their odds, drawn instead of the averages; their horizon is one of the range. */
  readonly levels: LevelOverlay | null;
  /** Label of simulated prices; null for real ones. */
  readonly simulated: string | null;
}

/** Pane of the prices; lines of text on the odds move its top down. */
const PRICES = { top: 102, bottom: 520 } as const;
/** Baseline of the legend, and height of each line on the odds below it. */
const LEGEND = 88;
const ODDS_LINE = 18;
const VOLUMES = { top: 540, bottom: 632 } as const;
/** Share of the width left free after the last bar without a range: more if a plan is drawn. */
const RIGHT_MARGIN_SHARE = { plan: 0.13, none: 0.015 } as const;

/**
 * Renders a candlestick chart as SVG text: prices, volume, averages, plan, axes and provenance. @throws RangeError
 * without bars
 */
export function chartSvg(chart: Chart): string {
  const { plan, shown, levels: overlay } = chart;
  const length = chart.bars.time.length;
  if (length === 0 || shown < 1) throw new RangeError("A chart needs bars");
  const start = Math.max(0, length - shown);
  const bars = sliceBars(chart.bars, start);
  const styles = overlay === null ? AVERAGES.filter(({ period }) => period <= length) : [];
  const averages = styles.map((style) => ({
    style,
    values: sma(chart.bars.close, style.period).subarray(start),
  }));
  const close = bars.close.at(-1)!;
  const cone = chart.range === null ? null : { close, bands: chart.range };
  const ahead = cone?.bands.at(-1)?.bars ?? 0;
  const lines = [...(chart.odds === null ? [] : planOddsLines(chart.odds)), ...(overlay?.lines ?? [])];
  const prices = { top: PRICES.top + ODDS_LINE * lines.length, bottom: PRICES.bottom };
  const shownPrices = [
    ...bars.high,
    ...bars.low,
    ...(plan === null ? [] : pricesOf(plan)),
    ...(cone === null ? [] : pricesOfCone(cone)),
  ];
  const levels = overlay === null ? [] : levelsIn(overlay.levels, shownPrices);
  const scale = priceScale(
    [...shownPrices, ...levels.flatMap(({ price, isInside }) => (isInside ? [price] : []))],
    prices,
  );
  const column = { top: prices.top - 4, bottom: VOLUMES.bottom };
  const tags = tagsFor([...tagsOf(close, plan), ...levels], column.bottom - column.top);
  const tagWidth = tagsWidth(tags);
  const left = Math.ceil(
    EDGE + Math.max(...scale.ticks.map((tick) => textWidth(fixedText(tick, scale.decimals))), 40) + 8,
  );
  const right = SIZE.width - EDGE - tagWidth - LEADER;
  const count = bars.time.length;
  const margin = plan === null ? RIGHT_MARGIN_SHARE.none : RIGHT_MARGIN_SHARE.plan;
  const width = (right - left) * (ahead > 0 ? count / (count + ahead) : 1 - margin);
  const columns = { left, slot: width / count };
  const now = Math.round(left + width);
  const xAhead = (bar: number) => barCenterX(count - 1 + bar, columns);
  return picture([
    `<clipPath id="pane">${rect({ x: left, y: prices.top, width: right - left, height: prices.bottom - prices.top }, {})}</clipPath>`,
    watermark(chart.simulated, (left + right) / 2, 330),
    axes(bars, scale, { columns, prices, now, right, ahead }),
    plan === null ? "" : planFields(plan, scale, { left, now, right }),
    cone === null ? "" : rangeCone(cone, scale, xAhead),
    overlay === null
      ? ""
      : overlayLines(overlay.horizon, levels, scale, {
          left,
          now,
          end: xAhead(overlay.horizon),
          right,
          prices,
        }),
    volumes(bars, VOLUMES, columns),
    candles(bars, scale, columns),
    `<g clip-path="url(#pane)">`,
    ...averages.map(({ style: { period: _, ...style }, values }) =>
      path(curve(values, scale.y, columns, barCenterX), style),
    ),
    "</g>",
    closeLine(bars, scale, columns, right),
    tagColumn(
      tags,
      scale,
      { from: right, x: right + LEADER, width: tagWidth, ...column },
      plan?.basis === "watch",
    ),
    heading(chart),
    provenanceLine(chart, bars),
    legend(bars, averages, left),
    ...lines.map((line, i) => label(left, LEGEND + ODDS_LINE * (i + 1), line, { fill: INK.text })),
    cone === null ? "" : rangeKey(cone, left, VOLUMES.bottom + 36),
    cone === null || overlay === null
      ? ""
      : horizonTable(cone.bands, overlay.horizon, { x: now + 10, top: VOLUMES.top }),
  ]);
}

interface AxesPlace {
  readonly columns: Columns;
  readonly prices: Heights;
  /** Right edge of the last bar. */
  readonly now: number;
  readonly right: number;
  /** Number of bars after the last one for which there is space. */
  readonly ahead: number;
}

/** Draws grid lines and labels of both panes and of the time axis. */
function axes(bars: Bars, scale: PriceScale, { columns, prices, now, right, ahead }: AxesPlace): string {
  const { left, slot } = columns;
  const ticks = timeTicks(bars.time, slot);
  const upright = ticks.map(({ index }) => {
    const x = barCenterX(index, columns);
    return `${lineTo(x, prices.top, x, prices.bottom)}${lineTo(x, VOLUMES.top, x, VOLUMES.bottom)}`;
  });
  const most = maxVolume(bars.volume);
  return [
    path(scale.ticks.map((tick) => level(left, scale.y(tick), right)).join("") + upright.join(""), GRID),
    path(level(left, prices.bottom, right) + level(left, VOLUMES.bottom, right), FRAME),
    ...scale.ticks.map((tick) => axisLabel(left, scale.y(tick) + 4, fixedText(tick, scale.decimals))),
    axisLabel(left, VOLUMES.top + 10, most > 0 ? countText(most) : "0"),
    label(left + 6, VOLUMES.top - 4, most > 0 ? `Volume ${countText(bars.volume.at(-1)!)}` : "No volume", {
      fill: INK.quiet,
      size: 11,
    }),
    timeLabels(
      ticks,
      { left, right, bottom: VOLUMES.bottom, ...(ahead > 0 && { end: now }) },
      (index) => barCenterX(index, columns),
      hasDateLabel(bars.timeframe),
    ),
    ahead > 0 ? aheadLabel(ahead, now, right) : "",
  ].join("");
}

/** Draws the line where the future begins, and the number of its bars on the time axis. */
function aheadLabel(ahead: number, now: number, right: number): string {
  const text = `${ahead} bars ahead`;
  // the label may end below the tags, but not before the future begins
  const middle = Math.max((now + right) / 2, now + textWidth(text) / 2 + 8);
  return (
    path(lineTo(now + 0.5, VOLUMES.top, now + 0.5, VOLUMES.bottom), { ...FRAME, dash: "3 3" }) +
    label(middle, VOLUMES.bottom + 20, text, { fill: INK.range, bold: true, anchor: "middle" })
  );
}

/** Draws a line at the last close, from its bar to its tag. */
function closeLine(bars: Bars, scale: PriceScale, columns: Columns, right: number): string {
  const y = scale.y(bars.close.at(-1)!);
  return path(lineTo(barCenterX(bars.time.length - 1, columns), y, right, y), {
    stroke: INK.close,
    width: 1,
    dash: "2 2",
  });
}

const VERDICTS = { LONG: INK.target, SHORT: INK.stop, WAIT: INK.wait } as const;

/** Draws symbol and name at the left, verdict and label of simulated prices at the right. */
function heading({ symbol, name, bars, verdict, summary, plan, simulated }: Chart): string {
  const title = `${symbol} ${bars.timeframe}`;
  let x = SIZE.width - EDGE;
  const addPill = (text: string, colours: Parameters<typeof pill>[2]) => {
    const { width, drawn } = pill(text, x, colours);
    x -= width + 10;
    return drawn;
  };
  const sample = simulated === null ? "" : addPill(simulated, SAMPLE_PILL);
  const colour = VERDICTS[verdict ?? "WAIT"];
  const decision =
    verdict === null ? "" : addPill(verdict, { fill: colour, stroke: colour, text: INK.paper });
  const watch = plan?.basis === "watch" ? `levels ${watchingText(plan.side)}` : "";
  const subtitle = [summary, watch].filter((part) => part !== "").join("; ");
  const after = EDGE + textWidth(title, 24) + 14;
  const letters = Math.floor((x - textWidth(subtitle, 13) - 24 - after) / textWidth("m", 15));
  return [
    label(EDGE, 38, title, { size: 24, bold: true, fill: INK.text }),
    name === symbol || letters < 4
      ? ""
      : label(after, 38, plainText(name, letters), { size: 15, fill: INK.quiet }),
    sample,
    decision,
    label(x, 37, subtitle, { size: 13, fill: INK.text, anchor: "end" }),
  ].join("");
}

/** Draws provider, adjustment and range of the bars, and when the last one closed. */
function provenanceLine({ source, venue, closedAt }: Chart, bars: Bars): string {
  const { length } = bars.time;
  const span = [0, length - 1].map((i) => startText(bars.time[i]!, bars)).join(" to ");
  const parts = [
    `${source} (${venue})`,
    `adjustment ${bars.adjustment}`,
    `${length} closed bars, ${span}`,
    `as of ${momentText(closedAt)}`,
  ];
  return label(EDGE, 62, parts.join("  |  "), { size: 12, fill: INK.quiet });
}

/** Draws the prices of the last bar, and the averages with their last values. */
function legend(
  bars: Bars,
  averages: readonly { readonly style: (typeof AVERAGES)[number]; readonly values: Float64Array }[],
  left: number,
): string {
  const last = (["open", "high", "low", "close"] as const).map(
    (column) => `${column[0]!.toUpperCase()} ${priceText(bars[column].at(-1)!)}`,
  );
  const figures = last.join("  ");
  const lines = averages.map(
    ({ style: { period, ...style }, values }) =>
      [`SMA ${period}  ${priceText(values.at(-1)!)}`, style] as const,
  );
  const x = left + textWidth(figures) + 24;
  return label(left, LEGEND, figures, { fill: INK.text }) + legendRow(x, LEGEND, lines);
}
