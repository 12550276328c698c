import { ODDS_RULE } from "../../analytics/risk/odds-rules.ts";
import { PRICE_RULES } from "../../analytics/risk/price-rules.ts";
import { SIZE_RULES } from "../../analytics/risk/size-rules.ts";
import { oddsKelly, type PlanResults } from "../../analytics/sizing/odds-kelly.ts";
import type { Preview, TradeRequest } from "../../domain/trading/preview.ts";
import type { AccountType, Amount, OrderType, RiskCheck, Side } from "../../domain/trading/trading.ts";
import { decimal, minDecimal, stepDown, truncated } from "../../lib/decimal.ts";
import type { Unsized } from "./size.ts";

const SIZE_RULE_NAMES: ReadonlySet<string> = new Set(SIZE_RULES);
const PRICE_FIELDS: Readonly<Record<string, "limit_price" | "stop_price">> = PRICE_RULES;

/** Describes how to satisfy a broken rule: a different quantity or price, cancelling an order, or waiting. */
export function formatRemedy({ rule, value, would_pass: passing, passes_at, held_by }: RiskCheck): string {
  if (rule === ODDS_RULE) return value === "unknown" ? NO_ODDS_REMEDY : ODDS_REMEDY;
  const freeing = held_by === undefined ? "" : `cancel_order ${held_by.join(", ")} frees the units it closes`;
  if (passing === null) return freeing === "" ? "no value would pass now" : freeing;
  if (SIZE_RULE_NAMES.has(rule))
    return `quantity ${passing} would pass${freeing === "" ? "" : `, or ${freeing}`}`;
  const price = PRICE_FIELDS[rule];
  if (price !== undefined) return `${price} ${passing} would pass`;
  return passes_at === undefined ? "passes only later" : `wait until ${formatSecond(passes_at)}`;
}
const ODDS_REMEDY = "a stop_loss farther away or a take_profit nearer would lower it";
const NO_ODDS_REMEDY = "there are no odds, odds_reason of preview_trade says why";
const formatSecond = (at: string): string => at.replace(/\.\d+Z$/, "Z");

/**
 * Returns the largest quantity that would pass all broken rules; null when one is not a size rule or no quantity
 * passes.
 */
export function maxPassingQuantity(broken: readonly RiskCheck[]): string | null {
  const [first, ...others] = broken.map(({ rule, would_pass }) =>
    SIZE_RULE_NAMES.has(rule) ? would_pass : null,
  );
  if (first == null || others.some((one) => one === null)) return null;
  return truncated(minDecimal(decimal(first), ...others.map((one) => decimal(one!))));
}

/** Rules whose largest quantity falls as the price rises. */
const PRICE_DEPENDENT_RULES: ReadonlySet<string> = new Set([
  "max_notional_usd",
  "max_notional_pct",
  "buying_power",
  "max_open_risk_pct",
]);
/** Share of the largest quantity that a market order uses, so that it still passes if the price rises before it is sent. */
export const HEADROOM = "0.995";

/** Order properties that decide which quantity is suggested. */
export interface QuantityContext {
  readonly type: OrderType;
  /** Smallest tradable quantity increment; null when unknown. */
  readonly step: string | null;
}

/**
 * Returns the largest quantity to suggest when size rules are broken. Market orders leave 0.5 % headroom for price
 * changes.
 */
function suggestedQuantity(broken: readonly RiskCheck[], { type, step }: QuantityContext): string | null {
  const max = maxPassingQuantity(broken);
  if (max === null || type !== "market" || step === null) return max;
  const priceBound = maxPassingQuantity(broken.filter(({ rule }) => PRICE_DEPENDENT_RULES.has(rule)));
  if (priceBound === null) return max;
  const reduced = stepDown(decimal(priceBound).times(HEADROOM), decimal(step));
  return reduced.gt(0) ? truncated(minDecimal(reduced, decimal(max))) : max;
}

/** Reads the quantity context from the order type and its checks. */
export const quantityContext = (type: OrderType, checks: readonly RiskCheck[]): QuantityContext => ({
  type,
  step: checks.find(({ rule }) => rule === "quantity_step")?.limit ?? null,
});

