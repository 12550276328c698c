import { PRICE_RULES } from "../../analytics/risk/price-rules.ts";
import { SIZE_RULES } from "../../analytics/risk/size-rules.ts";
import type { Preview, TradeRequest } from "../../domain/trading/preview.ts";
import type { AccountType, OrderType, RiskCheck, Side } from "../../domain/trading/trading.ts";
import { decimal, minDecimal, stepDown, truncated } from "../../lib/decimal.ts";

const SIZE_RULE_NAMES: ReadonlySet<string> = new Set(SIZE_RULES);
const PRICE_FIELDS: Readonly<Record<string, "limit_price" | "stop_price">> = PRICE_RULES;

/** What a broken rule would take, in words: a quantity, a price, an order less, or only time. */
export function formatRemedy({ rule, would_pass: number, passes_at, held_by }: RiskCheck): string {
  const freed = held_by === undefined ? "" : `cancel_order ${held_by.join(", ")} frees what it closes`;
  if (number === null) return freed === "" ? "no number would pass now" : freed;
  if (SIZE_RULE_NAMES.has(rule)) return `quantity ${number} would pass${freed === "" ? "" : `, or ${freed}`}`;
  const price = PRICE_FIELDS[rule];
  if (price !== undefined) return `${price} ${number} would pass`;
  return passes_at === undefined ? "only time mends it" : `wait until ${formatSecond(passes_at)}`;
}
const formatSecond = (at: string): string => at.replace(/\.\d+Z$/, "Z");

/** The largest quantity that all the broken rules of size let pass; null where another rule is broken, or none would. */
export function maxPassingQuantity(broken: readonly RiskCheck[]): string | null {
  const [first, ...others] = broken.map(({ rule, would_pass }) =>
    SIZE_RULE_NAMES.has(rule) ? would_pass : null,
  );
  if (first == null || others.some((one) => one === null)) return null;
  return truncated(minDecimal(decimal(first), ...others.map((one) => decimal(one!))));
}

/** Rules whose quantity falls as the price rises. */
const PRICE_DEPENDENT_RULES: ReadonlySet<string> = new Set([
  "max_notional_usd",
  "max_notional_pct",
  "buying_power",
  "max_open_risk_pct",
]);
const HEADROOM = "0.995";

/** What an order is, as far as a quantity offered for it depends on that. */
export interface QuantityContext {
  readonly type: OrderType;
  /** The smallest part of a unit that is traded, where it is known. */
  readonly step: string | null;
}

/** The quantity within broken rules as it is offered: at the market half a percent less, as its price moves on meanwhile. */
function suggestedQuantity(broken: readonly RiskCheck[], { type, step }: QuantityContext): string | null {
  const most = maxPassingQuantity(broken);
  if (most === null || type !== "market" || step === null) return most;
  const moving = maxPassingQuantity(broken.filter(({ rule }) => PRICE_DEPENDENT_RULES.has(rule)));
  if (moving === null) return most;
  const less = stepDown(decimal(moving).times(HEADROOM), decimal(step));
  return less.gt(0) ? truncated(minDecimal(less, decimal(most))) : most;
}

/** What an order is by its type and the checks of it. */
export const quantityContext = (type: OrderType, checks: readonly RiskCheck[]): QuantityContext => ({
  type,
  step: checks.find(({ rule }) => rule === "quantity_step")?.limit ?? null,
});

/** What to do about a preview next, with the fields to say: send it, mend it, or size it by hand on paper. */
export function formatNextStep({
  shown,
  side,
  asked,
  type,
}: {
  readonly shown: Omit<Preview, "hint">;
  readonly side: Side | null;
  readonly asked: TradeRequest;
  readonly type: AccountType;
}): string {
  const { ticket_id, checks, signal, sizing, quote } = shown;
  if (ticket_id !== null)
    return type === "paper"
      ? `execute_trade with ticket_id ${ticket_id} sends it, once.`
      : `The owner of the server confirms it by \`market-signal trades confirm ${ticket_id}\`; then execute_trade with that ticket_id sends it, once.`;
  const broken = checks.filter(({ passed }) => !passed);
  if (broken.length > 0) return formatAmendments(broken, quantityContext(asked.type, checks));
  if (shown.intent !== null) return "Preview it again as this broker takes it.";
  if (type === "live")
    return "A live trade takes its size from the record of such signals, or closes what is held with side and quantity. On a paper connection side and quantity, such as buy and 1, try it out.";
  if (side === null && sizing.method === "risk_pct")
    return `To trade on paper without the signal say side, "buy" or "sell", and stop_loss, below ${quote.price} to buy, above it to sell, beside risk_pct.`;
  if (side === null)
    return 'To trade on paper without the signal say side, "buy" or "sell", and quantity, such as "1".';
  if (asked.quantity !== undefined) return "Preview it again with what is wrong put right.";
  const away = side === "buy" ? "below" : "above";
  const follows = signal?.direction === (side === "buy" ? "LONG" : "SHORT");
  if (sizing.method === "risk_pct" && !follows && asked.stop_loss === undefined)
    return `Say stop_loss, a price ${away} ${quote.price}, beside risk_pct; or quantity, such as "1", in its place.`;
  return follows
    ? 'To trade on paper without a record say risk_pct, such as "0.5", or quantity, such as "1".'
    : `To trade on paper without a record say quantity, such as "1", or risk_pct, such as "0.5", with stop_loss ${away} ${quote.price}.`;
}

/** What lets an order pass the rules it breaks: other numbers, time, or nothing. */
export function formatAmendments(broken: readonly RiskCheck[], offered: QuantityContext): string {
  const never = broken.filter(({ would_pass }) => would_pass === null).map(({ rule }) => rule);
  if (never.includes("kill_switch"))
    return "Live orders are stopped: the owner of the server releases the kill switch by `market-signal limits release`.";
  if (never.length === 1 && never[0] === "market_hours")
    return "The venue is closed: send it again when it opens. Crypto trades always.";
  const resting = broken.flatMap(({ held_by }) => held_by ?? []);
  if (never.length === 1 && resting.length > 0)
    return `${resting.join(", ")} closes what is held already: cancel_order frees it, then preview it again.`;
  if (never.length > 0)
    return `Nothing mends ${never.join(", ")} now; get_risk_limits tells what the owner allows.`;
  const within = suggestedQuantity(
    broken.filter(({ rule }) => SIZE_RULE_NAMES.has(rule)),
    offered,
  );
  const said = [
    ...(within === null ? [] : [`quantity ${within}`]),
    ...broken.flatMap(({ rule, would_pass }) =>
      PRICE_FIELDS[rule] === undefined ? [] : [`${PRICE_FIELDS[rule]} ${would_pass}`],
    ),
  ];
  const waits = broken.filter(({ rule }) => !SIZE_RULE_NAMES.has(rule) && PRICE_FIELDS[rule] === undefined);
  const until = waits.flatMap(({ passes_at }) => passes_at ?? []).sort();
  const names = waits.map(({ rule }) => rule).join(", ");
  return [
    ...(said.length === 0 ? [] : [`Preview it again with ${said.join(" and ")}.`]),
    ...(resting.length === 0 ? [] : [`cancel_order ${resting.join(", ")} frees more of what is held.`]),
    ...(waits.length === 0
      ? []
      : until.length < waits.length
        ? [`Only time mends ${names}.`]
        : [`Only time mends ${names}: wait until ${formatSecond(until.at(-1)!)}.`]),
  ].join(" ");
}
