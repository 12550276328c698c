import { fixedText } from "../../../src/charts/figures.ts";
import { EDGE, FRAME, GRID, level, picture } from "../../../src/charts/frame.ts";
import { type PriceScale, priceScale } from "../../../src/charts/scale.ts";
import { label, lineTo, path, rect, textWidth } from "../../../src/charts/svg.ts";
import { INK } from "../../../src/charts/theme.ts";
import { plainText } from "../../../src/lib/plain-text.ts";

/** A share that was measured over `n` outcomes; all shares are 0 to 1. */
interface Measured {
  readonly n: number;
  readonly share: number;
  readonly interval: { readonly low: number; readonly high: number };
  /** True if there are too few outcomes; drawn pale. */
  readonly isThin: boolean;
}

/** Chart of a record: shares by group, and forecasts against outcomes. */
export interface ReliabilityChart {
  readonly title: string;
  readonly summary: string;
  readonly facts: readonly string[];
  readonly groups: readonly (Measured & {
    readonly name: string;
    /** Share over all outcomes with which the group is compared. */
    readonly base: number;
  })[];
  readonly groupsTitle: string;
  /** Share over all outcomes, regardless of group. */
  readonly base: number;
  readonly bins: readonly (Measured & { readonly forecast: number })[];
  readonly binsTitle: string;
  /** Share over the outcomes that were forecast. */
  readonly forecastBase: number;
  readonly notes: readonly string[];
}

/** Position of a share, and its interval from `top` to `bottom`. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly top: number;
  readonly bottom: number;
}

const GROUPS = { left: 74, right: 668, top: 152, bottom: 548 } as const;
/** A square from 0 to 1 in both directions. */
const SQUARE = { left: 774, right: 1170, top: 152, bottom: 548 } as const;
const FIFTHS = [0, 0.2, 0.4, 0.6, 0.8, 1] as const;
const DIAGONAL = { stroke: INK.quiet, width: 1.4, dash: "6 3" } as const;
const BASE = { stroke: INK.stop, width: 1.4, dash: "2 4" } as const;

/** Returns the layout in pixels: groups in columns of equal width, bins in a square of forecast and outcome. */
export function reliabilityLayout({
  groups,
  bins,
  base,
  forecastBase,
}: Pick<ReliabilityChart, "groups" | "bins" | "base" | "forecastBase">) {
  const scale = priceScale(
    [base, ...groups.flatMap((one) => [one.base, one.share, one.interval.low, one.interval.high])],
    GROUPS,
  );
  const slot = (GROUPS.right - GROUPS.left) / Math.max(1, groups.length);
  const across = (share: number) => SQUARE.left + share * (SQUARE.right - SQUARE.left);
  const up = (share: number) => SQUARE.bottom - share * (SQUARE.bottom - SQUARE.top);
  const placeOf = (x: number, y: (share: number) => number, { share, interval }: Measured): Place => ({
    x,
    y: y(share),
    top: y(interval.high),
    bottom: y(interval.low),
  });
  return {
    scale,
    slot,
    across,
    up,
    base: scale.y(base),
    groups: groups.map((one, i) => ({
      ...placeOf(GROUPS.left + (i + 0.5) * slot, scale.y, one),
      base: scale.y(one.base),
    })),
    bins: bins.map((one) => placeOf(across(one.forecast), up, one)),
    forecastBase: up(forecastBase),
  };
}

/** Renders a track record as SVG text: shares by group on the left, reliability of forecasts on the right. */
export function reliabilitySvg(chart: ReliabilityChart): string {
  const places = reliabilityLayout(chart);
  return picture([
    label(EDGE, 38, plainText(chart.title, 80), { size: 24, bold: true, fill: INK.text }),
    label(EDGE, 62, plainText(chart.summary, 145), { size: 13, fill: INK.text }),
    label(EDGE, 84, chart.facts.join("  |  "), { size: 12, fill: INK.quiet }),
    groupPanel(chart, places),
    square(chart, places),
    ...chart.notes.map((note, i) =>
      label(EDGE, 630 + i * 18, plainText(note, 155), { size: 12, fill: INK.quiet }),
    ),
  ]);
}

