import { type Budget, budgetLeft, costOfUnits, purchase, spend } from "../../analytics/decisions/budget.ts";
import {
  idempotencyKeyOf,
  type PassDecision,
  type PassRefusal,
  type ProposedTrade,
} from "../../domain/agents/agent-pass.ts";
import { unambiguousSymbol } from "../../domain/market/market.ts";
import type { Preview } from "../../domain/trading/preview.ts";
import { priceStep } from "../../domain/trading/price-step.ts";
import { isFinal, type OrderShown, type Side } from "../../domain/trading/trading.ts";
import { itemError } from "../../kernel/errors.ts";
import { decimal, stepDown, truncated } from "../../lib/decimal.ts";
import { type PlannedOrder, plannedOrder } from "./order-checks.ts";
import type { PassRow, PassSettings, SymbolAnalysis, SymbolMatch } from "./pass.ts";
import type { PassActions, PassTrade } from "./pass-actions.ts";
import { toRefusal } from "./pass-decide.ts";
import type { Holdings } from "./pass-holdings.ts";

/** Default risk of a paper purchase, in percent of equity. */
const DEFAULT_RISK_PCT = "0.5";

/** State of a pass while it executes. */
export interface PassContext {
  readonly pass: PassSettings;
  readonly actions: PassActions;
  readonly holdings: Holdings | null;
  /** Purchases of a dry run on paper, which a person may place elsewhere. */
  readonly planned: PlannedOrder[];
  /** Charged for previewed purchases too, so that a dry run stops where a real run would. */
  plannedBudget: Budget;
  /** Charged for placed orders only. */
  budget: Budget;
}

/** Executes a decision. Returns it with a preview, a new order, the order placed by an earlier pass, or a refusal. */
export async function executeDecision<Figures>(
  row: PassRow<Figures>,
  context: PassContext,
): Promise<PassDecision<Figures>> {
  const { decision, placed } = row;
  if (placed !== null) {
    const { side } = placed.intent;
    const why = `An earlier pass of this run_id placed the order ${placed.order_id} to ${side} ${placed.intent.quantity}; no new order was placed.`;
    return { ...decision, action: side, why, order: placed, repeated: true };
  }
  if (row.verdict === null || decision.action === "hold") return decision;
  if (context.holdings === null)
    return { ...decision, refused: refusal("No paper account is connected", OPEN_HINT) };
  const { symbol, asset_class, others = [] } = row.analysis!;
  if (others.length > 0)
    return { ...decision, refused: ambiguousSymbolRefusal([{ symbol, asset_class }, ...others]) };
  try {
    return await placeTrade({ ...row, side: decision.action }, context.holdings, context);
  } catch (cause) {
    return { ...decision, refused: toRefusal(itemError(cause)) };
  }
}

async function placeTrade<Figures>(
  row: PassRow<Figures> & { readonly side: Side },
  { connection }: Holdings,
  context: PassContext,
): Promise<PassDecision<Figures>> {
  const { decision, side } = row;
  const { pass, actions } = context;
  const requested = buildTrade(row, connection, pass);
  const live = connection.account_type === "live";
  const shown = side === "buy" || pass.dry_run || live ? await actions.preview(requested) : null;
  const trade = shown === null ? null : toProposedTrade(shown, side);
  const result = { ...decision, trade };
  if (shown !== null && trade?.ticket_id == null)
    return { ...result, refused: refusal(shown.reason ?? "There is nothing to send", shown.hint) };
  if (side === "buy" && trade?.quantity != null) {
    const { passes, reason, cost } = purchase(context.plannedBudget, { ...trade, quantity: trade.quantity });
    if (!passes)
      return { ...result, trade: { ...trade, ticket_id: null }, refused: refusal(reason!, BUDGET_HINT) };
    context.plannedBudget = spend(context.plannedBudget, cost);
  }
  if (pass.dry_run) {
    if (side === "buy" && !live) context.planned.push(plannedOrder(shown!.intent!));
    return result;
  }
  if (live) return { ...result, refused: unconfirmedRefusal(trade!.ticket_id!) };
  const key = idempotencyKeyOf(pass, decision.symbol, side);
  const { order, repeated } = await actions.execute({
    ...requested,
    ...(key !== null && { idempotency_key: key }),
  });
  if (side === "buy") {
    const costNow = orderCost(order, trade?.price ?? null);
    context.budget = spend(context.budget, costNow);
    context.plannedBudget = { ...context.budget };
  }
  // the order has its own ticket, so that the previewed ticket must not be sent as well
  const sent = trade === null ? null : { ...trade, ticket_id: null, expires_at: null };
  return { ...result, trade: sent, order, repeated, refused: orderRefusal(order) };
}

/**
 * Builds the trade of a decision: a purchase sized by the settings of the pass or a sale of the position, times the
 * size of the verdict.
 */
