import type { CheckAnswer, CheckedRule } from "../../domain/check/check.ts";
import type { PositionRow } from "../../domain/trading/positions.ts";
import type { Intent } from "../../domain/trading/trading.ts";
import { itemError, type ToolError } from "../../kernel/errors.ts";
import { mapConcurrent } from "../../lib/concurrency.ts";
import { plainText } from "../../lib/plain-text.ts";

/** An order that an agent plans and does not place, in the fields of check_order. */
export interface PlannedOrder extends Partial<Pick<Intent, "type">> {
  readonly symbol: string;
  readonly side: "buy" | "sell" | "sell_short" | "buy_to_cover";
  readonly quantity: string;
  readonly limit_price?: string;
  readonly stop_price?: string;
  readonly stop_loss?: string;
  readonly take_profit?: string;
  /** Positions of the account, if they are known. */
  readonly positions?: { readonly symbol: string; readonly quantity: string }[];
}

/** Figures of a check that a note names. */
type Checked = Pick<CheckAnswer, "verdict" | "order" | "rules" | "unknown" | "loss">;
/** check_order: checks an order at any broker. */
export type CheckPlanned = (order: PlannedOrder) => Promise<Checked>;

/** Returns the opening order of an intent. */
export function plannedOrder({ symbol, side, quantity, type, ...intent }: Intent): PlannedOrder {
  const { limit_price, stop_price, stop_loss, take_profit } = intent;
  return {
    symbol,
    side: side === "buy" ? "buy" : "sell_short",
    quantity,
    type,
    ...(limit_price != null && { limit_price }),
    ...(stop_price != null && { stop_price }),
    ...(stop_loss != null && { stop_loss }),
    ...(take_profit != null && { take_profit }),
  };
}

/** Returns the orders that close the positions to exit at outside accounts, which no broker connection can place. */
export const closingOrders = (
  rows: readonly PositionRow[],
  all: readonly PositionRow[],
): readonly PlannedOrder[] =>
  rows
    .filter(({ account_label, edge }) => account_label !== null && edge.action === "EXIT")
    .map(({ symbol, side, quantity, account_label }) => ({
      symbol,
      side: side === "LONG" ? "sell" : "buy_to_cover",
      quantity: quantity.replace("-", ""),
      positions: all
        .filter((row) => row.account_label === account_label)
        .map((row) => ({ symbol: row.symbol, quantity: row.quantity })),
    }));

const KNOWN = {
  nothing: "Its account is not known here",
  positions: "Of its account, only the imported positions are known here",
} as const;

/**
 * Checks planned orders as orders at a broker that is not connected here. Returns what no check knows, then a note on
 * each order; empty without orders. An order that cannot be checked has a note with the reason.
 */
export async function orderCheckNotes(
  orders: readonly PlannedOrder[],
  check: CheckPlanned,
  known: keyof typeof KNOWN = "nothing",
): Promise<readonly string[]> {
  if (orders.length === 0) return [];
  const outcomes = await mapConcurrent(
    orders,
    (order) => check(order).catch(itemError),
    () => {},
  );
  const checks = outcomes.flatMap((one) => (one instanceof Error ? [] : one));
  const whatOf = ({ unknown }: Checked) => unknown.map(({ what }) => what);
  const [first, ...others] = checks.map(whatOf);
  const common = (first ?? []).filter((what) => others.every((other) => other.includes(what)));
  return [
    ...(checks.length === 0
      ? []
      : [
          `Checked as orders at another broker. ${KNOWN[known]}; check_order takes what is missing.${formatUnchecked(common)}`,
        ]),
    ...outcomes.map((one, i) =>
      one instanceof Error
        ? formatFailure(orders[i]!, one)
        : formatChecked(
            one,
            whatOf(one).filter((what) => !common.includes(what)),
          ),
    ),
  ];
}

const formatUnchecked = (what: readonly string[]): string =>
  what.length === 0 ? "" : ` Not checked: ${what.join("; ")}.`;

const formatFailure = ({ side, quantity, symbol }: PlannedOrder, { message }: ToolError): string =>
  `not checked: ${side} ${quantity} ${symbol}. ${plainText(message, 300)}`;

/** Formats a check as one note: the verdict, the order, the broken rules with what would pass, and the loss. */
function formatChecked({ verdict, order, rules, loss }: Checked, unchecked: readonly string[]): string {
  const worst = loss?.gap_worst == null ? "" : `, in the worst night ${loss.gap_worst.toFixed(2)} USD`;
  const atStop = loss?.at_stop == null ? "" : ` Loss at the stop ${loss.at_stop.toFixed(2)} USD${worst}.`;
  return `${verdict}: ${order}.${rules.map(formatBroken).join("")}${atStop}${formatUnchecked(unchecked)}`;
}

const formatBroken = ({ rule, value, would_pass }: CheckedRule): string =>
  ` ${rule}: ${value}${would_pass === undefined ? "" : `, to pass: ${would_pass}`}.`;
