import { isBroken } from "../../analytics/risk/verdict.ts";
import type { OrderType, RiskCheck } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import { formatAmendments, quantityContext } from "./next-step.ts";

/** Builds the REFUSED error for broken rules, each with its value and limit; the hint is the one next step. */
export function riskRefusal(checks: readonly RiskCheck[], type: OrderType): ToolError {
  const broken = checks.filter(isBroken);
  return new ToolError(
    "REFUSED",
    `Refused by ${broken.map(({ rule, value, limit }) => `${rule}: ${value ?? "unknown"}, limit ${limit}`).join("; ")}`,
    {
      hint: formatAmendments(broken, quantityContext(type, checks)),
      ...(broken.some(({ rule }) => rule === "kill_switch") && { command: "market-signal limits release" }),
      data: { checks: broken },
    },
  );
}
