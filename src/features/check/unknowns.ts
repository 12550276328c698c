import type { Unknown } from "../../domain/check/check.ts";
import type { RiskCheck } from "../../domain/trading/trading.ts";
import type { Unreadable } from "./snapshot/snapshot.ts";

/** What a rule lacks if its data is missing: the same fact for several rules. */
const FACTS = {
  equity: { what: "share of equity, open risk, drawdown", send: "account.equity" },
  positions: { what: "open risk, concentration, correlation", send: "positions ([] if none)" },
  buying_power: { what: "buying power", send: "account.buying_power" },
  equity_before: { what: "loss of the day", send: "account.equity_before" },
  orders: { what: "duplicates", send: "open_orders and recent_trades" },
  volume: { what: "liquidity" },
  gaps: { what: "gaps beyond the stop" },
  earnings: { what: "earnings date" },
  price: { what: "age of the price", send: "quote.at" },
} as const satisfies Readonly<Record<string, Unknown>>;
type Fact = keyof typeof FACTS;

/** Fact that an unknown rule lacks; others lack the equity or the positions. */
const FACT_OF_RULE: Readonly<Record<string, Fact>> = {
  buying_power: "buying_power",
  max_daily_loss_pct: "equity_before",
  duplicate: "orders",
  liquidity: "volume",
  gap_risk: "gaps",
  earnings_inside: "earnings",
  price_age: "price",
};
/** Facts without which an opening order is at best a warning. */
const REQUIRED: ReadonlySet<Fact> = new Set<Fact>(["equity", "positions"]);

export interface UnknownsInput {
  readonly checks: readonly RiskCheck[];
  /** Reasons for missing facts that are no rule's; `required` ones first. */
  readonly others: readonly Unknown[];
  readonly hasEquity: boolean;
  readonly hasPositions: boolean;
  readonly opens: boolean;
  readonly unreadable: readonly Unreadable[];
}

/** Returns what was not checked, each fact once, required ones first. */
export function unknownsOf(input: UnknownsInput): readonly Unknown[] {
  const { checks, others, hasEquity, hasPositions, opens, unreadable } = input;
  const ofRules = checks.filter(({ state }) => state === "unknown").map(({ rule }) => FACT_OF_RULE[rule]);
  const facts = new Set<Fact>([
    ...(hasEquity ? [] : (["equity"] as const)),
    ...(hasPositions ? [] : (["positions"] as const)),
    ...ofRules.filter((fact) => fact !== undefined),
  ]);
  // without equity the loss of the day is part of what it lacks
  if (!hasEquity) facts.delete("equity_before");
  const found = [...facts].map((fact): Unknown => {
    const isRequired = opens && REQUIRED.has(fact);
    return { ...FACTS[fact], ...(isRequired && { required: true as const }) };
  });
  const all = [...others, ...found, ...unreadableRows(unreadable)];
  return [...all.filter(({ required }) => required), ...all.filter(({ required }) => !required)];
}

const MAX_NAMED = 5;

/** Names the rows that could not be read, at most five. */
function unreadableRows(rows: readonly Unreadable[]): readonly Unknown[] {
  const named = rows.slice(0, MAX_NAMED).map(
    ({ list, row, why }): Unknown => ({
      what: `row ${row} of ${list}: ${why}`,
      ...(list === "positions" && { required: true as const }),
    }),
  );
  const rest = rows.length - named.length;
  return rest === 0 ? named : [...named, { what: `${rest} more rows that cannot be read` }];
}
