import { formatPrice } from "../../lib/format-price.ts";
import { formatR } from "../../lib/format-r.ts";
import type { FillOdds, OddsAnswer, PlanOdds } from "./odds.ts";

/** Formats odds in whole cases of 100, never as 0 or 100: `less than 1`, `more than 99`. */
export const casesOf = (odds: number): string => {
  const cases = Math.round(100 * odds);
  if (cases === 0) return "less than 1";
  return cases === 100 ? "more than 99" : String(cases);
};

/** Formats a number of bars: `1 bar`, `20 bars`. */
export const formatBars = (bars: number): string => (bars === 1 ? "1 bar" : `${bars} bars`);

/** Formats the odds of a plan, with the price from which they start and their base rates, without a full stop. */
export const formatPlanOdds = (odds: PlanOdds, target?: TargetName): string =>
  `from ${formatPrice(odds.from)}, ${formatOutcomes(odds, target)}`;

/** Formats the odds that an order fills within a number of bars, with their base. */
export const formatFillOdds = ({ odds, base }: FillOdds, bars: number): string =>
  `fills within ${formatBars(bars)} in ${casesOf(odds)} of 100 cases${base === null ? "" : ` (any close of this symbol: ${casesOf(base)})`}`;

type TargetName = "target" | "target 1";

/** A text on odds without a full stop, and its base in brackets; null without past windows. */
export interface OddsText {
  readonly text: string;
  readonly base: string | null;
}

/** Returns the text, followed by its base. */
export const joinBase = ({ text, base }: OddsText): string => (base === null ? text : `${text} ${base}`);

/** Formats the odds of a plan with their base rates, without the price from which they start and a full stop. */
export const formatOutcomes = (odds: PlanOdds, target?: TargetName): string =>
  joinBase(outcomesText(odds, target));

/** Formats the odds of a plan and their base rates, without the price from which they start. */
export const outcomesText = (
  { bars, stop_first, target_first, neither, expected_r, base }: PlanOdds,
  target: TargetName = "target",
): OddsText => ({
  text: [
    ...(expected_r === undefined ? [] : [`expected ${formatR(expected_r.mean)} in ${formatBars(bars)}:`]),
    `stop first in ${casesOf(stop_first)} of 100 cases${resultOf(expected_r?.at_stop)},`,
    `${target} in ${casesOf(target_first)}${resultOf(expected_r?.at_target)},`,
    `neither ${expected_r === undefined ? `within ${formatBars(bars)} ` : ""}in ${casesOf(neither)}${resultOf(expected_r?.at_neither)}`,
  ].join(" "),
  base: base && `(any close of this symbol: ${baseText(base)})`,
});

const baseText = ({
  stop_first,
  target_first,
  neither,
  windows,
  n_eff,
  mean_r,
}: NonNullable<PlanOdds["base"]>): string =>
  [
    ...(mean_r === undefined ? [] : [formatR(mean_r)]),
    `stop ${casesOf(stop_first)}, target ${casesOf(target_first)}, neither ${casesOf(neither)}`,
    n_eff === undefined ? `${windows} past windows` : `about ${n_eff} independent windows`,
  ].join("; ");

/** Formats the mean result of an outcome in brackets; empty without one. */
const resultOf = (r: number | null | undefined): string => (r == null ? "" : ` (${formatR(r)})`);

type FormatPrice = (price: number) => string;

/** Formats the 90% range of the close with its base in one sentence. */
export const formatRange = (
  range: OddsAnswer["ranges"][number],
  timeframe: string,
  price: FormatPrice,
): string => `${joinBase(rangeText(range, timeframe, price))}.`;

/** Formats the 90% range of the close and its base. */
export const rangeText = (
  { bars, p5, p95, base }: OddsAnswer["ranges"][number],
  timeframe: string,
  price: FormatPrice,
): OddsText => ({
  text: `In 90 of 100 cases its close after ${formatBars(bars)} (${timeframe}) lies between ${price(p5)} and ${price(p95)}`,
  base: base === null ? null : `(base range in the past: ${price(base.p5)} to ${price(base.p95)})`,
});

/** Formats the stop and the target of a plan with their odds in one sentence. */
export const formatPlan = (plan: NonNullable<OddsAnswer["plan"]>, price: FormatPrice): string =>
  `${plan.side} from ${price(plan.from)}, stop ${price(plan.stop)}, target ${price(plan.target)}: ${formatOutcomes(plan)}.`;

/** Formats the distance of a level from the last close: `+5.0%`. */
export const formatLevelChange = ({
  change_percent,
}: Pick<OddsAnswer["levels"][number], "change_percent">): string =>
  `${change_percent < 0 ? "" : "+"}${change_percent.toFixed(1)}%`;

/** Formats the odds of touching a level within `horizon` bars with their base rate in one sentence. */
export function formatLevel(
  level: OddsAnswer["levels"][number],
  horizon: number,
  price: FormatPrice,
): string {
  const { odds, base } = touchWithin(level, horizon);
  const rate = base === null ? "" : ` (base rate in the past: ${casesOf(base)})`;
  return `${price(level.price)} (${formatLevelChange(level)}) is touched within ${formatBars(horizon)} in ${casesOf(odds)} of 100 cases${rate}.`;
}

/** Returns the odds of touching a level within a number of bars, which must be one of the answer. */
export const touchWithin = ({ touch }: OddsAnswer["levels"][number], horizon: number) =>
  touch.find(({ bars }) => bars === horizon)!;
