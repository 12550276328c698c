import type { CheckAnswer } from "../../domain/check/check.ts";
import { isReasonKept } from "./why.text.ts";

/** Returns a concise answer: without what passed, versions, counts, nulls, and reasons that docs/check.md gives. */
export function concise({ passed: _, rules_version: __, rules, unknown, loss, odds, ...rest }: CheckAnswer) {
  const shown: CheckAnswer = {
    ...rest,
    rules: rules.map(({ why, ...rule }) =>
      isReasonKept(rule) && why !== undefined ? { ...rule, why } : rule,
    ),
    unknown,
    ...(loss && { loss: withoutField(loss, "gap_days") }),
    ...(odds && { odds: withoutField(odds, "windows") }),
  };
  return withoutNulls(shown) as CheckAnswer;
}

function withoutField<Shape extends object, Name extends keyof Shape>(
  shape: Shape,
  name: Name,
): Omit<Shape, Name> {
  const { [name]: _, ...rest } = shape;
  return rest;
}

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (one === null ? [] : [[name, withoutNulls(one)]])),
  );
};
