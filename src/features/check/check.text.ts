import type { CheckAnswer, CheckRequest } from "../../domain/check/check.ts";
import { casesOf } from "../../domain/odds/odds.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { OptionContract } from "../../domain/trading/option-contract.ts";
import { formatPrice } from "../../lib/format-price.ts";
import type { OrderRead } from "./read-order.ts";

/** Fields of a check that its summary names. */
export type Summarised = Pick<
  CheckAnswer,
  "verdict" | "rules" | "unknown" | "passing_quantity" | "loss" | "odds" | "option"
>;

/** Formats the summary of a check: the verdict, then the remedy, what is unknown, loss and odds. */
export function formatSummary(check: Summarised): string {
  const { verdict, rules, unknown, passing_quantity, loss, odds, option } = check;
  const stops = rules.filter(({ level }) => level === "stop");
  const warns = rules.filter(({ level }) => level === "warn");
  const lacking = unknown.filter(({ required }) => required);
  const names = (list: typeof rules) => list.map(({ rule }) => rule).join(", ");
  const first = passing_quantity == null ? (stops[0] ?? warns[0]) : undefined;
  return [
    verdict === "stop"
      ? `STOP: ${names(stops)}.`
      : verdict === "warn"
        ? `WARN${warns.length === 0 ? "" : `: ${names(warns)}`}.`
        : "OK: no rule is broken.",
    ...(first?.would_pass === undefined ? [] : [`To pass ${first.rule}: ${first.would_pass}.`]),
    ...(passing_quantity == null
      ? []
      : [`Largest quantity that passes the rules on size: ${passing_quantity}.`]),
    ...(lacking.length === 0
      ? []
      : [`Not checked: ${lacking.map(({ what }) => what).join("; ")}${formatSends(lacking)}.`]),
    ...formatLoss(loss),
    ...formatOdds(odds),
    ...formatOption(option),
    "No view on direction.",
  ].join(" ");
}

function formatSends(lacking: CheckAnswer["unknown"]): string {
  const sends = lacking.flatMap(({ send }) => send ?? []);
  return sends.length === 0 ? "" : `; send ${sends.join(" and ")}`;
}

const formatSessions = (count: number): string => (count === 1 ? "1 session" : `${count} sessions`);

function formatLoss(loss: CheckAnswer["loss"]): readonly string[] {
  const unlimited = loss?.worst === null ? ["The loss has no limit."] : [];
  if (loss?.at_stop == null) return unlimited;
  const share = loss.at_stop_pct == null ? "" : ` (${loss.at_stop_pct.toFixed(2)} % of equity)`;
  const night =
    loss.gap_worst == null
      ? ""
      : `; the worst of ${loss.gap_days} nights would have cost ${loss.gap_worst.toFixed(2)} USD`;
  return [`Loss at the stop ${loss.at_stop.toFixed(2)} USD${share}${night}.`, ...unlimited];
}

function formatOdds(odds: CheckAnswer["odds"]): readonly string[] {
  if (odds == null) return [];
  const { fill, fill_base, stop_first, target_first, neither, base, bars } = odds;
  const past = (share: number | null | undefined) => (share == null ? "" : ` (base rate ${casesOf(share)})`);
  const fills =
    fill == null
      ? []
      : [`Fills in ${casesOf(fill)} of 100 cases in ${formatSessions(bars)}${past(fill_base)}.`];
  if (neither == null) return fills;
  const parts = [
    ...(stop_first == null ? [] : [`stop first ${casesOf(stop_first)}${past(base?.stop_first)}`]),
    ...(target_first == null ? [] : [`target first ${casesOf(target_first)}${past(base?.target_first)}`]),
    `neither ${casesOf(neither)}${past(base?.neither)}`,
  ];
  const after = fill == null ? "Of 100 cases" : "After a fill, of 100 cases";
  return [...fills, `${after} in ${formatSessions(bars)}: ${parts.join(", ")}.`];
}

