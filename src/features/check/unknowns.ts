import type { Unknown } from "../../domain/check/check.ts";
import type { Amount, RiskCheck } from "../../domain/trading/trading.ts";
import { decimal } from "../../lib/decimal.ts";
import type { Unreadable } from "./snapshot/snapshot.ts";

/** What a rule lacks if its data is missing: the same fact for several rules. */
const FACTS = {
  equity_not_above_0: {
    what: "share of equity, open risk, drawdown: equity is 0 or below",
    send: "account.equity",
  },
  equity: { what: "share of equity, open risk, drawdown", send: "account.equity" },
  held: { what: "the position that this order closes, assumed to be held", send: "positions" },
  positions: { what: "open risk, concentration, correlation", send: "positions ([] if none)" },
  buying_power: { what: "buying power", send: "account.buying_power" },
  equity_before: { what: "loss of the day", send: "account.equity_before" },
  orders: { what: "duplicates", send: "open_orders and recent_trades" },
  volume: { what: "liquidity" },
  gaps: { what: "gaps beyond the stop" },
  earnings: { what: "earnings date" },
  price: { what: "age of the price", send: "quote.at" },
  odds: { what: "odds of stop and target", send: "stop_loss and take_profit" },
} as const satisfies Readonly<Record<string, Unknown>>;
type Fact = keyof typeof FACTS;

/** Fact that an unknown rule lacks; others lack the equity or the positions. */
const FACT_OF_RULE: Readonly<Record<string, Fact>> = {
  buying_power: "buying_power",
  cash_secured: "buying_power",
  max_daily_loss_pct: "equity_before",
  duplicate: "orders",
  liquidity: "volume",
  gap_risk: "gaps",
  earnings_inside: "earnings",
  price_age: "price",
  max_quote_age_seconds: "price",
  max_stop_over_target_points: "odds",
};
/** Facts without which an opening order is at best a warning. */
const REQUIRED: ReadonlySet<Fact> = new Set<Fact>(["equity", "equity_not_above_0", "positions"]);
/** Facts that old bars leave unknown, which is said once. */
const FACTS_OF_BARS: readonly Fact[] = ["volume", "gaps"];

export interface UnknownsInput {
  readonly checks: readonly RiskCheck[];
  /** Reasons for missing facts that are no rule's; `required` ones first. */
  readonly others: readonly Unknown[];
  /** USD; null: not known. */
  readonly equity: Amount | null;
  /** False: the bars are too old to use, which `others` say. */
  readonly isRecent: boolean;
  readonly hasPositions: boolean;
  readonly opens: boolean;
  /** True if the order is assumed to close what is held. */
  readonly isAssumed?: boolean;
  readonly unreadable: readonly Unreadable[];
}

/** Returns what was not checked, each fact once, required ones first. */
export function unknownsOf(input: UnknownsInput): readonly Unknown[] {
  const { checks, others, equity, isRecent, hasPositions, opens, isAssumed = false, unreadable } = input;
  const ofRules = checks.filter(({ state }) => state === "unknown").map(({ rule }) => FACT_OF_RULE[rule]);
  const facts = new Set<Fact>([
    ...(isAssumed
      ? []
      : equity === null
        ? (["equity"] as const)
        : opens && decimal(equity).lte(0)
          ? (["equity_not_above_0"] as const)
          : []),
    ...(hasPositions ? [] : isAssumed ? (["held"] as const) : (["positions"] as const)),
    ...ofRules.filter((fact) => fact !== undefined),
  ]);
  // without equity the loss of the day is part of what it lacks
  if (equity === null) facts.delete("equity_before");
  if (!isRecent) for (const fact of FACTS_OF_BARS) facts.delete(fact);
  const found = [...facts].map((fact): Unknown => {
    const isRequired = fact === "held" || (opens && REQUIRED.has(fact));
    return { ...FACTS[fact], ...(isRequired && { required: true as const }) };
  });
  // a limit of the owner is not passed by missing data
  const ofOwner = checks.flatMap(({ rule, state, level, set_by }): Unknown[] =>
    state === "unknown" && level === "stop" && set_by !== null
      ? [{ what: `${rule}, which the owner set`, required: true }]
      : [],
  );
  const all = [...others, ...ofOwner, ...found, ...unreadableRows(unreadable)];
  return [...all.filter(({ required }) => required), ...all.filter(({ required }) => !required)];
}

const MAX_NAMED = 5;

/** Names the rows that could not be read, at most five. */
function unreadableRows(rows: readonly Unreadable[]): readonly Unknown[] {
  const requiredIf = (isRequired: boolean) => isRequired && { required: true as const };
  const isPosition = ({ list }: Unreadable) => list !== "recent_trades";
  const named = rows.slice(0, MAX_NAMED).map(
    (one): Unknown => ({
      what: `row ${one.row} of ${one.list}: ${one.why}`,
      ...requiredIf(isPosition(one)),
    }),
  );
  const rest = rows.slice(MAX_NAMED);
  if (rest.length === 0) return named;
  const what = `${rest.length} more ${rest.length === 1 ? "row" : "rows"} that cannot be read`;
  return [...named, { what, ...requiredIf(rest.some(isPosition)) }];
}
