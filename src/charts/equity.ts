import { plainText } from "../lib/plain-text.ts";
import type { Columns } from "./candles.ts";
import { areaUnder, curve, valueCenterX } from "./curve.ts";
import { deepestOf, drawdownOf } from "./drawdown.ts";
import {
  barDateFormatter,
  barsText,
  type EquityChart,
  type EquityMark,
  highLowMarks,
  isDaily,
  percentText,
} from "./equity.text.ts";
import { changeText, momentText } from "./figures.ts";
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
import { type GrowthScale, growthScale, moneyText } from "./growth-scale.ts";
import { type Tag, tagColumn, tagsWidth } from "./plan.ts";
import { label, lineTo, path, rect, textWidth } from "./svg.ts";
import { INK, SIZE } from "./theme.ts";
import { timeTicks } from "./time-axis.ts";
import { closedTrades } from "./trade-strip.ts";

const EQUITY_PANEL = { top: 124, bottom: 408 } as const;
const STRIP = { top: 436, bottom: 488 } as const;
const DRAWDOWN_PANEL = { top: 516, bottom: 630 } as const;
const LINE_STYLES = {
  equity: { stroke: INK.entry, width: 2 },
  benchmark: { stroke: INK.quiet, width: 1.4, dash: "6 3" },
  cash: { stroke: INK.text, width: 1, dash: "2 4" },
} as const;

/**
 * Renders a run as SVG text: equity compared with buy and hold, the result of each trade, drawdown and provenance.
 * @throws RangeError without bars
 */
export function equitySvg(chart: EquityChart): string {
  const { time, equity, benchmark, cash } = chart;
  if (time.length === 0) throw new RangeError("An equity chart needs bars");
  const scale = growthScale([...equity, ...(benchmark ?? []), cash], EQUITY_PANEL);
  const marks = highLowMarks(chart);
  const tags = tagsOf(chart, marks);
  const tagWidth = tagsWidth(tags);
  const axis = scale.ticks.map((tick) => moneyText(tick, scale.decimals));
  const left = Math.ceil(EDGE + Math.max(...axis.map((text) => textWidth(text)), 64) + 8);
  const right = SIZE.width - EDGE - tagWidth - LEADER;
  const columns = { left, slot: (right - left) / time.length };
  return picture([
    watermark(chart.simulated, (left + right) / 2, 290),
    axes(chart, scale, columns, right),
    path(lineTo(left, scale.y(cash), right, scale.y(cash)), LINE_STYLES.cash),
    benchmark === null ? "" : path(curve(benchmark, scale.y, columns), LINE_STYLES.benchmark),
    path(curve(equity, scale.y, columns), LINE_STYLES.equity),
    ...marks.map(({ index, colour }) => {
      const [x, y] = [valueCenterX(index, columns), scale.y(equity[index]!)];
      return path(lineTo(x, y, right, y), { stroke: colour, width: 1, dash: "1 4" }) + point(x, y, colour);
    }),
    tagColumn(
      tags,
      scale,
      {
        from: right,
        x: right + LEADER,
        width: tagWidth,
        top: EQUITY_PANEL.top - 4,
        bottom: EQUITY_PANEL.bottom + 4,
      },
      false,
    ),
    closedTrades(chart, STRIP, columns, right),
    drawdownPanel(chart, columns, right),
    heading(chart),
    legend(chart, scale, left, right),
  ]);
}

/** Returns the labels to the right of the upper panel. */
function tagsOf(
  { time, equity, benchmark, cash }: EquityChart,
  marks: readonly EquityMark[],
): readonly Tag[] {
  const ended = (name: string, price: number, colour: string): Tag => ({
    price,
    lines: [`${name} ${changeText(cash, price)}`, moneyText(price)],
    colour,
  });
  const day = barDateFormatter(time);
  return [
    ended("Equity", equity.at(-1)!, INK.entry),
    ...(benchmark === null ? [] : [ended("Buy & hold", benchmark.at(-1)!, INK.quiet)]),
    { price: cash, lines: [`Start ${moneyText(cash)}`], colour: INK.text },
    ...marks.map(({ name, index, colour }) => ({
      price: equity[index]!,
      lines: [`${name} ${moneyText(equity[index]!)}`, day(index)],
      colour,
    })),
  ];
}

const point = (x: number, y: number, colour: string): string =>
  rect(
    { x: x - 4, y: y - 4, width: 8, height: 8 },
    { fill: colour, stroke: INK.paper, width: 1.5, round: 4 },
  );

