import { fixedText } from "./figures.ts";
import { extent, type Heights, type PriceScale, priceScale } from "./scale.ts";

/** Growth factor from which the scale is logarithmic. */
const MIN_LOG_RATIO = 5;
const MARGIN = 0.04;
/** Leading digits of ticks, longest list first; the first list with at most MAX_TICKS ticks is used. */
const LEADS = [[1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1]] as const;
const MAX_TICKS = 9;

/** A scale of money, logarithmic if the values are above 0 and far apart. */
export interface GrowthScale extends PriceScale {
  readonly isLog: boolean;
}

/** Returns the scale that shows all of `values`, ignoring those that are not finite numbers. */
export function growthScale(values: readonly number[], heights: Heights): GrowthScale {
  const [least, most] = extent(values);
  if (!(least > 0 && most / least > MIN_LOG_RATIO)) return { ...priceScale(values, heights), isLog: false };
  const margin = Math.log(most / least) * MARGIN;
  const [from, to] = [Math.log(least) - margin, Math.log(most) + margin];
  const unit = (heights.bottom - heights.top) / (to - from);
  const [low, high] = [Math.exp(from), Math.exp(to)];
  const y = (value: number) =>
    value > 0 ? heights.bottom - (Math.log(value) - from) * unit : Number.POSITIVE_INFINITY;
  const decimals = Math.min(20, Math.max(0, 1 - Math.floor(Math.log10(low))));
  return { low, high, ticks: logTicks(low, high), decimals, y, isLog: true };
}

/** Returns round numbers between two bounds, about evenly spaced on the logarithmic scale. */
function logTicks(low: number, high: number): readonly number[] {
  const [from, to] = [Math.floor(Math.log10(low)), Math.floor(Math.log10(high))];
  const decades = to - from + 1;
  const within = (leads: readonly number[], step: number) => {
    const first = Math.floor(from / step) * step;
    return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, i) =>
      leads.map((lead) => lead * 10 ** (first + i * step)),
    )
      .flat()
      .filter((tick) => tick >= low && tick <= high);
  };
  for (const leads of LEADS) {
    const ticks = within(leads, 1);
    if (ticks.length <= MAX_TICKS) return ticks;
  }
  return within([1], Math.ceil(decades / MAX_TICKS));
}

const STEPS = [
  [1e15, 1e12, "T"],
  [1e12, 1e9, "B"],
  [1e9, 1e6, "M"],
] as const;

/** Formats an amount of money: `10,000.00`, `1,234,568`, `2,500.0M`. */
export function moneyText(amount: number, decimals = 2): string {
  const size = Math.abs(amount);
  if (size >= 1e18) return amount.toExponential(2);
  const [, unit, sign] = STEPS.find(([least]) => size >= least) ?? [0, 1, ""];
  if (unit > 1) return `${fixedText(amount / unit, 1)}${sign}`;
  return fixedText(amount, size >= 1e6 ? 0 : decimals);
}
