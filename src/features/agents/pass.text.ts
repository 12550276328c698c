import type { Budget } from "../../analytics/decisions/budget.ts";
import type { PassDecision, PassResult } from "../../domain/agents/agent-pass.ts";
import type { Paint } from "../../domain/terminal.ts";
import { decimal } from "../../lib/decimal.ts";
import { plainText } from "../../lib/plain-text.ts";
import type { PassSettings } from "./pass.ts";
import type { Holdings } from "./pass-holdings.ts";

/** Summarizes a pass in one sentence. */
export function formatPassSummary(
  decisions: readonly PassDecision[],
  { dry_run }: Pick<PassSettings, "dry_run">,
): string {
  const count = (action: PassDecision["action"]) =>
    decisions.filter((decision) => decision.action === action).length;
  const placed = decisions.filter(({ order, repeated }) => order !== null && !repeated).length;
  const symbols = decisions.length === 1 ? "symbol" : "symbols";
  const counts = `${decisions.length} ${symbols}: ${count("buy")} to buy, ${count("sell")} to sell, ${count("hold")} to hold`;
  return `${counts}; ${dry_run ? "a dry run, nothing was placed" : `${placed === 1 ? "1 order was" : `${placed === 0 ? "no" : placed} orders were`} placed`}.`;
}

export function passNotes(
  { decisions, budget }: { readonly decisions: readonly PassDecision[]; readonly budget: Budget },
  { dry_run, timeframe }: Pick<PassSettings, "dry_run" | "timeframe">,
  holdings: Holdings | null,
): string[] {
  const { limit, spent } = budget;
  const wanted = decisions.some(({ trade }) => trade?.ticket_id != null);
  const bought = decisions.flatMap(({ order }) => (order?.intent.side === "buy" ? [order.intent] : []));
  const unprotected = bought.filter(
    ({ stop_loss, take_profit }) => stop_loss === null && take_profit === null,
  );
  return [
    ...(holdings === null
      ? ["Holdings are unknown: no paper account is connected. A run with dry_run false opens one."]
      : []),
    ...(dry_run && wanted
      ? ["Set dry_run to false to place these trades, or send one ticket with execute_trade."]
      : []),
    ...(!dry_run && holdings?.connection.account_type === "live"
      ? ["Live account: every trade is a proposal that its owner must confirm."]
      : []),
    ...(limit !== null && decimal(spent).gt(limit)
      ? [
          `The purchases cost ${spent} USD of ${limit}: spread and fees can make a market order cost more than its preview.`,
        ]
      : []),
    ...(unprotected.length > 0
      ? [`Bought without stop and target: ${unprotected.map(({ symbol }) => symbol).join(", ")}.`]
      : []),
    ...(bought.some(({ stop_loss }) => stop_loss !== null)
      ? [`Stops and targets are those of the ${timeframe} signal; a backtest of the agent has none.`]
      : []),
  ];
}

const COLOUR = { buy: "green", sell: "red", hold: "yellow" } as const;

/** Formats a pass: each decision with its reason and result. */
export function formatPass(
  { decisions, summary, notes, budget, connection }: PassResult,
  paint: Paint,
): string {
  const budgetLine =
    budget.limit === null ? [] : [`budget ${budget.limit} USD, ${budget.spent} spent, ${budget.left} left`];
  return [
    paint("bold", summary),
    ...(connection === null
      ? []
      : [paint("dim", `${connection.connection_id} (${connection.account_type})`)]),
    ...decisions.flatMap((decision) => formatDecision(decision, paint)),
    ...budgetLine,
    ...notes.map((note) => paint("dim", note)),
  ].join("\n");
}

function formatDecision(
  { symbol, action, why, trade, order, refused }: PassDecision,
  paint: Paint,
): readonly string[] {
  const { quantity = null, price, cost } = trade ?? {};
  return [
    `${plainText(symbol, 40).padEnd(10)}${paint(COLOUR[action], action.padEnd(5))} ${plainText(why, 1_000)}`,
    ...(order === null && quantity !== null
      ? [`  ${trade!.side} ${quantity} at about ${price} USD, ${cost} USD`]
      : []),
    ...(order === null
      ? []
      : [
          `  ${order.order_id} ${order.intent.side} ${order.intent.quantity}: ${order.status}, ${order.filled_quantity} filled${order.average_price === null ? "" : ` at ${order.average_price} USD`}`,
        ]),
    ...(refused === null ? [] : [paint("yellow", `  not placed: ${plainText(refused.message, 500)}`)]),
    ...(refused?.hint == null ? [] : [paint("dim", `  ${plainText(refused.hint, 500)}`)]),
  ];
}