/** Draws grid lines and labels of the upper panel and of the time axis. */
function axes({ time }: EquityChart, scale: GrowthScale, columns: Columns, right: number): string {
  const { left, slot } = columns;
  const ticks = timeTicks(time, slot);
  const upright = ticks.map(({ index }) => {
    const x = valueCenterX(index, columns);
    return [EQUITY_PANEL, STRIP, DRAWDOWN_PANEL].map(({ top, bottom }) => lineTo(x, top, x, bottom)).join("");
  });
  return [
    path(scale.ticks.map((tick) => level(left, scale.y(tick), right)).join("") + upright.join(""), GRID),
    path(level(left, EQUITY_PANEL.bottom, right), FRAME),
    ...scale.ticks.map((tick) => axisLabel(left, scale.y(tick) + 4, moneyText(tick, scale.decimals))),
    timeLabels(
      ticks,
      { left, right, bottom: DRAWDOWN_PANEL.bottom },
      (index) => valueCenterX(index, columns),
      isDaily(time),
    ),
  ].join("");
}

/** Draws the lower panel: the drawdowns of equity and of buy and hold. */
function drawdownPanel({ time, equity, benchmark }: EquityChart, columns: Columns, right: number): string {
  const { left } = columns;
  const own = drawdownOf(equity);
  const other = benchmark === null ? null : drawdownOf(benchmark);
  const [deepest, deeper] = [deepestOf(own), other === null ? null : deepestOf(other)];
  const floor = Math.min(deepest?.percent ?? 0, deeper?.percent ?? 0, -1) * 1.06;
  const y = (percent: number) =>
    DRAWDOWN_PANEL.top + (percent / floor) * (DRAWDOWN_PANEL.bottom - DRAWDOWN_PANEL.top);
  const ticks = drawdownTicks(-floor);
  const day = barDateFormatter(time);
  const words =
    deepest === null
      ? "never below its peak"
      : `deepest ${percentText(deepest.percent)} on ${day(deepest.index)}, at the end ${percentText(own.at(-1)!)}`;
  const comparison = deeper === null ? "" : `; buy & hold deepest ${percentText(deeper.percent)}`;
  return [
    path(ticks.map((tick) => level(left, y(-tick), right)).join(""), GRID),
    path(areaUnder(own, y, columns, DRAWDOWN_PANEL.top), { fill: INK.stop, opacity: 0.16 }),
    other === null ? "" : path(curve(other, y, columns), { ...LINE_STYLES.benchmark, width: 1 }),
    path(curve(own, y, columns), { stroke: INK.stop, width: 1.4 }),
    path(level(left, DRAWDOWN_PANEL.top, right) + level(left, DRAWDOWN_PANEL.bottom, right), FRAME),
    ...[0, ...ticks].map((tick) => axisLabel(left, y(-tick) + 4, percentText(-tick, tick % 1 === 0 ? 0 : 1))),
    deepest === null ? "" : point(valueCenterX(deepest.index, columns), y(deepest.percent), INK.stop),
    label(left, DRAWDOWN_PANEL.top - 8, `Drawdown: ${words}${comparison}`, { fill: INK.text, size: 11 }),
  ].join("");
}

/** Returns up to four round depths in percent, ascending, none deeper than `depth`. */
function drawdownTicks(depth: number): readonly number[] {
  const step =
    [0.5, 1, 2, 5, 10, 20, 25, 50, 100].find((each) => depth / each <= 4.6) ??
    10 ** Math.ceil(Math.log10(depth / 4.6));
  return Array.from({ length: Math.floor(depth / step) }, (_, i) => (i + 1) * step);
}

/** Draws title, label of simulated prices, summary and provenance. */
function heading({ title, time, bars, source, currency, asOf, simulated, summary }: EquityChart): string {
  const right = SIZE.width - EDGE;
  const mark = simulated === null ? { width: 0, drawn: "" } : pill(simulated, right, SAMPLE_PILL);
  const letters = Math.floor((right - mark.width - 24 - EDGE) / textWidth("m", 24));
  const day = barDateFormatter(time);
  const facts = [
    plainText(source, 48),
    `${barsText(bars)}, ${day(0)} to ${day(time.length - 1)}`,
    plainText(currency, 8),
    `as of ${momentText(asOf)}`,
  ];
  return [
    label(EDGE, 38, plainText(title, letters), { size: 24, bold: true, fill: INK.text }),
    mark.drawn,
    summary === "" ? "" : label(EDGE, 62, plainText(summary, 145), { size: 13, fill: INK.text }),
    label(EDGE, summary === "" ? 64 : 84, facts.join("  |  "), { size: 12, fill: INK.quiet }),
  ].join("");
}

function legend(
  { benchmark, currency }: EquityChart,
  { isLog }: GrowthScale,
  left: number,
  right: number,
): string {
  const entries = [
    ["Equity", LINE_STYLES.equity],
    ...(benchmark === null ? [] : [["Buy & hold", LINE_STYLES.benchmark] as const]),
    ["Start", LINE_STYLES.cash],
  ] as const;
  const unit = `${plainText(currency, 8)}${isLog ? ", log scale" : ""}`;
  return legendRow(left, 110, entries) + label(right, 110, unit, { fill: INK.quiet, anchor: "end" });
}
