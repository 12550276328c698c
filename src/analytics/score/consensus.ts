import { type Bars, concatBars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { Print } from "../../domain/off-exchange/prints.ts";
import { convictionOf, type PrintConviction } from "../conviction/conviction.ts";
import { type DriverContext, driverContext } from "../drivers/context.ts";
import type { DriverValue } from "../drivers/driver-value.ts";
import type { Facts, MissingFactReasons } from "../drivers/facts.ts";
import { readDrivers } from "../drivers/read.ts";
import type { PeerReturn, Universe } from "../drivers/relative-strength.ts";
import { type Levels, type LevelsOutcome, levelsFor } from "../levels/levels.ts";
import type { Side } from "../levels/side.ts";
import { levelsAtTicks } from "../levels/ticks.ts";
import { zigzag } from "../levels/zigzag.ts";
import { PRICE_GROUPS } from "./groups.ts";
import { describeFault, newestSuspicion } from "./split-fault.ts";
import { computeVerdict, type Verdict } from "./verdict.ts";

/**
 * Version of drivers, verdict, levels, odds and confidence, which signals, runs, backtests, receipts and the track record
 * carry; any change to the formulas changes it.
 */
export const MODEL_VERSION = "consensus-1.2.0";

export interface ConsensusInput {
  /** Closed bars, ascending, the decision bar last; with 500 bars, recursive averages no longer depend on the start. */
  readonly bars: Bars;
  /** Closed bars before these, which only the odds read. Default: none. */
  readonly earlier?: Bars;
  readonly assetClass: AssetClass;
  /** SPY, or BTC-USD for crypto, on the same timeframe; bars after the decision bar are ignored. */
  readonly benchmark: Bars | null;
  readonly isBenchmark: boolean;
  /** Other members of the same sector, used for stocks only; bars after the decision bar are ignored. */
  readonly peers: readonly Bars[];
  readonly universe: Universe | null;
  /** Values of the drivers that are not computed from bars, as known at the decision. */
  readonly facts?: Facts;
  readonly missingReasons?: MissingFactReasons;
  /** Off-exchange prints with the same adjustment as the bars; those reported after the decision bar are ignored. */
  readonly prints?: readonly Print[] | null;
  /** Provider of the prints. */
  readonly printsSource?: string;
}

/** Returns the bars that the odds of a signal read, which are those of `get_odds`. */
export const oddsBarsOf = ({ bars, earlier }: Pick<ConsensusInput, "bars" | "earlier">): Bars =>
  earlier === undefined ? bars : concatBars(earlier, [bars]);

export type ComponentScores = Readonly<Record<(typeof PRICE_GROUPS)[number], number | null>>;

/** Consensus of one symbol at its last bar. */
export interface Consensus extends Omit<Verdict, "plan"> {
  readonly model_version: string;
  /** Start of the decision bar, epoch ms. */
  readonly time: number;
  readonly close: number;
  readonly bars: number;
  readonly drivers: readonly DriverValue[];
  /** Group means on the 0-100 scale of the score; null if the group is absent. */
  readonly component_scores: ComponentScores;
  readonly levels: Levels | null;
  /** Why there are no levels; null if there are. */
  readonly levels_reason: string | null;
  /** "signal" if the direction is the side of the levels, "watch" for WAIT; null without levels. */
  readonly levels_basis: "signal" | "watch" | null;
  readonly ics: PrintConviction;
}

/**
 * Returns the drivers, score, verdict and levels of one symbol at its last bar. Uses no data after that bar. Pass
 * `peerReturn` for many symbols with the same peers.
 * @throws RangeError on empty bars
 */
export function consensus(input: ConsensusInput, peerReturn?: PeerReturn): Consensus {
  const context = driverContext(input.bars, input.assetClass);
  const drivers = driversOf(input, context, peerReturn);
  const split = newestSuspicion(input.bars);
  const { plan, ...verdict } = computeVerdict(
    drivers,
    context.n,
    levelsOf(context, input.assetClass, split?.index),
    split === undefined ? null : describeFault(input.bars, split),
  );
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

/** Returns the 29 drivers of a consensus input; sectors apply to stocks only. */
export const driversOf = (
  input: ConsensusInput,
  context: DriverContext,
  peerReturn?: PeerReturn,
): readonly DriverValue[] =>
  readDrivers(
    context,
    {
      benchmark: input.benchmark,
      isBenchmark: input.isBenchmark,
      peers: input.assetClass === "equity" ? input.peers : null,
      peerReturn,
      universe: input.universe,
    },
    input.facts,
    input.missingReasons,
  );

/**
 * Returns a function that gives the levels of a side at the decision bar, at ticks; each side is computed on first use.
 * Pivots before bar `from` are no targets: prices before a suspected split are in another unit.
 */
export function levelsOf(
  { bars, atr, a }: DriverContext,
  assetClass: AssetClass,
  from = 0,
): (side: Side) => LevelsOutcome {
  const pivots = zigzag(bars.high, bars.low, atr).filter(({ index }) => index >= from);
  const known = new Map<Side, LevelsOutcome>();
  return (side) => {
    const outcome = known.get(side) ?? atTicks(levelsFor(side, bars, a, pivots), assetClass);
    known.set(side, outcome);
    return outcome;
  };
}

const atTicks = (outcome: LevelsOutcome, assetClass: AssetClass): LevelsOutcome =>
  outcome.levels === null ? outcome : levelsAtTicks(outcome.levels, assetClass);

function componentScores(groups: Verdict["groups"]): ComponentScores {
  const scores = PRICE_GROUPS.map((name) => {
    const value = groups.find(({ group }) => group === name)?.value ?? null;
    return [name, value === null ? null : 50 + 50 * value] as const;
  });
  return Object.fromEntries(scores) as ComponentScores;
}
