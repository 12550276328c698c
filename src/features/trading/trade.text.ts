import { isBroken } from "../../analytics/risk/verdict.ts";
import { formatFillOdds, formatPlanOdds } from "../../domain/odds/odds.text.ts";
import { formatBracket, formatIntent, formatPriceTerms } from "../../domain/requests/intent.text.ts";
import { formatGrade } from "../../domain/signal/grade.text.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { Preview } from "../../domain/trading/preview.ts";
import { isUnresolved, type Order, orderStatus, type RiskCheck } from "../../domain/trading/trading.ts";
import { ONLY_CLOSES } from "./maximum-loss.ts";
import { formatRemedy } from "./next-step.ts";

/** Formats an order: instrument, quantity, status, and the reason when rejected or unknown. */
export function formatOrder(order: Order, paint: Paint): readonly string[] {
  const { order_id, intent, created_at, reason } = order;
  return [
    `${order_id} ${paint("bold", formatIntent(intent))}`,
    `  ${formatOrderStatus(order)}, sent ${created_at}`,
    ...(reason === null ? [] : [paint("yellow", `  ${reason}`)]),
  ];
}

/** Formats orders: a single one in full, several as a table with the reasons below. */
export function formatOrders(orders: readonly Order[], paint: Paint): readonly string[] {
  if (orders.length < 2) return orders.flatMap((order) => formatOrder(order, paint));
  return [
    ...formatTable(orders, ORDER_COLUMNS, paint),
    ...orders.flatMap((order) => {
      const reason = isUnresolved(order) ? "not yet confirmed by the broker" : null;
      const reasons = [reason, order.reason].filter((text) => text !== null);
      return reasons.length === 0 ? [] : [paint("yellow", `${order.order_id}: ${reasons.join("; ")}`)];
    }),
  ];
}

const ORDER_COLUMNS: readonly Column<Order>[] = [
  { head: "order", cell: ({ order_id }) => order_id },
  { head: "symbol", cell: ({ intent }) => intent.symbol },
  { head: "side", cell: ({ intent }) => intent.side },
  { head: "quantity", cell: ({ intent }) => intent.quantity },
  { head: "price", cell: ({ intent }) => formatPriceTerms(intent), rank: 3 },
  { head: "status", cell: (order) => orderStatus(order).replaceAll("_", " "), rank: 1 },
  { head: "filled", cell: ({ filled_quantity }) => filled_quantity, rank: 2 },
  { head: "average", cell: ({ average_price }) => average_price ?? "-", rank: 4 },
  { head: "fees", cell: ({ fees }) => fees, rank: 6 },
  { head: "sent", cell: ({ created_at }) => `${created_at.slice(0, 16)}Z`, rank: 5 },
];

function formatOrderStatus(order: Order): string {
  const { filled_quantity, average_price, fees, intent } = order;
  const status = orderStatus(order);
  if (isUnresolved(order)) return `${status}: not yet confirmed by the broker`;
  if (status === "rejected") return status;
  const filled =
    average_price === null
      ? "nothing filled"
      : `${filled_quantity} of ${intent.quantity} filled at ${average_price} USD, fees ${fees} USD`;
  return `${status.replaceAll("_", " ")}: ${filled}`;
}

/** Formats a preview: order, sizing steps, rules, maximum loss and next step. */
export function formatPreview(shown: Preview, paint: Paint): string {
  const {
    intent,
    quote,
    signal,
    sizing,
    odds,
    fill,
    odds_reason,
    checks,
    ticket_id,
    reason,
    expires_at,
    account,
  } = shown;
  const broken = checks.filter(isBroken);
  const warned = checks.filter((check) => check.state === "failed" && !isBroken(check));
  const passed = checks.filter(({ state }) => state === "passed").map(({ rule }) => rule);
  const age = formatAge(quote.age_seconds);
  return [
    paint("bold", intent === null ? "no trade" : formatIntent(intent)),
    `price ${quote.price} USD, ${quote.price_source.replaceAll("_", " ")} ${age}${intent === null ? "" : `; ${formatBracket(intent)}`}`,
    ...(quote.comparison === null
      ? []
      : [
          `second price ${quote.comparison.price} USD of ${quote.comparison.provider}: ${quote.comparison.verdict}`,
        ]),
    ...(signal === null
      ? []
      : [
          `signal ${signal.direction} on ${signal.timeframe}${signal.grade === null ? "" : `, ${formatGrade(signal)}`}`,
        ]),
    odds === null
      ? paint("dim", `no odds: ${odds_reason}`)
      : `odds: ${fill === null ? "" : `${formatFillOdds(fill, odds.bars)}; after a fill `}${formatPlanOdds(odds)}`,
    ...(sizing.steps.length === 0 ? [] : [`quantity by ${SIZING_METHOD_NAMES[sizing.method]}:`]),
    ...sizing.steps.map(({ step, formula, value }) => paint("dim", `  ${step} = ${value}: ${formula}`)),
    ...broken.map((check) =>
      paint(
        "red",
        `  NO ${check.rule}: ${formatFigure(check.value, check)}, allowed ${formatFigure(check.limit, check)}; ${formatRemedy(check)}`,
      ),
    ),
    ...warned.map((check) =>
      paint(
        check.level === "warn" ? "yellow" : "dim",
        `  ${check.level} ${check.rule}: ${formatFigure(check.value, check)}, usual ${formatFigure(check.limit, check)}${check.would_pass === null ? "" : `; ${formatRemedy(check)}`}`,
      ),
    ),
    ...(passed.length === 0 ? [] : [paint("dim", `  passed: ${passed.join(", ")}`)]),
    ...(intent === null ? [] : [formatMaximumLoss(shown)]),
    `account: equity ${account.equity} USD, buying power ${account.buying_power} USD${intent === null ? "" : `, ${account.held} ${intent.symbol} held`}`,
    ticket_id === null
      ? paint("red", reason ?? "no ticket")
      : paint("green", `ticket ${ticket_id} until ${expires_at}`),
    shown.hint,
  ].join("\n");
}

const DAY_SECONDS = 86_400;
/** Formats an age: `12 s old`; from two days on in days. */
const formatAge = (seconds: number): string =>
  seconds < 2 * DAY_SECONDS
    ? `${Math.round(seconds)} s old`
    : `${Math.floor(seconds / DAY_SECONDS)} days old`;

/** Formats a value of a check with its unit; values that are not numbers have no unit. */
const formatFigure = (value: string | null, { unit }: RiskCheck): string =>
  value === null ? "unknown" : unit === null || !/^-?\d/.test(value) ? value : `${value} ${unit}`;

const SIZING_METHOD_NAMES = {
  kelly: "Kelly",
  risk_pct: "percent risked",
  quantity: "requested quantity",
} as const;

function formatMaximumLoss({ maximum_loss: { at_stop, worst, basis } }: Preview): string {
  const losses = [
    ...(at_stop === null ? [] : [`${at_stop} USD at the stop`]),
    ...(worst === null ? [] : [`${worst} USD in the worst case`]),
  ].join(", ");
  if (basis === ONLY_CLOSES) return "no further loss: it only closes a held position";
  return losses === "" ? `may lose: ${basis}` : `may lose ${losses} (${basis})`;
}