/** Suggests the next call after a preview: send it, correct it, or set the size on paper. */
export function formatNextStep(
  shown: Omit<Preview, "hint">,
  {
    side,
    trade,
    remedy = null,
    unsized = null,
  }: {
    readonly side: Side | null;
    readonly trade: TradeRequest;
    /** How to correct prices that do not fit together; null if they do. */
    readonly remedy?: string | null;
    /** Why a trade whose prices fit has no size; null if that is not what prevents the trade. */
    readonly unsized?: Unsized | null;
  },
): string {
  const { ticket_id, checks, signal, sizing, quote, account_type: type } = shown;
  if (ticket_id !== null)
    return type === "paper"
      ? `Call execute_trade with ticket_id ${ticket_id} to send it once.`
      : `The owner of the server confirms it in the terminal of the server; then call execute_trade with ticket_id ${ticket_id}.`;
  const broken = checks.filter(({ passed }) => !passed);
  if (broken.length > 0) return formatAmendments(broken, quantityContext(trade.type, checks));
  if (shown.intent !== null) return "Preview it again in a form that this broker accepts.";
  if (remedy !== null) return remedy;
  if (unsized !== null) return formatUnsized(unsized, type);
  if (type === "live")
    return "A live trade follows the signal and is sized by the owner's TRADING_RISK_PCT, or closes a held position with side and quantity. On a paper connection, set side and quantity, such as buy and 1.";
  if (side === null && trade.risk_pct !== undefined)
    return `To trade on paper without the signal, set \`side\` ("buy" or "sell") and stop_loss (below ${quote.price} to buy, above it to sell) together with risk_pct.`;
  if (side === null)
    return 'To trade on paper without the signal, set `side` ("buy" or "sell") and `quantity`, such as "1".';
  if (trade.quantity !== undefined) return "Correct the input and preview it again.";
  const away = side === "buy" ? "below" : "above";
  const follows = signal?.direction === (side === "buy" ? "LONG" : "SHORT");
  if (sizing.method === "risk_pct" && !follows && trade.stop_loss === undefined)
    return `Set stop_loss (a price ${away} ${quote.price}), or set \`quantity\`, such as "1", instead.`;
  if (sizing.method === "risk_pct")
    return 'To set the size yourself on paper, pass risk_pct, such as "0.5", or `quantity`, such as "1".';
  return `To trade on paper without a record, set \`quantity\`, such as "1", or risk_pct, such as "0.5", with stop_loss ${away} ${quote.price}.`;
}

/** Says in one sentence why a trade has no size, and how to size it. */
function formatUnsized(unsized: Unsized, type: AccountType): string {
  const onPaper =
    type === "paper"
      ? 'pass risk_pct, such as "0.5", or `quantity`, such as "1"'
      : "on a paper connection pass risk_pct";
  return unsized.by === "record"
    ? `The track record gives this trade no size (${unsized.why}; few real records so far have a positive Kelly fraction): leave sizing out for the owner's TRADING_RISK_PCT, or ${onPaper}.`
    : `The owner of the server set no default size: ${onPaper}, or let the owner set TRADING_RISK_PCT, such as 0.5.`;
}

/** Says that a trade risks the share of equity that the owner set. */
export const formatDefaultSize = (riskPct: Amount): string =>
  `It risks at most ${riskPct} % of equity at its stop, the owner's TRADING_RISK_PCT.`;

/** Highest Kelly share that is called about 0. */
const ABOUT_ZERO = 0.005;

/** Says in one sentence what Kelly from the odds is, and why it sets no size. */
export function formatOddsKelly(results: PlanResults): string {
  const kelly = oddsKelly(results) ?? 0;
  const percent = truncated(decimal(kelly).times(100), 1);
  const why =
    kelly <= ABOUT_ZERO
      ? "without an edge it is about 0 or below"
      : `it follows from the plan's shape and the assumed drift of ${results.drift} % a year and is no edge`;
  return `Kelly from the odds is ${percent} %: ${why}, so it does not set the size.`;
}

/** Describes how an order could pass the rules it breaks: with other values, later, or not at all. */
export function formatAmendments(broken: readonly RiskCheck[], context: QuantityContext): string {
  const impossible = broken.filter(({ would_pass }) => would_pass === null).map(({ rule }) => rule);
  if (impossible.includes("kill_switch"))
    return "Live orders are stopped: only the owner of the server releases the kill switch.";
  if (impossible.length === 1 && impossible[0] === "market_hours")
    return "The market is closed: send it again when it opens. Crypto trades at all hours.";
  const blockingOrders = broken.flatMap(({ held_by }) => held_by ?? []);
  if (impossible.length === 1 && blockingOrders.length > 0)
    return `${blockingOrders.join(", ")} already reserve${blockingOrders.length === 1 ? "s" : ""} these units: cancel with cancel_order, then preview again.`;
  if (impossible.length > 0)
    return `No change satisfies ${impossible.join(", ")} now; get_risk_limits returns the limits.`;
  const odds = broken.find(({ rule }) => rule === ODDS_RULE);
  const within = suggestedQuantity(
    broken.filter(({ rule }) => SIZE_RULE_NAMES.has(rule)),
    context,
  );
  const changes = [
    ...(within === null ? [] : [`quantity ${within}`]),
    ...broken.flatMap(({ rule, would_pass }) =>
      PRICE_FIELDS[rule] === undefined ? [] : [`${PRICE_FIELDS[rule]} ${would_pass}`],
    ),
  ];
  const timed = broken.filter(
    ({ rule }) => !SIZE_RULE_NAMES.has(rule) && PRICE_FIELDS[rule] === undefined && rule !== ODDS_RULE,
  );
  const until = timed.flatMap(({ passes_at }) => passes_at ?? []).sort();
  const names = timed.map(({ rule }) => rule).join(", ");
  return [
    ...(changes.length === 0 ? [] : [`Preview it again with ${changes.join(" and ")}.`]),
    ...(odds === undefined ? [] : [`${ODDS_RULE}: ${formatRemedy(odds)}.`]),
    ...(blockingOrders.length === 0
      ? []
      : [`cancel_order ${blockingOrders.join(", ")} frees more of the position.`]),
    ...(timed.length === 0
      ? []
      : until.length < timed.length
        ? [`${names} passes only later.`]
        : [`Wait until ${formatSecond(until.at(-1)!)} for ${names}.`]),
  ].join(" ");
}
