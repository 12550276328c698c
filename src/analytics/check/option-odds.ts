import { shareAtLeast, shareAtMost, touchShare } from "../odds/odds.ts";
import { type PriceRange, rangeIn } from "./price-range.ts";
import { type Windows, type WindowsRequest, windowsOf } from "./windows.ts";

/** Terms of one option contract; prices are of the underlying, above 0. */
export interface OptionTerms {
  readonly right: "call" | "put";
  readonly strike: number;
  /** Price at expiry at which the contract gains and loses nothing; null if its premium is unknown. */
  readonly breakeven: number | null;
}

export interface OptionOddsRequest extends Omit<WindowsRequest, "horizon"> {
  readonly terms: OptionTerms;
  /** Number of daily bars up to that of the expiry, 1 to 60. */
  readonly sessions: number;
}

/** A probability, 0-1, with its base rate: the share of past windows of the symbol. */
export interface OddsWithBase {
  readonly odds: number;
  readonly base: number;
}

export interface OptionOdds {
  /** Odds that the price touches the strike from the side on which it is; 1 at the strike. */
  readonly touchStrike: OddsWithBase;
  /** Side of the strike on which the price is: `above` is in the money for a call and out of it for a put. */
  readonly touchFrom: "below" | "above" | "at";
  /** Odds that the price at expiry is above the breakeven of a call, or below that of a put; null without one. */
  readonly beyondBreakeven: OddsWithBase | null;
  /** Range of the price at expiry. */
  readonly range: PriceRange;
}

export type OptionOddsOutcome =
  | { readonly odds: OptionOdds; readonly reason: null }
  | { readonly odds: null; readonly reason: string };

/** Returns the odds of one option contract of an underlying, from the paths of `oddsOf`, or the reason why there are none. */
export function optionOddsOf({ terms, sessions, ...subject }: OptionOddsRequest): OptionOddsOutcome {
  const request = { ...subject, horizon: sessions };
  const windows = windowsOf(request);
  if (windows.paths === null) return { odds: null, reason: windows.reason };
  const { right, strike, breakeven } = terms;
  const { from } = subject;
  const level = Math.log(strike / from);
  return {
    odds: {
      touchStrike: withBase(windows, (ends) => (level === 0 ? 1 : touchShare(ends, level))),
      touchFrom: level === 0 ? "at" : level > 0 ? "below" : "above",
      beyondBreakeven:
        breakeven === null
          ? null
          : withBase(windows, ({ close }) => shareBeyond(close, right, breakeven / from)),
      range: rangeIn(windows, request),
    },
    reason: null,
  };
}

/** Returns the share of the paths and that of the past windows. */
const withBase = ({ paths, past }: Windows, shareOf: (ends: Windows["past"]) => number): OddsWithBase => ({
  odds: shareOf(paths),
  base: shareOf(past),
});

/** Returns the share of closes beyond a ratio to the price; none is below a ratio of 0 or less. */
function shareBeyond(closes: Float64Array, right: OptionTerms["right"], ratio: number): number {
  const level = ratio > 0 ? Math.log(ratio) : Number.NEGATIVE_INFINITY;
  return 1 - (right === "call" ? shareAtMost(closes, level) : shareAtLeast(closes, level));
}
