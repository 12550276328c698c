import type { Bars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { Print } from "../../domain/off-exchange/prints.ts";
import { convictionOf, type PrintConviction } from "../conviction/conviction.ts";
import { type DriverContext, driverContext } from "../drivers/context.ts";
import type { DriverValue } from "../drivers/driver-value.ts";
import type { Facts, MissingFactReasons } from "../drivers/facts.ts";
import { readDrivers } from "../drivers/read.ts";
import type { Universe } from "../drivers/relative-strength.ts";
import { type Levels, type LevelsOutcome, levelsFor } from "../levels/levels.ts";
import type { Side } from "../levels/side.ts";
import { zigzag } from "../levels/zigzag.ts";
import { PRICE_GROUPS } from "./groups.ts";
import { computeVerdict, type Verdict } from "./verdict.ts";

/** Names the formulas behind a consensus; changes with every one of them. */
export const MODEL_VERSION = "consensus-1.0.0";

/** Everything a consensus is computed from. */
export interface ConsensusInput {
  /** Closed bars, ascending, the decision bar last; 500 make recursive averages independent of the start. */
  readonly bars: Bars;
  readonly assetClass: AssetClass;
  /** SPY, or BTC-USD for crypto, on the same timeframe; bars after the decision bar are ignored. */
  readonly benchmark: Bars | null;
  readonly isBenchmark: boolean;
  /** Other members of the same sector; read for stocks only, bars after the decision bar are ignored. */
  readonly peers: readonly Bars[];
  readonly universe: Universe | null;
  /** Values of the drivers that are not computed from bars, as known at the decision. */
  readonly facts?: Facts;
  /** Why the others are not known. */
  readonly missingReasons?: MissingFactReasons;
  /** Off-exchange prints on the adjustment of the bars; those reported after the decision bar are ignored. */
  readonly prints?: readonly Print[] | null;
  /** Provider of the prints. */
  readonly printsSource?: string;
}

export type ComponentScores = Readonly<Record<(typeof PRICE_GROUPS)[number], number | null>>;

/** One symbol's whole picture at its last bar. */
export interface Consensus extends Omit<Verdict, "plan"> {
  readonly model_version: string;
  /** Start of the decision bar, epoch ms. */
  readonly time: number;
  readonly close: number;
  readonly bars: number;
  readonly drivers: readonly DriverValue[];
  /** Group means on the scale of the score; null where the group is absent. */
  readonly component_scores: ComponentScores;
  readonly levels: Levels | null;
  /** Why there are no levels; null where there are. */
  readonly levels_reason: string | null;
  /** "signal" where the direction is the side of the levels, "watch" under WAIT; null without levels. */
  readonly levels_basis: "signal" | "watch" | null;
  readonly ics: PrintConviction;
}

/**
 * Drivers, score, verdict and levels of one symbol at its last bar. Reads nothing later than that bar.
 * @throws RangeError on empty bars
 */
export function consensus(input: ConsensusInput): Consensus {
  const context = driverContext(input.bars, input.assetClass);
  const drivers = driversOf(input, context);
  const { plan, ...verdict } = computeVerdict(drivers, context.n, levelsOf(context));
  return {
    model_version: MODEL_VERSION,
    time: input.bars.time[context.n - 1]!,
    close: context.close,
    bars: context.n,
    drivers,
    ...verdict,
    component_scores: componentScores(verdict.groups),
    levels: plan.levels,
    levels_reason: plan.reason,
    levels_basis: plan.levels === null ? null : verdict.direction === "WAIT" ? "watch" : "signal",
    ics: convictionOf({
      bars: input.bars,
      atr: context.atr,
      prints: input.prints ?? null,
      drivers,
      source: input.printsSource ?? "off_exchange_prints",
    }),
  };
}

/** The 29 drivers of a consensus input; sectors are left out for anything but stocks. */
export const driversOf = (input: ConsensusInput, context: DriverContext): readonly DriverValue[] =>
  readDrivers(
    context,
    {
      benchmark: input.benchmark,
      isBenchmark: input.isBenchmark,
      peers: input.assetClass === "equity" ? input.peers : null,
      universe: input.universe,
    },
    input.facts,
    input.missingReasons,
  );

/** The levels of either side at the decision bar, each computed on first ask. */
export function levelsOf({ bars, atr, a }: DriverContext): (side: Side) => LevelsOutcome {
  const pivots = zigzag(bars.high, bars.low, atr);
  const known = new Map<Side, LevelsOutcome>();
  return (side) => {
    const outcome = known.get(side) ?? levelsFor(side, bars, a, pivots);
    known.set(side, outcome);
    return outcome;
  };
}

function componentScores(groups: Verdict["groups"]): ComponentScores {
  const scores = PRICE_GROUPS.map((name) => {
    const value = groups.find(({ group }) => group === name)?.value ?? null;
    return [name, value === null ? null : 50 + 50 * value] as const;
  });
  return Object.fromEntries(scores) as ComponentScores;
}
