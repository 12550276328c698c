import type { RangeBand } from "../domain/odds/odds.ts";
import type { PriceScale } from "./scale.ts";
import { label, lineTo, path, px, rect, textWidth } from "./svg.ts";
import { INK } from "./theme.ts";

/** Range of a price after its last close, by ascending numbers of bars. */
export interface RangeCone {
  /** Last close, where the cone starts. */
  readonly close: number;
  readonly bands: readonly RangeBand[];
}

/** Widest first, so that a narrower band is darker. */
const BANDS = [
  { low: "p5", high: "p95", cases: 90 },
  { low: "p10", high: "p90", cases: 80 },
  { low: "p25", high: "p75", cases: 50 },
] as const;
const SHADE = { fill: INK.range, opacity: 0.16 };
const MEDIAN = { stroke: INK.range, width: 1.6, dash: "5 3" };

/** Returns the prices that a scale has to show for a cone: the edges of its widest band. */
export const pricesOfCone = ({ bands }: RangeCone): readonly number[] =>
  bands.flatMap(({ p5, p95 }) => [p5, p95]);

/**
 * Draws the bands of 90, 80 and 50 of 100 cases as areas, and the median as a line, all from the last close. `xOf`
 * places a number of bars after the last one; 0 is the last one.
 */
export function rangeCone(
  { close, bands }: RangeCone,
  { y }: Pick<PriceScale, "y">,
  xOf: (barsAhead: number) => number,
): string {
  if (bands.length === 0) return "";
  const points = (of: (typeof BANDS)[number]["low" | "high"] | "p50") => [
    `${px(xOf(0))} ${px(y(close))}`,
    ...bands.map((band) => `${px(xOf(band.bars))} ${px(y(band[of]))}`),
  ];
  return [
    // the lower edge runs back to the close, which the upper edge starts from
    ...BANDS.map(({ low, high }) =>
      path(`M${[...points(high), ...points(low).slice(1).reverse()].join("L")}z`, SHADE),
    ),
    path(`M${points("p50").join("L")}`, MEDIAN),
  ].join("");
}

const SWATCH = { width: 18, height: 10 } as const;

/** Draws the key of the bands and the median in one row, from `left`, with its baseline at `baseline`. */
export function rangeKey({ bands }: RangeCone, left: number, baseline: number): string {
  const last = bands.at(-1);
  if (last === undefined) return "";
  const text = { fill: INK.quiet, size: 11 };
  let x = left;
  const write = (words: string) => {
    const drawn = label(x, baseline, words, text);
    x += textWidth(words, text.size) + 8;
    return drawn;
  };
  const parts = [write(`Range of the close over ${last.bars} bars, of 100 cases:`)];
  for (const [i, { cases }] of [...BANDS.entries()].reverse()) {
    const box = { x, y: baseline - SWATCH.height + 1, ...SWATCH };
    // a band is shaded by itself and by the wider ones below it
    for (let shade = 0; shade <= i; shade++) parts.push(rect(box, SHADE));
    x += SWATCH.width + 5;
    parts.push(write(String(cases)));
  }
  const line = lineTo(x, baseline - 4, x + SWATCH.width, baseline - 4);
  x += SWATCH.width + 5;
  return [...parts, path(line, MEDIAN), write("median")].join("");
}