function buildTrade<Figures>(
  { analysis, verdict, side, decision }: PassRow<Figures> & { readonly side: Side },
  { connection_id, account_type }: Holdings["connection"],
  { quantity, risk_pct, timeframe }: PassSettings,
): PassTrade {
  const { symbol, asset_class } = analysis!;
  const trade = { connection_id, symbol, asset_class, timeframe, side };
  const size = verdict?.size ?? 1;
  const sized = (amount: string) => (size === 1 ? amount : truncated(decimal(amount).times(size)));
  if (side === "sell") return { ...trade, quantity: sized(decision.held!) };
  const priceAtStep = (price: number) => {
    const exact = decimal(price.toPrecision(10));
    return truncated(stepDown(exact, decimal(priceStep(exact, asset_class))));
  };
  const prices = {
    ...(verdict?.stop != null && { stop_loss: priceAtStep(verdict.stop) }),
    ...(verdict?.target != null && { take_profit: priceAtStep(verdict.target) }),
    ...(verdict?.limit != null && { type: "limit" as const, limit_price: priceAtStep(verdict.limit) }),
  };
  if (quantity !== undefined) return { ...trade, ...prices, quantity: sized(quantity) };
  const sizedPrices = {
    ...(verdict?.sizingStop != null && { stop_loss: priceAtStep(verdict.sizingStop) }),
    ...prices,
  };
  if (risk_pct !== undefined) return { ...trade, ...sizedPrices, risk_pct: sized(risk_pct) };
  return { ...trade, ...sizedPrices, ...(account_type === "paper" && { risk_pct: sized(DEFAULT_RISK_PCT) }) };
}

function toProposedTrade(
  { intent, quote, ticket_id, expires_at, sizing }: Preview,
  side: Side,
): ProposedTrade {
  const quantity = intent?.quantity ?? sizing.quantity;
  return {
    side,
    quantity,
    price: quote.price,
    price_as_of: quote.traded_at,
    price_source: quote.price_source,
    cost: quantity === null ? null : costOfUnits(quantity, quote.price),
    ticket_id,
    expires_at,
  };
}

/**
 * Returns the cost of a buy order in US dollars: the filled amount with fees, plus the unfilled part at the given
 * price.
 */
function orderCost(
  { filled_quantity, average_price, fees, intent, ...order }: OrderShown,
  price: string | null,
): string {
  const filled = decimal(filled_quantity).times(average_price ?? 0);
  const openQuantity = isFinal({ ...order }) ? decimal(0) : decimal(intent.quantity).minus(filled_quantity);
  return truncated(filled.plus(fees).plus(openQuantity.times(price ?? average_price ?? 0)));
}

/**
 * Charges purchases of earlier passes of the same run to the budget. The unfilled part counts at the current price;
 * when that price is unknown, the entire remaining budget counts as spent.
 */
export async function chargePlacedOrders<Figures>(
  rows: readonly PassRow<Figures>[],
  context: PassContext,
): Promise<void> {
  for (const order of context.holdings?.placed ?? []) {
    if (order.intent.side !== "buy") continue;
    const openQuantity = decimal(order.intent.quantity).minus(order.filled_quantity);
    if (isFinal(order) || openQuantity.lte(0)) chargeBudgets(context, orderCost(order, null));
    else {
      const analysis = rows.find((row) => row.placed === order)?.analysis ?? null;
      const price = await previewedPrice(order, { quantity: truncated(openQuantity), analysis }, context);
      chargeBudgets(context, orderCost(order, price));
      if (price === null) chargeBudgets(context, budgetLeft(context.budget) ?? "0");
    }
  }
}

/** Returns the current price from a preview; null when none is available. */
async function previewedPrice<Figures>(
  { intent: { symbol }, connection_id }: OrderShown,
  { quantity, analysis }: { readonly quantity: string; readonly analysis: SymbolAnalysis<Figures> | null },
  { actions, pass: { timeframe } }: PassContext,
): Promise<string | null> {
  const requested = { connection_id, symbol, timeframe, side: "buy" as const, quantity };
  try {
    return (await actions.preview({ ...requested, ...(analysis && { asset_class: analysis.asset_class }) }))
      .quote.price;
  } catch (cause) {
    itemError(cause);
    return null;
  }
}

function chargeBudgets(context: PassContext, cost: string): void {
  context.budget = spend(context.budget, cost);
  context.plannedBudget = spend(context.plannedBudget, cost);
}

const OPEN_HINT = "Set dry_run to false: the run opens one, and no money moves.";
const BUDGET_HINT = "Set a larger budget_usd, or a smaller quantity or risk_pct.";
const refusal = (message: string, hint: string | null): PassRefusal => ({ code: "REFUSED", message, hint });
const ambiguousSymbolRefusal = (all: readonly [SymbolMatch, ...SymbolMatch[]]): PassRefusal => ({
  code: "INVALID_INPUT",
  message: `The symbol ${all[0].symbol} is ambiguous`,
  hint: `Pass one of: ${all.map((one) => `${unambiguousSymbol(one)} (${one.asset_class})`).join(", ")}.`,
});
const unconfirmedRefusal = (ticket: string): PassRefusal =>
  refusal(
    "Agents send no live orders: the owner must confirm this trade",
    `The owner of the server confirms ticket ${ticket} in the terminal of the server; then execute_trade sends it.`,
  );

/** Returns why a placed order failed or is unresolved; null otherwise. */
function orderRefusal({ status, reason }: OrderShown): PassRefusal | null {
  if (status === "rejected") return refusal(reason ?? "The broker rejected the order", null);
  if (status !== "unknown" && status !== "submitting") return null;
  const message = reason ?? "The broker has not confirmed the order";
  const hint = "Call reconcile_orders; do not send the order again.";
  return { code: "UPSTREAM_UNAVAILABLE", message, hint };
}
