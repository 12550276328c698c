import { worseEdge } from "../analytics/levels/side.ts";
import { changeText, priceText } from "./figures.ts";
import type { PriceScale } from "./scale.ts";
import { spreadLabels } from "./spread.ts";
import { label, lineTo, path, rect, textWidth } from "./svg.ts";
import { INK } from "./theme.ts";

export interface ChartPlan {
  readonly side: "LONG" | "SHORT";
  /** watch: the levels of a WAIT. */
  readonly basis: "signal" | "watch";
  readonly entry: { readonly low: number; readonly high: number };
  readonly stop: number;
  /** Nearest first. */
  readonly targets: readonly number[];
}

/** A label at the right edge of the chart: text and price. */
export interface Tag {
  readonly price: number;
  readonly lines: readonly string[];
  readonly colour: string;
}

export const pricesOf = ({ entry, stop, targets }: ChartPlan): readonly number[] => [
  entry.low,
  entry.high,
  stop,
  ...targets,
];

/** Returns the tags of the last close and of a plan's prices; stop and targets have their distance from that close. */
export function tagsOf(close: number, plan: ChartPlan | null): readonly Tag[] {
  const here = { price: close, lines: [`Close ${priceText(close)}`], colour: INK.close };
  if (plan === null) return [here];
  const { entry, stop, targets } = plan;
  const at = (name: string, price: number, colour: string): Tag => ({
    price,
    lines: [`${name} ${priceText(price)} (${changeText(close, price)})`],
    colour,
  });
  return [
    here,
    {
      price: (entry.low + entry.high) / 2,
      lines: ["Entry zone", `${priceText(entry.low)} - ${priceText(entry.high)}`],
      colour: INK.entry,
    },
    at("Stop", stop, INK.stop),
    ...targets.map((target, i) => at(`T${i + 1}`, target, INK.target)),
  ];
}

/** Dashes of the lines of a plan. */
export const LEVEL_DASH = { stop: "6 3", target: "1 0" } as const;

const LINE = 15;
const PAD = 7;
const GAP = 3;
const LETTERS = { size: 12, bold: true };

/** Joins the lines of each tag into one if the tags are together taller than `height` pixels. */
export const tagsFor = (tags: readonly Tag[], height: number): readonly Tag[] =>
  sum(tags.map(slotOf)) <= height ? tags : tags.map((tag) => ({ ...tag, lines: [tag.lines.join(" ")] }));

/** Returns the height of a tag with the gap below it, in pixels. */
const slotOf = ({ lines }: Tag): number => lines.length * LINE + 6 + GAP;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns the width of the widest tag, in pixels, padding included. */
export const tagsWidth = (tags: readonly Tag[]): number =>
  Math.ceil(Math.max(0, ...tags.flatMap(({ lines }) => lines.map((line) => textWidth(line, LETTERS.size))))) +
  2 * PAD;

export interface TagPlace {
  /** Right edge of the chart, where the leaders begin. */
  readonly from: number;
  /** Left edge of the tags. */
  readonly x: number;
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Draws tags below one another without overlap, each with a line to its price, or to the edge of the scale if the price
 * lies beyond it. If the tags do not fit, all shrink in height. `hollow`: outlines all tags but the first, for levels
 * that are only watched.
 */
export function tagColumn(tags: readonly Tag[], scale: PriceScale, place: TagPlace, hollow: boolean): string {
  const squeeze = Math.min(1, (place.bottom - place.top) / sum(tags.map(slotOf)));
  const wanted = tags.map((tag) => ({ at: scale.y(tag.price), height: slotOf(tag) * squeeze }));
  const middles = spreadLabels(wanted, place.top, place.bottom);
  return tags
    .map(({ price, lines, colour }, i) => {
      const [middle, height] = [middles[i]!, wanted[i]!.height - GAP * squeeze];
      const box = { x: place.x, y: middle - height / 2, width: place.width, height };
      const filled = !hollow || i === 0;
      const first = middle + 12.5 - (lines.length * LINE) / 2;
      const edge = Math.max(scale.low, Math.min(price, scale.high));
      return [
        path(lineTo(place.from, scale.y(edge), place.x, middle), { stroke: colour, width: 1.2 }),
        rect(box, { fill: filled ? colour : INK.paper, stroke: colour, width: 1.2, round: 3 }),
        ...lines.map((line, row) =>
          label(box.x + PAD, first + row * LINE, line, { ...LETTERS, fill: filled ? INK.paper : colour }),
        ),
      ].join("");
    })
    .join("");
}

interface RulePlace {
  readonly left: number;
  /** Where the line is thick: from the right edge of the last bar on. */
  readonly now: number;
  readonly end: number;
  readonly right: number;
}

/** Draws the line of a price across a chart: thin over the past and beyond `end`, thick between. */
export const levelRule = (y: number, stroke: string, dash: string, at: RulePlace): string => {
  const thin = { stroke, width: 1, dash: "2 5", opacity: 0.55 };
  return [
    path(lineTo(at.left, y, at.now, y), thin),
    path(lineTo(at.now, y, at.end, y), { stroke, width: 1.6, dash }),
    at.end < at.right ? path(lineTo(at.end, y, at.right, y), thin) : "",
  ].join("");
};

export interface PlanPlace {
  readonly left: number;
  /** Right edge of the last bar, where the space for the future begins. */
  readonly now: number;
  readonly right: number;
}

/**
 * Draws risk and reward as areas after the last bar, the entry zone as a band between them, and a thin line at each
 * price.
 */
export function planFields(plan: ChartPlan, scale: PriceScale, { left, now, right }: PlanPlace): string {
  const { side, entry, stop, targets, basis } = plan;
  const worse = worseEdge({ side, entry });
  const last = targets.at(-1) ?? worse;
  const field = (a: number, b: number, fill: string, opacity: number, x = now): string => {
    const [y1, y2] = [scale.y(Math.max(a, b)), scale.y(Math.min(a, b))];
    return rect({ x, y: y1, width: right - x, height: Math.max(1, y2 - y1) }, { fill, opacity });
  };
  const faint = basis === "watch" ? 0.6 : 1;
  const rule = (price: number, stroke: string, dash: string) =>
    levelRule(scale.y(price), stroke, dash, { left, now, end: right, right });
  return [
    field(entry.low, entry.high, INK.entry, 0.07, left),
    field(worse, stop, INK.stop, 0.13 * faint),
    field(worse, last, INK.target, 0.13 * faint),
    field(entry.low, entry.high, INK.entry, 0.28),
    rule(stop, INK.stop, LEVEL_DASH.stop),
    ...targets.map((target) => rule(target, INK.target, LEVEL_DASH.target)),
  ].join("");
}
