import { PLAN_RANK, type Plan, SCOPES, type Scope } from "../../domain/accounts/access.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Parses the name of a plan. Throws INVALID_INPUT with the list of plans. */
export function parsePlan(text: string): Plan {
  if (Object.hasOwn(PLAN_RANK, text)) return text as Plan;
  throw new ToolError("INVALID_INPUT", `There is no plan "${text.slice(0, 40)}"`, {
    hint: `Plans: ${Object.keys(PLAN_RANK).join(", ")}.`,
  });
}

/** Parses a comma-separated list of scopes. Throws INVALID_INPUT with the list of scopes. */
export function parseScopes(text: string): readonly Scope[] {
  const scopes = text.split(",").map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !SCOPES.includes(scope as Scope));
  if (unknown === undefined) return scopes as Scope[];
  throw new ToolError("INVALID_INPUT", `There is no scope "${unknown.slice(0, 40)}"`, {
    hint: `Scopes, comma-separated: ${SCOPES.join(", ")}.`,
  });
}

/** Parses a number of hours, at most a year, to milliseconds. Throws INVALID_INPUT. */
export function parseGraceMs(text: string): number {
  const hours = Number(text);
  if (text.trim() !== "" && Number.isFinite(hours) && hours >= 0 && hours <= 24 * 365)
    return hours * 3_600_000;
  throw new ToolError("INVALID_INPUT", "--grace takes hours, 0 to 8760");
}
