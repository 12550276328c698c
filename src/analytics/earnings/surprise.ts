import type {
  ActualAndEstimate,
  EarningsFigure,
  EarningsResult,
  Surprise,
} from "../../domain/earnings/earnings.ts";

/** Estimates below this many dollars are too small to divide by. */
const SMALL = 0.1;
/** Minimum surprise, and minimum strong surprise, in percent of the estimate or of the price before the report. */
const CUTS = { estimate: { some: 2, strong: 10 }, price: { some: 0.05, strong: 0.25 } } as const;

interface Options {
  /** True for per-share figures: a surprise relative to a small estimate is measured against the price. */
  readonly perShare?: boolean;
  /** Last price before the report, USD; null if unknown. */
  readonly price?: number | null;
}

/**
 * Compares actual and estimate, which must have the same provider and accounting basis; else the result is null with
 * the reason. `surprisePct` = 100 (actual - estimate) / |estimate|; for a per-share estimate under 0.10 USD it is
 * relative to the price.
 */
export function surpriseOf(
  { actual, estimate }: ActualAndEstimate,
  { perShare = false, price = null }: Options = {},
): Surprise {
  const sides = { actual: actual?.value ?? null, estimate: estimate?.value ?? null };
  const none = (reason: string): Surprise => ({
    ...sides,
    surprisePct: null,
    surprise_of: null,
    result: null,
    basis: null,
    reason,
  });
  if (actual === null && estimate === null) return none("Neither a figure nor an estimate is known");
  if (actual === null) return none("No actual figure is known");
  if (estimate === null) return none("No estimate from before the report is known");
  const apart = differenceOf(actual, estimate);
  if (apart !== null) return none(apart);
  const small = perShare && Math.abs(estimate.value) < SMALL;
  if (small && price === null)
    return none("The estimate is under 0.10 USD and the price before the report is not known");
  if (!small && estimate.value === 0) return none("The estimate is 0");
  const scale = small ? "price" : "estimate";
  const by = small ? price! : Math.abs(estimate.value);
  const surprisePct = rounded((100 * (actual.value - estimate.value)) / by);
  return {
    ...sides,
    surprisePct,
    surprise_of: scale,
    result: resultOf(surprisePct, CUTS[scale]),
    basis: actual.basis,
    reason: null,
  };
}

/** Returns a surprise scaled to [-1, 1], where 1 is a strong surprise; null without one. */
export function surpriseValue({ surprisePct, surprise_of }: Surprise): number | null {
  if (surprisePct === null || surprise_of === null) return null;
  return Math.max(-1, Math.min(1, surprisePct / CUTS[surprise_of].strong));
}

/** Returns why two figures cannot be compared; null if they can. */
function differenceOf(actual: EarningsFigure, estimate: EarningsFigure): string | null {
  if (actual.basis !== estimate.basis)
    return `Different accounting bases: actual ${actual.basis}, estimate ${estimate.basis}`;
  if (actual.by !== estimate.by) return `Different providers: actual ${actual.by}, estimate ${estimate.by}`;
  return null;
}

function resultOf(percent: number, { some, strong }: { readonly some: number; readonly strong: number }) {
  const size = Math.abs(percent);
  if (size < some) return "IN_LINE" satisfies EarningsResult;
  const beat = percent > 0;
  if (size < strong) return beat ? "BEAT" : "MISS";
  return beat ? "STRONG_BEAT" : "STRONG_MISS";
}

/** Rounds to four decimals, so that the published value decides; also removes floating-point error. */
const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
