import type { Bars } from "../../domain/market/bars.ts";
import type { ConvictionRow, LevelRow } from "../../domain/off-exchange/darkpool.ts";
import type { Print } from "../../domain/off-exchange/prints.ts";
import type { DriverValue } from "../drivers/driver-value.ts";
import { atr as atrOf } from "../indicators/atr.ts";
import { blocksOf } from "./blocks.ts";
import { controlsOf, levelsOf, type PrintLevel } from "./levels.ts";
import { convictionBand, scoreOf, volumeProxy } from "./score.ts";
import { type LevelTest, testsIn } from "./tests.ts";

const MIN_TESTS = 3;

export interface ConvictionInput {
  /** Closed bars, ascending, the decision bar last. */
  readonly bars: Bars;
  /** ATR14 of the bars. Default: computed from the bars. */
  readonly atr?: Float64Array;
  /**
   * Off-exchange prints in any order; those reported after the decision are ignored. Null if no provider is connected.
   */
  readonly prints: readonly Print[] | null;
  readonly drivers: readonly DriverValue[];
  /** Provider of the prints. */
  readonly source: string;
}

export interface PrintConviction extends Readonly<ConvictionRow> {
  /** Ascending by first report; `first_seen` is the report time of the first print, epoch ms. */
  readonly levels: readonly TestedLevel[];
}
type TestedLevel = Readonly<Omit<LevelRow, "first_seen">> & { readonly first_seen: number };

/**
 * Returns the institutional conviction at the last bar, 0-100: how well the prices of large off-exchange prints hold as
 * support, compared with control levels at the same distances from price, where no print occurred. A score of 50 means
 * equal. With fewer than three tests the score is null with the reason. Uses only data known at the close of the last
 * bar.
 */
export function convictionOf({ bars, atr, prints, drivers, source }: ConvictionInput): PrintConviction {
  if (prints === null) return withoutScore(drivers, "No provider of off-exchange prints is connected");
  const ranges = atr ?? atrOf(bars.high, bars.low, bars.close);
  const levels = levelsOf(blocksOf(prints, bars), ranges);
  const testsOf = testsIn(bars, ranges);
  const outcomes = levels.map(({ steps }) => testsOf(steps, []));
  const tests: LevelTest[] = [];
  for (const own of outcomes) tests.push(...own);
  const found = {
    tests: tests.length,
    hold_rate: holdRate(tests),
    levels: levels.map((level, i) => tested(level, outcomes[i]!)),
  };
  if (tests.length < MIN_TESTS)
    return {
      ...withoutScore(drivers, `Needs ${MIN_TESTS} tests of print levels, has ${tests.length}`),
      ...found,
    };
  const controls: LevelTest[] = [];
  for (const steps of controlsOf(levels, bars, ranges)) testsOf(steps, controls);
  const score = scoreOf(tests, controls, bars.close.length - 1);
  return {
    score,
    conviction: convictionBand(score),
    source,
    volume_proxy: volumeProxy(drivers),
    ...found,
    control_rate: holdRate(controls),
    reason: null,
  };
}

const holdRate = (tests: readonly LevelTest[]): number | null =>
  tests.length === 0 ? null : holdsIn(tests) / tests.length;

const holdsIn = (tests: readonly LevelTest[]): number => tests.filter(({ held }) => held).length;

function tested({ firstSeen, steps }: PrintLevel, tests: readonly LevelTest[]): TestedLevel {
  const { price, notional } = steps.at(-1)!;
  const holds = holdsIn(tests);
  return { price, notional, first_seen: firstSeen, holds, fails: tests.length - holds };
}

const withoutScore = (drivers: readonly DriverValue[], reason: string): PrintConviction => ({
  score: null,
  conviction: "INSUFFICIENT",
  source: "none",
  volume_proxy: volumeProxy(drivers),
  tests: 0,
  hold_rate: null,
  control_rate: null,
  levels: [],
  reason,
});
