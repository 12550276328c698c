import {
  casesOf,
  formatBars,
  formatLevelChange,
  outcomesText,
  rangeText,
  touchWithin,
} from "../domain/odds/odds.text.ts";
import type { OddsAnswer, RangeBand } from "../domain/odds/odds.ts";
import { oddsLines } from "./chart.text.ts";
import { changeText, priceText } from "./figures.ts";
import { LEVEL_DASH, levelRule, type Tag } from "./plan.ts";
import { extent, type Heights, type PriceScale } from "./scale.ts";
import { label, lineTo, path, textWidth } from "./svg.ts";
import { INK } from "./theme.ts";

/** Levels with their odds within a number of bars after the last one. */
export interface LevelOverlay {
  readonly horizon: number;
  readonly levels: readonly Level[];
  /** Lines of text on the odds. */
  readonly lines: readonly string[];
}

interface Level extends Tag {
  readonly dash: string;
}

/** A level, placed in a chart. */
export interface PlacedLevel extends Level {
  /** false: too far from the other prices to be drawn as a line. */
  readonly isInside: boolean;
}

/** Returns what a chart shows of an answer: the odds of its plan and levels, and its range after `horizon` bars. */
export function overlayOf(
  { from, ranges, levels, plan }: OddsAnswer,
  { horizon, timeframe }: { readonly horizon: number; readonly timeframe: string },
): LevelOverlay {
  const range = ranges.find(({ bars }) => bars === horizon)!;
  const ends =
    plan === null
      ? []
      : ([
          { name: "Stop", price: plan.stop, odds: plan.stop_first, base: plan.base?.stop_first },
          { name: "Target", price: plan.target, odds: plan.target_first, base: plan.base?.target_first },
        ] as const);
  return {
    horizon,
    levels: [
      ...levels.map((level) => {
        const { odds, base } = touchWithin(level, horizon);
        return {
          price: level.price,
          lines: [`${priceText(level.price)} (${formatLevelChange(level)})`, `touch ${oddsText(odds, base)}`],
          colour: INK.entry,
          dash: "9 3",
        };
      }),
      ...ends.map(({ name, price, odds, base = null }) => ({
        price,
        lines: [`${name} ${priceText(price)} (${changeText(from, price)})`, `first ${oddsText(odds, base)}`],
        colour: name === "Stop" ? INK.stop : INK.target,
        dash: name === "Stop" ? LEVEL_DASH.stop : LEVEL_DASH.target,
      })),
    ],
    lines: [
      ...oddsLines(rangeText(range, timeframe, priceText), { end: "." }),
      ...(plan === null ? [] : oddsLines(outcomesText(plan), { start: `${plan.side} plan: `, end: "." })),
      ...(levels.length === 0 ? [] : [levelsLine(horizon)]),
    ],
  };
}

const levelsLine = (horizon: number): string =>
  `Levels: of 100 cases, those that touch the price within ${formatBars(horizon)}; base: the same in past windows of the symbol.`;

/** Formats odds with their base rate: `46, base 44`. */
const oddsText = (odds: number, base: number | null): string =>
  base === null ? shortCases(odds) : `${shortCases(odds)}, base ${shortCases(base)}`;

const shortCases = (odds: number): string =>
  casesOf(odds).replace("less than ", "<").replace("more than ", ">");

/** Levels farther from the prices of a chart than this share of their range are not drawn as lines, since they would flatten it. */
const MAX_DISTANCE = 0.35;

/** Places levels in a chart that shows `prices`. The label of a level outside begins with an arrow. */
export function levelsIn(levels: readonly Level[], prices: Iterable<number>): readonly PlacedLevel[] {
  const [low, high] = extent(prices);
  const maxDistance = MAX_DISTANCE * (high - low);
  return levels.map((level) => {
    const { price, lines } = level;
    const isInside = price >= low - maxDistance && price <= high + maxDistance;
    const [first = "", ...others] = lines;
    return {
      ...level,
      isInside,
      lines: isInside ? lines : [`${price > high ? "\u2191" : "\u2193"} ${first}`, ...others],
    };
  });
}

interface OverlayPlace {
  readonly left: number;
  /** Right edge of the last bar. */
  readonly now: number;
  /** Where the horizon ends. */
  readonly end: number;
  readonly right: number;
  readonly prices: Heights;
}

/**
 * Draws a line for each level inside the chart, thick up to the horizon, and a vertical line at the horizon, labelled
 * with its number of bars.
 */
export function overlayLines(
  horizon: number,
  levels: readonly PlacedLevel[],
  scale: Pick<PriceScale, "y">,
  { prices, ...place }: OverlayPlace,
): string {
  const name = { text: formatBars(horizon), size: 11 };
  const half = textWidth(name.text, name.size) / 2;
  const middle = Math.max(place.now + half, Math.min(place.end, place.right - half));
  return [
    ...levels.map(({ price, colour, dash, isInside }) =>
      isInside ? levelRule(scale.y(price), colour, dash, place) : "",
    ),
    path(lineTo(place.end, prices.top, place.end, prices.bottom), {
      stroke: INK.range,
      width: 1,
      dash: "3 3",
    }),
    label(middle, prices.bottom + 14, name.text, {
      fill: INK.range,
      size: name.size,
      bold: true,
      anchor: "middle",
    }),
  ].join("");
}

/** Writes the range of the close after `horizon` bars, from `top` on. */
export function horizonTable(
  bands: readonly RangeBand[],
  horizon: number,
  { x, top }: { readonly x: number; readonly top: number },
): string {
  const band = bands.find(({ bars }) => bars === horizon);
  if (band === undefined) return "";
  const row = (cases: string, low: number, high: number) =>
    `${cases}  ${priceText(low)} to ${priceText(high)}`;
  return [
    `After ${formatBars(horizon)}, of 100 cases:`,
    row("90", band.p5, band.p95),
    row("80", band.p10, band.p90),
    row("50", band.p25, band.p75),
    `median ${priceText(band.p50)}`,
  ]
    .map((text, i) => label(x, top + 16 * (i + 1), text, { fill: INK.range, size: 11, bold: i === 0 }))
    .join("");
}
