import { metricsOf } from "../../src/analytics/backtest/metrics.ts";
import { seededRandom } from "../../src/analytics/backtest/random.ts";
import { evaluateRules } from "../../src/analytics/backtest/rules/evaluate.ts";
import { simulate } from "../../src/analytics/backtest/simulate.ts";
import { suspectedSplits } from "../../src/analytics/backtest/splits.ts";
import type { Decisions } from "../../src/analytics/backtest/types.ts";
import { countWaves } from "../../src/analytics/elliott/count.ts";
import { explain } from "../../src/analytics/explain/explain.ts";
import { recentMoves } from "../../src/analytics/moves.ts";
import { oddsFault, oddsOf } from "../../src/analytics/odds/odds.ts";
import { pastPlanOutcomes, pastWindows } from "../../src/analytics/odds/past-windows.ts";
import { simulatePaths } from "../../src/analytics/odds/paths.ts";
import { planChanges } from "../../src/analytics/odds/plan-changes.ts";
import { instrumentProfile } from "../../src/analytics/odds/profile.ts";
import { MIN_ODDS_BARS, rangeModel } from "../../src/analytics/odds/range-model.ts";
import { findPatterns } from "../../src/analytics/patterns/patterns.ts";
import { type Consensus, type ConsensusInput, consensus } from "../../src/analytics/score/consensus.ts";
import { signalTape } from "../../src/analytics/score/tape.ts";
import { analyzeWyckoff } from "../../src/analytics/wyckoff/analysis.ts";
import type { Bars } from "../../src/domain/market/bars.ts";
import type { AssetClass } from "../../src/domain/market/market.ts";
import { technicalsOf } from "../../src/features/signal/technicals.ts";
import { testAccount } from "../analytics/backtest/tape.ts";
import { inputFor } from "./consensus-input.ts";
import { HOSTILE_KINDS, hostileBars } from "./hostile-bars.ts";
import { INDICATOR_CASES } from "./indicator-table.ts";
import { rulePlan } from "./rule-plan.ts";

const rules = rulePlan({
  entry: { any: ["close crosses_above sma(20)", "rsi(14) < 30"] },
  exit: { any: ["close crosses_below sma(20)"] },
  stop: "5%",
});

/** What every kernel reads: bars with their class, and the consensus of them. */
interface Subject {
  readonly bars: Bars;
  readonly assetClass: AssetClass;
  readonly input: ConsensusInput;
  readonly known: Consensus;
}
type Kernel = (subject: Subject) => unknown;

const backtest = (bars: Bars, decisions: Decisions, sizing: Parameters<typeof testAccount>[0] = {}) => {
  const streams = [{ symbol: "X", bars, decisions }];
  const account = testAccount({ commission: 0.001, slippage: 0.001, fractional: true, ...sizing });
  const ledger = simulate(streams, account);
  return [ledger.equity, metricsOf(ledger, { streams, account, year: 252 })];
};

const planOf = ({ known: { levels, close } }: Subject) =>
  levels === null
    ? ({ side: "LONG", stop: 0.97 * close, target: 1.05 * close, bars: 20 } as const)
    : { side: levels.side, stop: levels.stop, target: levels.targets[0]!, bars: 20 };