function groupPanel(
  { groups, groupsTitle, base }: ReliabilityChart,
  { scale, slot, groups: places, base: baseY }: ReturnType<typeof reliabilityLayout>,
): string {
  const { left, right, top, bottom } = GROUPS;
  const most = Math.max(...groups.map(({ n }) => n));
  const half = Math.min(15, slot * 0.36);
  return [
    label(left, top - 34, groupsTitle, { size: 14, bold: true, fill: INK.text }),
    keys(left, top - 14, [
      ["share, 95% interval", { stroke: INK.entry, width: 2 }],
      ["base rate of the same closes", { stroke: INK.text, width: 3 }],
      [`every close ${percent(base, 1)}`, BASE],
    ]),
    ruled(scale, left, right),
    path(lineTo(left, baseY, right, baseY), BASE),
    path(lineTo(left, bottom, right, bottom), FRAME),
    ...groups.map(({ name, n, isThin }, i) => {
      const place = places[i]!;
      return [
        path(lineTo(place.x - half, place.base, place.x + half, place.base), { stroke: INK.text, width: 3 }),
        measured(place, n / most, isThin),
        label(place.x, bottom + 20, name, { size: 14, bold: true, fill: INK.text, anchor: "middle" }),
        label(place.x, bottom + 37, fixedText(n, 0), { size: 10, fill: INK.quiet, anchor: "middle" }),
      ].join("");
    }),
    label((left + right) / 2, bottom + 56, "Grade and number of signals", {
      fill: INK.quiet,
      anchor: "middle",
    }),
  ].join("");
}

function square(
  { bins, binsTitle, forecastBase }: ReliabilityChart,
  { across, up, bins: places, forecastBase: baseY }: ReturnType<typeof reliabilityLayout>,
): string {
  const { left, right, top, bottom } = SQUARE;
  const most = Math.max(...bins.map(({ n }) => n));
  const middle = { fill: INK.quiet, anchor: "middle" } as const;
  return [
    label(left, top - 34, binsTitle, { size: 14, bold: true, fill: INK.text }),
    keys(left, top - 14, [
      ["as forecast", DIAGONAL],
      [`all forecast closes ${percent(forecastBase, 1)}`, BASE],
    ]),
    path(
      FIFTHS.map(
        (share) => lineTo(across(share), top, across(share), bottom) + level(left, up(share), right),
      ).join(""),
      GRID,
    ),
    path(`${lineTo(left, top, left, bottom)}L${right} ${bottom}`, FRAME),
    path(lineTo(left, bottom, right, top), DIAGONAL),
    path(lineTo(left, baseY, right, baseY), BASE),
    ...places.map((place, i) => measured(place, bins[i]!.n / most, bins[i]!.isThin)),
    ...FIFTHS.map((share) => label(across(share), bottom + 20, percent(share), middle)),
    ...FIFTHS.map((share) =>
      label(left - 8, up(share) + 4, percent(share), { fill: INK.quiet, anchor: "end" }),
    ),
    label((left + right) / 2, bottom + 56, "Forecast (x-axis), outcome (y-axis)", middle),
  ].join("");
}

/** Draws a point with an area by its weight (0 to 1), and a whisker over its interval. */
function measured({ x, y, top, bottom }: Place, weight: number, isThin: boolean): string {
  const opacity = isThin ? 0.4 : 1;
  const size = 6 + 9 * Math.sqrt(weight);
  const steps =
    lineTo(x, top, x, bottom) + lineTo(x - 4, top, x + 4, top) + lineTo(x - 4, bottom, x + 4, bottom);
  return (
    path(steps, { stroke: INK.entry, width: 1.5, opacity }) +
    rect(
      { x: x - size / 2, y: y - size / 2, width: size, height: size },
      { fill: INK.entry, stroke: INK.paper, width: 1.5, round: size / 2, opacity },
    )
  );
}

/** Draws the legend entries from left to right. */
function keys(
  from: number,
  y: number,
  entries: readonly (readonly [
    text: string,
    style: typeof BASE | typeof DIAGONAL | { stroke: string; width: number },
  ])[],
): string {
  let x = from;
  return entries
    .map(([text, style]) => {
      const key =
        path(lineTo(x, y - 4, x + 22, y - 4), style) + label(x + 28, y, text, { size: 11, fill: INK.text });
      x += 28 + textWidth(text, 11) + 18;
      return key;
    })
    .join("");
}

const ruled = ({ ticks, y }: PriceScale, left: number, right: number): string =>
  path(ticks.map((tick) => level(left, y(tick), right)).join(""), GRID) +
  ticks
    .map((tick) => label(left - 8, y(tick) + 4, percent(tick), { fill: INK.quiet, anchor: "end" }))
    .join("");
const percent = (share: number, decimals = 0): string => `${fixedText(100 * share, decimals)}%`;
