import type { Output } from "../../api/tools.ts";

export type CheckOutput = Output<"check_order">;
export type PreviewOutput = Output<"preview_trade">;

/** A rule, as both tools state it. */
export interface RuleRow {
  readonly rule: string;
  readonly state: "passed" | "failed" | "unknown";
  readonly level: "stop" | "warn" | "info";
  readonly value: string | null;
  readonly limit: string | null;
  /** What would pass; null if it passes, or nothing would. */
  readonly passes: string | null;
  readonly why: string | null;
}

const ORDER = { failed: 0, unknown: 1, passed: 2 } as const;
const LEVELS = { stop: 0, warn: 1, info: 2 } as const;

/** Returns the rules of a check: those that failed, what is unknown, and those that passed. */
export const rulesOfCheck = ({ rules, unknown, passed = [] }: CheckOutput): readonly RuleRow[] => [
  ...rules.map(
    ({ rule, level, value, limit, would_pass, why }): RuleRow => ({
      rule,
      state: "failed",
      level,
      value: withSeparators(value),
      limit: withSeparators(limit),
      passes: would_pass ?? null,
      why: why ?? null,
    }),
  ),
  ...unknown.map(
    ({ what, send, required }): RuleRow => ({
      rule: what,
      state: "unknown",
      level: required === true ? "warn" : "info",
      value: null,
      limit: null,
      passes: null,
      why: send === undefined ? null : `send ${send}`,
    }),
  ),
  ...passed.map(
    (rule): RuleRow => ({
      rule,
      state: "passed",
      level: "info",
      value: null,
      limit: null,
      passes: null,
      why: null,
    }),
  ),
];

/** Returns the rules of a preview, those that did not pass first. */
export const rulesOfPreview = ({ checks }: PreviewOutput): readonly RuleRow[] =>
  checks
    .map(
      ({ rule, state, level, value, limit, unit, would_pass, passes_at }): RuleRow => ({
        rule,
        state,
        level,
        value: withUnit(value, unit),
        limit: withUnit(limit, unit),
        passes: withUnit(would_pass, unit) ?? (passes_at === undefined ? null : `at ${passes_at}`),
        why: null,
      }),
    )
    .sort((a, b) => ORDER[a.state] - ORDER[b.state] || LEVELS[a.level] - LEVELS[b.level]);

const withUnit = (value: string | null, unit: string | null): string | null =>
  withSeparators(value === null || unit === null || !/\d$/.test(value) ? value : `${value} ${unit}`);

/** Returns a text whose amounts in USD have separators of thousands. */
const withSeparators = (text: string | null): string | null =>
  text?.replace(/\d+(?=(\.\d+)? USD)/g, (amount) => Number(amount).toLocaleString("en-US")) ?? null;

/** Returns the verdict of a preview: no ticket stops it, a rule that warns or is unknown warns. */
export const verdictOf = ({ ticket_id, checks }: PreviewOutput): "ok" | "warn" | "stop" =>
  ticket_id === null
    ? "stop"
    : checks.some(({ state, level }) => state !== "passed" && level !== "info")
      ? "warn"
      : "ok";

/** Returns the order of a preview in words; null if there is none. */
export function orderText({ intent }: PreviewOutput): string | null {
  if (intent === null) return null;
  const { symbol, side, type, quantity, limit_price, stop_price, stop_loss, take_profit } = intent;
  const prices = { limit: limit_price, stop: stop_price, stop_loss, take_profit };
  const given = Object.entries(prices).flatMap(([name, value]) => (value === null ? [] : `${name} ${value}`));
  return [`${side} ${quantity} ${symbol}`, type === "market" ? "at the market" : type, ...given].join(", ");
}