function formatOption(option: CheckAnswer["option"]): readonly string[] {
  if (option?.breakeven == null) return [];
  const { max_loss, breakeven, beyond_breakeven, beyond_breakeven_base } = option;
  const worst = max_loss == null ? "" : `Maximum loss ${max_loss.toFixed(2)} USD, `;
  const cases =
    beyond_breakeven == null
      ? ""
      : `; at expiry the buyer gains in ${casesOf(beyond_breakeven)} of 100 cases${beyond_breakeven_base == null ? "" : ` (base rate ${casesOf(beyond_breakeven_base)})`}`;
  return [`${worst}${worst === "" ? "Breakeven" : "breakeven"} ${breakeven}${cases}.`];
}

/** Formats an order as it was read, with what it opens and closes. */
export function formatOrderRead(
  request: CheckRequest,
  order: OrderRead,
  units: { readonly closes: string; readonly opens: string },
  symbol: string,
): string {
  const { side, type, notional, stop_loss, take_profit } = request;
  const size = notional === undefined ? order.quantity : `${notional} USD, about ${order.quantity}`;
  const limit = order.limit_price === null ? [] : [`limit ${order.limit_price}`];
  const trigger = order.stop_price === null ? [] : [`trigger ${order.stop_price}`];
  const terms = {
    market: ["at the market"],
    limit,
    stop: trigger,
    stop_limit: [...trigger, ...limit],
    trailing_stop: ["trailing stop", ...trigger],
  }[type];
  const exits = [
    ...(stop_loss === undefined ? [] : [`stop_loss ${stop_loss}`]),
    ...(take_profit === undefined ? [] : [`take_profit ${take_profit}`]),
  ];
  const { closes, opens } = units;
  const does =
    opens === "0" || order.closesOnly
      ? "closes"
      : closes === "0"
        ? "opens"
        : `closes ${closes}, opens ${opens}`;
  return `${side} ${size} ${symbol}, ${[...terms, ...exits].join(", ")}; ${does}`;
}

const COLOURS = { stop: "red", warn: "yellow", info: "dim" } as const;

/** Formats a check for the terminal. */
export function formatCheck(check: CheckAnswer, paint: Paint): string {
  const { order, summary, rules, unknown, adds, range } = check;
  return [
    paint("bold", order),
    summary,
    ...rules.map(({ rule, level, value, limit, would_pass, why }) =>
      paint(
        COLOURS[level],
        `  ${level} ${rule}: ${value}; limit: ${limit}${would_pass === undefined ? "" : `; to pass: ${would_pass}`}${why === undefined ? "" : `. ${why}`}`,
      ),
    ),
    ...unknown.map(({ what, send, required }) =>
      paint(
        required ? "yellow" : "dim",
        `  unknown: ${what}${send === undefined ? "" : `; send ${send}`}${required ? " (required)" : ""}`,
      ),
    ),
    ...(range == null
      ? []
      : [
          `90 % range in ${formatSessions(range.bars)}: ${formatPrice(range.p5)} to ${formatPrice(range.p95)} (base range ${formatPrice(range.base_p5)} to ${formatPrice(range.base_p95)})`,
        ]),
    ...(adds == null
      ? []
      : [
          `position ${adds.position_pct} % of equity after the order${adds.open_risk_pct == null ? "" : `, open risk ${adds.open_risk_pct} % (before ${adds.open_risk_before_pct} %)`}${adds.day_sd_pct == null ? "" : `, usual daily move ${adds.day_sd_pct} %${adds.day_sd_before_pct == null ? "" : ` (before ${adds.day_sd_before_pct} %)`}`}${adds.nearest.length === 0 ? "" : `; moves with ${adds.nearest.join(", ")}`}`,
        ]),
  ].join("\n");
}

/** Formats an order for an option as it was read. */
export function formatOptionOrder(
  { side, quantity, type, limit_price, stop_price }: CheckRequest,
  { underlying, expiry, strike, right }: OptionContract,
  premium: string | null,
  opens: boolean,
): string {
  const terms = [
    ...(type === "market" ? ["at the market"] : []),
    ...(stop_price === undefined ? [] : [`trigger ${stop_price}`]),
    ...(limit_price === undefined ? [] : [`limit ${limit_price}`]),
    ...(limit_price !== undefined || premium === null ? [] : [`premium about ${premium}`]),
  ];
  const does = opens ? "opens" : "closes";
  return `${side} ${quantity} ${underlying} ${expiry} ${strike} ${right}, ${terms.join(", ")}; ${does}`;
}
