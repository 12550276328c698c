import { needsOf } from "../../analytics/backtest/rules/evaluate.ts";
import { parseRules } from "../../analytics/backtest/rules/parse.ts";
import type { Plan } from "../../analytics/backtest/rules/plan.ts";
import { newestTape, ruleDecision, type SignalSnapshot } from "../../analytics/decisions/rules.ts";
import type { CustomAgent } from "../../domain/agents/automation.ts";
import { type Adjustment, type Bars, barColumns, type Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { BarRow } from "../../domain/rows.ts";
import type { DriverRow, Signal } from "../../domain/signal/signal.ts";
import type { WyckoffPhase } from "../../domain/signal/structure.ts";
import { ToolError } from "../../kernel/errors.ts";
import { staleBarsReason } from "./pass-stale.ts";

/** Number of bars per get_history response, and maximum number of bars read in total. */
export const PAGE_SIZE = 500;
const MAX_BARS = 4_000;
/** Warm-up of recursive averages, as a multiple of their length. */
const WARMUP_FACTOR = 8;
const ADJUSTMENTS: readonly string[] = ["raw", "split", "total_return"];

/** Response of get_history, newest bar first. */
export interface BarsAnswer {
  readonly symbol: string;
  readonly tf: Timeframe;
  readonly asset_class: AssetClass;
  readonly bars: readonly BarRow[];
  readonly source: string;
  readonly adjustment: string;
  readonly data_as_of: string;
  readonly provenance: { readonly stale: boolean; readonly fetched_at: string };
}

/** Response of get_signal at the close of one bar. */
export interface SignalAnswer {
  readonly signal: Pick<Signal, "score" | "grade" | "direction">;
  readonly wyckoff: { readonly phase: WyckoffPhase | null };
  readonly drivers?: readonly DriverRow[] | undefined;
  readonly bars: { readonly as_of: string };
}

/** Parses the rules of a saved agent, with the data they need. @throws ToolError INVALID_INPUT */
export function parseAgentRules({ entry, exit, stop, target, limit }: CustomAgent): {
  readonly plan: Plan;
  readonly usesSignal: boolean;
  readonly bars: number;
} {
  const parsed = parseRules({ entry, exit, stop, target, limit });
  if ("problems" in parsed)
    throw new ToolError("INVALID_INPUT", parsed.problems.map(({ message }) => message).join("; "), {
      hint: "Save the agent again with save_agent.",
    });
  const { tape, minBars } = needsOf(parsed.plan);
  return {
    plan: parsed.plan,
    usesSignal: tape,
    bars: Math.min(MAX_BARS, Math.max(PAGE_SIZE, WARMUP_FACTOR * minBars)),
  };
}

/**
 * Analyzes a symbol by rules. `signals` are the signals at its newest bars, oldest first; null when the rules do not
 * use the signal.
 */
export function analyzeByRules(plan: Plan, history: BarsAnswer, signals: readonly SignalAnswer[] | null) {
  const { symbol, asset_class, source, data_as_of, tf, provenance } = history;
  const newest = signals?.at(-1)?.bars.as_of;
  if (newest !== undefined && newest !== data_as_of)
    throw new ToolError("CONFLICT", `A bar of ${symbol} closed during the analysis`, {
      hint: "The next pass uses it.",
    });
  const bars = barsOf(history);
  const tape = signals === null ? {} : { tape: newestTape(bars.time.length, signals.map(toSignalValues)) };
  const decide = (holds: boolean) => ruleDecision(plan, { bars, holds, ...tape });
  const { terms, conditions } = decide(false);
  return {
    symbol,
    asset_class,
    stale: staleBarsReason({
      as_of: data_as_of,
      stale: provenance.stale,
      now: provenance.fetched_at,
      timeframe: tf,
      asset_class,
    }),
    figures: {
      close: bars.close.at(-1) ?? null,
      terms: [...terms],
      conditions: conditions.map(({ part, text, held }) => ({ part, text, held })),
      timeframe: tf,
      source,
      as_of: data_as_of,
    },
    decide(holds: boolean) {
      const { reason, ...decision } = decide(holds);
      return { ...decision, reason: `${reason}; at the close of ${data_as_of}, on bars from ${source}` };
    },
  };
}

/** Converts rows, newest first, to columns. */
export function barsOf({ bars, tf, asset_class, source, adjustment }: BarsAnswer): Bars {
  const rows = bars
    .toReversed()
    .map(({ datetime, ...figures }) => ({ time: Date.parse(datetime), ...figures }));
  return barColumns(rows, {
    timeframe: tf,
    adjustment: (ADJUSTMENTS.includes(adjustment) ? adjustment : "unknown") as Adjustment,
    zone: asset_class === "crypto" || source === "sample" ? "UTC" : "America/New_York",
  });
}

const toSignalValues = ({ signal, wyckoff, drivers = [] }: SignalAnswer): SignalSnapshot => ({
  score: signal.score,
  grade: signal.grade,
  direction: signal.direction,
  phase: wyckoff.phase === "Undetermined" ? null : wyckoff.phase,
  drivers: Object.fromEntries(drivers.map(({ id, value }) => [id, value])),
});
