import { evaluateRules, needsOf } from "../../analytics/backtest/rules/evaluate.ts";
import { parseRules } from "../../analytics/backtest/rules/parse.ts";
import { checkParams, type Params } from "../../analytics/backtest/strategies/params.ts";
import type { Problem } from "../../analytics/backtest/strategies/problem.ts";
import { paramsOf, STRATEGY_TABLE } from "../../analytics/backtest/strategies/table.ts";
import type { Account, Decisions } from "../../analytics/backtest/types.ts";
import type { SignalTape } from "../../analytics/score/tape-columns.ts";
import type { BacktestRules, Sizing } from "../../domain/backtest/backtest.ts";
import type { StrategyName } from "../../domain/backtest/strategies.ts";
import type { BacktestTimeframe, Bars } from "../../domain/market/bars.ts";
import type { MemberList } from "../../domain/market/memberships.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Progress } from "../../kernel/tool.ts";

/** A strategy with its parameters, ready to decide. */
export interface StrategyPlan {
  readonly strategy: StrategyName;
  readonly params: Params;
  readonly rules: BacktestRules | null;
  /** Data that the strategy reads: the signal, named drivers, the market phase. */
  readonly needs: { readonly signal: boolean; readonly drivers: readonly string[]; readonly phase: boolean };
  /** Returns the number of bars required before the first decision. Default `params`: those of the plan. */
  minBars(params?: Params): number;
  /** Decides on every bar. Default `params`: those of the plan. */
  decide(bars: Bars, tape?: SignalTape, params?: Params): Decisions;
}

export interface PlanRequest {
  readonly strategy: StrategyName;
  readonly params: Readonly<Record<string, unknown>>;
  readonly rules?: BacktestRules | undefined;
  /** Parameter values of a sweep, by parameter name. */
  readonly sweep?: Readonly<Record<string, string>> | undefined;
}

/** A parsed backtest request. */
export interface BacktestRequest extends PlanRequest {
  /** As the caller wrote them; at least one. */
  readonly symbols: readonly string[];
  /** List whose members, at each date, are traded; `symbols` are all of its symbols. Default: none. */
  readonly list?: MemberList | undefined;
  readonly timeframe: BacktestTimeframe;
  /** Symbol to compare with, as the caller wrote it. Default: the symbols themselves. */
  readonly benchmark?: string | undefined;
  /** Start of trading and latest time of the data, epoch ms. Default: all bars. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly account: Omit<Account, "from" | "fractional" | "sizing" | "slippage"> & {
    /** Default: by asset class. */
    readonly slippage?: number | undefined;
    readonly sizing: Sizing;
    /** Default: fractional units for crypto, whole units otherwise. */
    readonly fractional?: boolean | undefined;
  };
  /** Number of walk-forward folds of a sweep. */
  readonly folds: number;
  /** Number of simulations on shuffled returns. */
  readonly draws: number;
  readonly signal: AbortSignal;
  readonly progress: (step: Required<Progress>) => void;
}

/** Builds the plan of a request. @throws ToolError INVALID_INPUT listing every problem with its path */
export function planOf({ strategy, params, rules, sweep }: PlanRequest): StrategyPlan {
  if (strategy === "rules") return planOfRules(rules, params);
  if (rules !== undefined)
    throw invalidField(["rules"], `${strategy} accepts no rules; use strategy "rules"`);
  const entry = STRATEGY_TABLE[strategy];
  const checked = sweep === undefined ? paramsOf(strategy, params) : checkParams(entry.params, params);
  if ("problems" in checked) throw invalidStrategy(checked.problems);
  return {
    strategy,
    params: checked.params,
    rules: null,
    needs: { signal: entry.readsSignal === true, drivers: [], phase: false },
    minBars: (own = checked.params) => entry.minBars(own),
    decide: (bars, tape, own = checked.params) => entry.decide(bars, own, tape),
  };
}

function planOfRules(rules: BacktestRules | undefined, params: PlanRequest["params"]): StrategyPlan {
  if (rules === undefined)
    throw invalidField(["rules"], 'required by strategy "rules", e.g. {"entry": {"all": ["rsi(14) < 30"]}}');
  const [unknown] = Object.keys(params);
  if (unknown !== undefined)
    throw invalidField(["params", unknown], "rules have no parameters: write the number into the rule");
  const parsed = parseRules(rules);
  if ("problems" in parsed)
    throw invalidStrategy(
      parsed.problems.map(({ path, message }) => ({ path: ["rules", ...path], message })),
    );
  const { plan } = parsed;
  const { tape, structure, drivers, minBars } = needsOf(plan);
  return {
    strategy: "rules",
    params: {},
    rules,
    needs: { signal: tape, drivers, phase: structure },
    minBars: () => minBars,
    decide: (bars, read) => evaluateRules(plan, bars, read),
  };
}

/** Builds an INVALID_INPUT error on one field. */
export const invalidField = (path: Problem["path"], message: string): ToolError =>
  invalidStrategy([{ path, message }]);

/** Builds an INVALID_INPUT error that lists problems. */
export function invalidStrategy(problems: readonly Problem[]): ToolError {
  const places = problems.map(({ path, message }) => `${path.join(".")}: ${message}`);
  return new ToolError("INVALID_INPUT", places.join("; "), {
    hint: "Correct the listed fields, then retry.",
    data: {
      errors: problems.map(({ path, message }) => ({ pointer: `/${path.join("/")}`, detail: message })),
    },
  });
}
