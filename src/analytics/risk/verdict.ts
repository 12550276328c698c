import { type Decimal, truncated } from "../../lib/decimal.ts";
import type { RuleName, Verdict } from "./terms.ts";

/** A rule that is satisfied. */
export const passedCheck = (rule: RuleName, value: string, limit: string): Verdict => ({
  rule,
  passed: true,
  value,
  limit,
  would_pass: null,
});

/** A rule that is broken, with the number that would pass; null where no number would. */
export const failedCheck = <Name extends RuleName>(
  rule: Name,
  value: string,
  limit: string,
  wouldPass: string | null,
): Verdict => ({
  rule,
  passed: false,
  value,
  limit,
  would_pass: wouldPass,
});

/** A rule on one figure that may be so much and no more: what would pass is the limit. */
export const maxCheck = (rule: RuleName, value: Decimal, limit: Decimal): Verdict =>
  value.lte(limit)
    ? passedCheck(rule, truncated(value), truncated(limit))
    : failedCheck(rule, truncated(value), truncated(limit), truncated(limit));

/** A verdict with the time (epoch ms, whole second) at which a violated rule will be satisfied without action. */
export const withPassesAt = (check: Verdict, at: number): Verdict =>
  check.passed ? check : { ...check, passes_at: new Date(Math.ceil(at / SECOND) * SECOND).toISOString() };
const SECOND = 1_000;
