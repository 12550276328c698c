import type { PlanOdds } from "../../domain/odds/odds.ts";
import type { Conflict, ConflictFields, EntryState } from "../../domain/signal/conflicts.ts";
import type { Direction } from "../../domain/signal/signal.ts";
import type { WyckoffPhase } from "../../domain/signal/structure.ts";
import { floorHundredths } from "../../lib/floor-hundredths.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { formatR } from "../../lib/format-r.ts";
import { type Side, towardProfit } from "../levels/side.ts";

interface PlanPrices {
  readonly side: Side;
  readonly entry: { readonly low: number; readonly high: number };
  readonly stop: number;
  /** First target. */
  readonly target: number;
}

interface ConflictInput extends PlanPrices {
  readonly direction: (typeof Direction)["options"][number];
  /** Current price, or the close of the decision bar. */
  readonly price: number;
  /** True if the bars are too old for the signal to be acted on. Default: false. */
  readonly stale?: boolean;
  readonly phase: WyckoffPhase;
  /** Label and next target of the wave count; null without a count. */
  readonly wave: { readonly label: string; readonly target: number } | null;
  /** Weinstein stage; null if unknown. */
  readonly stage: number | null;
  /** Next report; null without one before the plan ends. */
  readonly earnings: { readonly date: string; readonly days: number } | null;
  /** Odds of the plan, and their error in past forecasts, 0-1; null without, and where it is not measured. */
  readonly odds: PlanOdds | null;
  readonly oddsError: number | null;
}

const Z_90 = 1.645;

/** Phases in which prices are expected to fall, or to rise. */
const AGAINST: Readonly<Record<Side, ReadonlySet<WyckoffPhase>>> = {
  LONG: new Set(["Distribution", "Markdown", "Redistribution"]),
  SHORT: new Set(["Accumulation", "Markup", "Reaccumulation"]),
};
/** Stage that Weinstein never buys, or never sells short. */
const STAGE_AGAINST = { LONG: 4, SHORT: 2 } as const;

/** Returns the place of a price against a plan; a price at the stop or first target has ended it. */
export function entryStateOf(price: number, { side, entry, stop, target }: PlanPrices): EntryState {
  const toward = towardProfit(side);
  if (toward * (price - stop) <= 0 || toward * (price - target) >= 0) return "expired";
  if (price > entry.high) return "above";
  return price < entry.low ? "below" : "inside";
}

/** Returns the entry state, the reward-to-risk at the price and the facts against a verdict. A WAIT has no conflicts. */
export function conflictsOf(input: ConflictInput): ConflictFields {
  const { direction, price, stop, target } = input;
  const entry_state = input.stale === true ? "stale" : entryStateOf(price, input);
  const outside = entry_state === "above" || entry_state === "below";
  const rr_now = outside ? (target - price) / (price - stop) : null;
  const conflicts =
    direction === "WAIT"
      ? []
      : [
          ...factsAgainst(direction, input),
          ...priceConflict(entry_state, rr_now, input),
          ...oddsConflict(direction, input),
        ];
  return { entry_state, rr_now, conflicts };
}

function factsAgainst(direction: Side, { price, phase, wave, stage, earnings }: ConflictInput): Conflict[] {
  const found: Conflict[] = [];
  if (AGAINST[direction].has(phase))
    found.push({ code: "wyckoff_against", text: `Wyckoff ${phase} is against ${direction}` });
  if (wave !== null && towardProfit(direction) * (wave.target - price) < 0)
    found.push({
      code: "elliott_against",
      text: `The wave count (${wave.label}) targets ${formatPrice(wave.target)}, against ${direction}`,
    });
  if (stage === STAGE_AGAINST[direction])
    found.push({ code: "stage_against", text: `Weinstein stage ${stage} is against ${direction}` });
  if (earnings !== null)
    found.push({
      code: "earnings_ahead",
      text: `Earnings on ${earnings.date}, in ${earnings.days} days, come before the plan ends`,
    });
  return found;
}

/**
 * Returns a conflict if the expected result is negative and below that of any close of the symbol, both by more than
 * their 90% error: that of the odds, and for the difference also that of the independent past windows.
 */
function oddsConflict(direction: Side, { odds, oddsError, stop, target }: ConflictInput): Conflict[] {
  if (oddsError === null) return [];
  const { expected_r, base, from } = odds ?? {};
  if (
    expected_r === undefined ||
    from === undefined ||
    base?.n_eff === undefined ||
    base.mean_r === undefined
  )
    return [];
  const reward = Math.abs(target - from) / Math.abs(from - stop);
  const squares = base.stop_first + base.target_first * reward ** 2 + base.neither;
  const spread = Math.max(0, squares - base.mean_r ** 2);
  const error = oddsError * (1 + reward);
  const errorOfDifference = Math.hypot(error, Z_90 * Math.sqrt(spread / base.n_eff));
  const below = base.mean_r - expected_r.mean;
  if (expected_r.mean + error >= 0 || below <= errorOfDifference) return [];
  return [
    {
      code: "odds_against",
      text: `The odds are against ${direction}: expected ${formatR(expected_r.mean)}, any close of this symbol ${formatR(base.mean_r)}, a difference beyond its 90% error of ${errorOfDifference.toFixed(2)} R`,
    },
  ];
}

function priceConflict(state: EntryState, ratio: number | null, { price, entry }: ConflictInput): Conflict[] {
  if (state === "inside" || state === "stale") return [];
  const zone = `${formatPrice(entry.low)} - ${formatPrice(entry.high)}`;
  const at =
    ratio === null
      ? "has reached the stop or the first target: the plan has expired"
      : `is ${state} the entry zone ${zone}: reward to risk is ${floorHundredths(ratio).toFixed(2)} there`;
  return [{ code: "price_outside_entry", text: `The price ${formatPrice(price)} ${at}` }];
}
