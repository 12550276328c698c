import { describeLimitChange } from "../../domain/trading/limits.text.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Throws REFUSED for a change of limits to the values that they have. */
export function assertLimitsDiffer(
  limits: RiskLimits,
  { change }: { readonly change: Partial<RiskLimits> },
): void {
  const all = describeLimitChange(limits, change);
  if (all.some(({ now, proposed }) => now !== proposed)) return;
  const values = all.map(({ limit, now }) => `${limit} is ${now ?? "off"}`).join(", ");
  throw new ToolError("REFUSED", `The limits already have these values: ${values}`, {
    hint: "No confirmation is needed. Go on, or request other values.",
  });
}