/** Kernels whose results hold no number that is not finite; unknown is null. */
export const KERNELS: Readonly<Record<string, Kernel>> = {
  consensus: ({ known }) => known,
  explain: ({ input, known }) => explain(input, known),
  patterns: ({ bars }) => findPatterns(bars),
  wyckoff: ({ bars }) => analyzeWyckoff(bars),
  elliott: ({ bars }) => countWaves(bars),
  moves: ({ bars }) => recentMoves(bars),
  splits: ({ bars }) => suspectedSplits(bars),
  profile: ({ bars, assetClass }) => instrumentProfile(bars, assetClass),
  odds: (subject) => {
    const { bars, assetClass, known } = subject;
    const levels = [0.9 * known.close, 1.1 * known.close];
    return oddsOf({
      bars,
      assetClass,
      symbol: "X",
      horizons: [5, 20, 60],
      levels,
      plan: planOf(subject),
      paths: 40,
    });
  },
  // also of bars that odds refuse
  paths: ({ bars, assetClass }) => {
    const { drift, reversion, emptyShare } = instrumentProfile(bars, assetClass);
    if (bars.close.length < MIN_ODDS_BARS || emptyShare === 1) return null;
    const plan = { side: "LONG", stop: Math.log(0.97), target: Math.log(1.05) } as const;
    const model = rangeModel(bars, reversion);
    return [
      pastWindows(bars, 20),
      pastPlanOutcomes(bars, plan, 20),
      simulatePaths(model, { paths: 40, drift, random: seededRandom(1), horizons: [5, 20, 60], plan }),
    ];
  },
  plan_changes: (subject) => {
    const { bars, assetClass } = subject;
    if (oddsFault(bars) !== null) return null;
    const atr = subject.known.levels?.atr14 ?? 0.02 * subject.known.close;
    return planChanges({ bars, assetClass, symbol: "X", plan: planOf(subject), atr, assumptions: true });
  },
  technicals: ({ bars, assetClass }) => technicalsOf(bars, assetClass),
  backtest: ({ bars }) => backtest(bars, evaluateRules(rules, bars)),
  backtest_by_volatility: ({ bars }) =>
    backtest(bars, evaluateRules(rules, bars), { sizing: { kind: "volatility", value: 1 } }),
};

/** Kernels whose NaN is the marker of a missing value, which callers turn into null. */
export const COLUMNS: Readonly<Record<string, Kernel>> = {
  ...Object.fromEntries(INDICATOR_CASES.map(({ name, of }) => [name, ({ bars }: Subject) => of(bars)])),
  tape: ({ input }) => {
    const { bars } = input;
    return signalTape(
      { ...input, universeAt: () => null },
      { from: bars.close.length - 3, drivers: ["momentum"] },
    );
  },
};

/** Returns the places in a result whose number is not finite or is minus zero, with their values. */
export function unsoundNumbers(result: unknown, { allowNaN = false, path = "" } = {}): readonly string[] {
  if (typeof result === "number") {
    if (allowNaN && Number.isNaN(result)) return [];
    return Number.isFinite(result) && !Object.is(result, -0)
      ? []
      : [`${path} ${Object.is(result, -0) ? "-0" : result}`];
  }
  if (typeof result !== "object" || result === null) return [];
  const found: string[] = [];
  for (const [key, value] of Object.entries(result)) {
    found.push(...unsoundNumbers(value, { allowNaN, path: `${path}.${key}` }));
    if (found.length > 3) break;
  }
  return found;
}

/** Returns what is unsound in the results of every kernel over generated hostile series. */
export function hostileFaults(count: number, seed: number): readonly string[] {
  const faults: string[] = [];
  for (let i = 0; i < count; i++) {
    const kind = HOSTILE_KINDS[i % HOSTILE_KINDS.length]!;
    const length = [1, 16, 130, 300, 560][Math.floor(i / HOSTILE_KINDS.length) % 5]!;
    const assetClass = (["equity", "etf", "crypto"] as const)[i % 3]!;
    const bars = hostileBars(kind, seed + i, length);
    const input = inputFor(bars, { assetClass });
    const name = `${kind} ${seed + i} of ${length} bars, ${assetClass}`;
    const known = consensus(input);
    for (const [kernels, allowNaN] of [
      [KERNELS, false],
      [COLUMNS, true],
    ] as const)
      for (const [kernel, run] of Object.entries(kernels)) {
        const found = attempt(() => unsoundNumbers(run({ bars, assetClass, input, known }), { allowNaN }));
        if (found.length > 0) faults.push(`${kernel} on ${name}: ${found.join(", ")}`);
      }
  }
  return faults;
}

function attempt(run: () => readonly string[]): readonly string[] {
  try {
    return run();
  } catch (cause) {
    return [cause instanceof Error ? cause.stack! : String(cause)];
  }
}
