import { ODDS_RULE } from "../../analytics/risk/odds-rules.ts";
import { changeOf, fieldOf, isBroken, type RuleName } from "../../analytics/risk/verdict.ts";
import { oddsKelly, type PlanResults } from "../../analytics/sizing/odds-kelly.ts";
import type { Preview, TradeRequest } from "../../domain/trading/preview.ts";
import type { PriceStepFault } from "../../domain/trading/price-step.ts";
import type { AccountType, Amount, OrderType, RiskCheck, Side } from "../../domain/trading/trading.ts";
import { decimal, minDecimal, stepDown, truncated } from "../../lib/decimal.ts";
import type { Unsized } from "./size.ts";

const isSizeRule = (check: Pick<RiskCheck, "rule">): boolean => fieldOf(check) === "quantity";

/** Describes how to satisfy a broken rule: a different quantity or price, cancelling an order, or waiting. */
export function formatRemedy(check: RiskCheck): string {
  const { rule, state, would_pass: passing, passes_at, held_by } = check;
  if (rule === ODDS_RULE) return state === "unknown" ? NO_ODDS_REMEDY : ODDS_REMEDY;
  if (state === "unknown") return "its data is missing";
  const freeing = held_by === undefined ? "" : `cancel_order ${held_by.join(", ")} frees the units it closes`;
  if (passing === null) return freeing === "" ? "no value would pass now" : freeing;
  const field = fieldOf(check);
  if (field !== null) return `${changeOf(check)} would pass${freeing === "" ? "" : `, or ${freeing}`}`;
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
  const [first, ...others] = broken.map((check) => (isSizeRule(check) ? check.would_pass : null));
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
    offStep = null,
  }: {
    readonly side: Side | null;
    readonly trade: TradeRequest;
    /** How to correct prices that do not fit together; null if they do. */
    readonly remedy?: string | null;
    /** A price between two steps; null for none. */
    readonly offStep?: PriceStepFault | null;
    /** Why a trade whose prices fit has no size; null if that is not what prevents the trade. */
    readonly unsized?: Unsized | null;
  },
): string {
  const { ticket_id, checks, signal, sizing, quote, account_type: type } = shown;
  if (ticket_id !== null)
    return type === "paper"
      ? `Call execute_trade with ticket_id ${ticket_id} to send it once.`
      : `The owner of the server confirms it in the terminal of the server; then call execute_trade with ticket_id ${ticket_id}.`;
  const broken = checks.filter(isBroken);
  if (broken.length > 0) return formatAmendments(broken, quantityContext(trade.type, checks));
  if (shown.intent !== null) return "Preview it again in a form that this broker accepts.";
  if (remedy !== null) return remedy;
  if (offStep !== null) return `Preview it again with ${offStep.field} ${offStep.nearest.join(" or ")}.`;
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

/** The next step after a broken rule that no other quantity or price satisfies now. */
const STEPS_NOW: Partial<Readonly<Record<RuleName, (check: RiskCheck) => string>>> = {
  kill_switch: () => "Live orders are stopped: only the owner of the server releases the kill switch.",
  symbols: ({ limit }) =>
    `The owner of the server allows new positions only in ${limit === "" ? "no symbol" : limit}: preview one of these.`,
  market_hours: () => "The market is closed: preview it again when it opens. Crypto trades at all hours.",
  max_quote_age_seconds: ({ value, limit }) =>
    value === null
      ? "The time of the price is unknown: preview it again when there is a newer price."
      : `The price is ${truncated(decimal(value), 0)} seconds old, and at most ${limit} are allowed: preview it again when there is a newer price.`,
  price_confirmed: ({ value }) =>
    value === "not_in_usd"
      ? "The price is not in US dollars: preview another symbol."
      : `${value === "differs" ? "A second provider has a different price" : "No second provider confirms the price"}: preview it again later.`,
  oversell: () => "None is held, and it cannot be sold short here: preview a buy instead.",
  exits_hold: () =>
    "Exit orders at the broker reserve these units: cancel them there, then preview it again.",
  buying_power: ({ limit }) =>
    `The buying power of ${limit} USD is below the smallest quantity: close a position, then preview it again.`,
  max_open_risk_pct: ({ limit }) =>
    `The open risk that is left, ${limit} USD, is below that of the smallest quantity: close a position, then preview it again.`,
  max_daily_loss_pct: ({ value, limit }) =>
    value === null
      ? "The equity at the previous close is unknown: preview it again after the next close."
      : `The day's loss of ${value} % is above the limit of ${limit} %: preview it again after the next close. Positions can be closed now.`,
  halt_drawdown_pct: ({ value, limit }) =>
    value === null
      ? "Equity and its peak are 0 or below, so their distance is unknown: deposit first, then preview it again."
      : `Equity is ${value} % below its peak, and at most ${limit} % are allowed: only the owner of the server changes halt_drawdown_pct. Positions can be closed now.`,
};

function stepNow(check: RiskCheck): string {
  const { rule, limit, set_by, held_by = [] } = check;
  if (held_by.length > 0)
    return `${held_by.join(", ")} already reserve${held_by.length === 1 ? "s" : ""} these units: cancel with cancel_order, then preview again.`;
  const step = STEPS_NOW[rule as RuleName];
  if (step !== undefined) return step(check);
  if (set_by === null && fieldOf(check) === null)
    return `The rule ${rule} says ${check.value ?? "unknown"} and allows ${limit}: preview it again when it passes.`;
  return `Even the smallest order is above ${rule}, ${limit}: only the owner of the server changes ${set_by ?? "it"}.`;
}

const OTHER_SIDE_HINT =
  'For a price on the other side of the last one use type "limit" with limit_price, to trade now type "market".';

/**
 * Returns the next step of an order that breaks rules: what is needed first if no change is enough now, else one call of
 * preview_trade with all changes, after a wait if a rule needs it.
 */
export function formatAmendments(broken: readonly RiskCheck[], context: QuantityContext): string {
  const isAmount = (check: RiskCheck) => fieldOf(check) !== null;
  const timed = broken.filter((check) => !isAmount(check) && check.rule !== ODDS_RULE);
  const first = broken.find(
    (check) =>
      check.rule !== ODDS_RULE &&
      (check.would_pass === null || (timed.includes(check) && check.passes_at === undefined)),
  );
  if (first !== undefined) return stepNow(first);
  const odds = broken.find(({ rule }) => rule === ODDS_RULE);
  const blockingOrders = broken.flatMap(({ held_by }) => held_by ?? []);
  const within = suggestedQuantity(broken.filter(isSizeRule), context);
  const values = broken.flatMap((check) =>
    fieldOf(check) === null || fieldOf(check) === "named" || isSizeRule(check) ? [] : changeOf(check),
  );
  const named = broken.flatMap((check) => (fieldOf(check) === "named" ? changeOf(check).split(", ") : []));
  const isSet = (field: string) => values.some((value) => value.startsWith(`${field} `));
  const changes = [
    ...(within === null ? [] : [`quantity ${within}`]),
    ...values,
    ...named.filter((change) => !isSet(change.split(" ")[0]!)),
  ];
  const until = timed.map(({ passes_at }) => passes_at!).sort();
  const changed = changes.length === 0 ? "" : ` with ${changes.join(" and ")}`;
  const names = timed.map(({ rule }) => rule).join(", ");
  return [
    ...(timed.length > 0
      ? [`Wait until ${formatSecond(until.at(-1)!)} for ${names}, then preview it again${changed}.`]
      : changes.length === 0
        ? []
        : [`Preview it again${changed}.`]),
    ...(broken.some(({ rule }) => rule === "stop_price_side") ? [OTHER_SIDE_HINT] : []),
    ...(odds === undefined ? [] : [`${ODDS_RULE}: ${formatRemedy(odds)}.`]),
    ...(blockingOrders.length === 0
      ? []
      : [`cancel_order ${blockingOrders.join(", ")} frees more of the position.`]),
  ].join(" ");
}
