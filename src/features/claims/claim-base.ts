import { type EntryPlan, entryOutcomesAt } from "../../analytics/odds/entry-odds.ts";
import { oddsBars } from "../../analytics/odds/odds.ts";
import { type ClaimTerms, planOfClaim, stateOfClaim } from "../../domain/claims/claim-state.ts";
import type { Claim } from "../../domain/claims/claims.ts";
import type { ComputeTask } from "../../domain/compute-port.ts";
import type { Bars } from "../../domain/market/bars.ts";

/** Minimum number of past windows of a base: with fewer, its standard error exceeds 5 points even without overlap. */
const MIN_WINDOWS = 100;

interface ClaimBaseInput {
  readonly bars: Bars;
  readonly terms: ClaimTerms;
  /** Number of bars until the deadline. */
  readonly count: number;
}

/**
 * Share of past windows of a symbol in which a claim at the same distances came true, of those in which its entry traded.
 * null: fewer windows than that.
 */
export const claimBaseTask: ComputeTask<ClaimBaseInput, Pick<Claim, "base" | "windows">> = {
  name: "claim base",
  duration: "short",
  run({ bars: all, terms, count }) {
    const bars = oddsBars(all);
    const [windows, right] =
      terms.rule === "close_beyond" ? closesIn(bars, terms, count) : endsIn(bars, terms, count);
    return { windows, base: windows < MIN_WINDOWS ? null : right / windows };
  },
};

function endsIn(bars: Bars, terms: ClaimTerms, count: number): readonly [number, number] {
  const plan: EntryPlan = { ...planOfClaim(terms), bars: count };
  const { filled, target } = entryOutcomesAt(bars, terms.price, plan);
  return [filled, target];
}

function closesIn({ close }: Bars, terms: ClaimTerms, count: number): readonly [number, number] {
  const windows = Math.max(0, close.length - count);
  let right = 0;
  for (let from = 0; from < windows; from++) {
    const later = (terms.price * close[from + count]!) / close[from]!;
    if (stateOfClaim(terms, { filled: true, end: null, close: later }) === "right") right++;
  }
  return [windows, right];
}
