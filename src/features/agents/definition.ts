import { needsOf } from "../../analytics/backtest/rules/evaluate.ts";
import { parseRules } from "../../analytics/backtest/rules/parse.ts";
import type { Problem } from "../../analytics/backtest/strategies/problem.ts";
import type { CustomAgent } from "../../domain/agents/automation.ts";
import { ToolError } from "../../kernel/errors.ts";

const LIMIT_DAILY =
  "requires timeframe 1d: the order is valid for one day, as for the next bar in run_backtest";
const DAILY_ONLY = "must be 1d for rules that read the signal, as in run_backtest";

/** Validates a saved agent. @throws ToolError INVALID_INPUT listing every problem with its path */
export function validateDefinition({
  timeframe,
  entry,
  exit,
  stop,
  target,
  limit,
  sizing,
}: CustomAgent): void {
  const parsed = parseRules({ entry, exit, stop, target, limit });
  const problems: Problem[] = "problems" in parsed ? [...parsed.problems] : [];
  if ("plan" in parsed && needsOf(parsed.plan).tape && timeframe !== "1d")
    problems.push({ path: ["timeframe"], message: DAILY_ONLY });
  if (limit !== undefined && timeframe !== "1d") problems.push({ path: ["limit"], message: LIMIT_DAILY });
  if ((sizing.quantity === undefined) === (sizing.risk_pct === undefined))
    problems.push({ path: ["sizing"], message: "requires either quantity or risk_pct" });
  if (problems.length === 0) return;
  const text = problems.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  const errors = problems.map(({ path, message }) => ({ pointer: `/${path.join("/")}`, detail: message }));
  throw new ToolError("INVALID_INPUT", text, {
    hint: "Correct the named fields; everything else can stay.",
    data: { errors },
  });
}
