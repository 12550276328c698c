import { z } from "zod";
import { idDigits } from "../../lib/id-digits.ts";
import { idempotencyUuid } from "../../lib/idempotency-key.ts";
import { Failure, Iso, MarketMode, Succeeded, SymbolText } from "../answers.ts";
import { MAX_SYMBOLS } from "../requests/task.ts";
import {
  AccountType,
  Amount,
  BrokerName,
  ConnectionId,
  type Order,
  OrderShown,
  Positive,
} from "../trading/trading.ts";

/** Input shared by agents that evaluate a list of symbols once and act on them. */
export const PassRequest = {
  symbols: z.array(SymbolText).min(1).max(MAX_SYMBOLS).describe(`1 to ${MAX_SYMBOLS} tickers or pairs`),
  connection_id: ConnectionId.optional().describe(
    "Id of a broker connection. Default: the only connection, else the only paper connection.",
  ),
  dry_run: z.boolean().default(true).describe("true: decides and previews, places nothing"),
  budget_usd: Positive.optional().describe(
    "Budget of this pass in USD at previewed prices, as text or number. Default: no limit.",
  ),
  quantity: Positive.optional().describe("Units of each purchase, as text or number; paper only"),
  risk_pct: Positive.optional().describe(
    "Percent of equity each purchase risks, as text or number; paper only. Default on paper: 0.5 unless quantity is given. Live: the owner's TRADING_RISK_PCT.",
  ),
  run_id: z
    .string()
    .regex(/^[\w.:-]{1,120}$/, "is 1 to 120 letters, digits and . : - _")
    .optional()
    .describe("Your name for this pass. A repeated pass with the same name places nothing twice."),
};
/** Builds the idempotency key of an order from its run, symbol and side; null if the run has no name. */
export const idempotencyKeyOf = (
  { agent, run_id }: { readonly agent: string; readonly run_id?: string | undefined },
  symbol: string,
  side: string,
): string | null => (run_id === undefined ? null : `${agent} ${run_id} ${symbol} ${side}`);

/** Returns the orders that passes of one named run placed; empty if the run has no name. */
export const placedBy = <Placed extends Pick<Order, "order_id" | "intent">>(
  run: { readonly agent: string; readonly run_id?: string | undefined },
  orders: readonly Placed[],
): readonly Placed[] =>
  orders.filter(({ order_id, intent }) => {
    const key = idempotencyKeyOf(run, intent.symbol, intent.side);
    return key !== null && order_id === `or_${idDigits(idempotencyUuid(key))}`;
  });

const PassShape = z.object(PassRequest);
export type PassRequest = z.infer<typeof PassShape>;

/** Proposed trade of a decision at the current price; no order is sent. */
export const ProposedTrade = z.object({
  side: z.enum(["buy", "sell"]),
  quantity: Amount.nullable().describe("Units; null if no order may be sent"),
  price: Amount.describe("Price of the quote, USD"),
  price_as_of: Iso,
  price_source: z.string(),
  cost: Amount.nullable().describe("Quantity times price, USD, before fees"),
  ticket_id: z.string().nullable().describe("Argument of execute_trade; null if no order may be sent"),
  expires_at: Iso.nullable(),
});
export type ProposedTrade = z.infer<typeof ProposedTrade>;

/** Reason why a decision led to no order. */
export type PassRefusal = z.infer<typeof Failure>;

/** Schema of one decision and its outcome; `figures` holds the agent's own fields. */
const decisionOf = <Figures extends z.ZodObject>(figures: Figures) =>
  z.object({
    symbol: z.string().describe("Canonical, or as requested if unknown"),
    action: z.enum(["buy", "sell", "hold"]),
    why: z.string().describe("One sentence written from the figures"),
    figures: figures.nullable().describe("Figures behind the decision; null if the tools returned none"),
    held: Amount.nullable().describe(
      "Units held before the pass, negative if short; null without a connection",
    ),
    trade: ProposedTrade.nullable().describe("From the preview; null without one"),
    order: OrderShown.nullable().describe("Order placed; null if none"),
    repeated: z.boolean().describe("true: an earlier pass with this run_id placed it"),
    refused: Failure.nullable().describe("Why no order was placed; null if one was or could be"),
  });

/** Returns the output schema of one agent pass. */
export const passAnswer = <Figures extends z.ZodObject>(figures: Figures) =>
  z.object({
    ...Succeeded,
    agent: z.string(),
    dry_run: z.boolean().describe("true: nothing was placed"),
    connection: z
      .object({ connection_id: z.string(), broker: BrokerName, account_type: AccountType })
      .nullable()
      .describe("null: none in a dry run"),
    decisions: z.array(decisionOf(figures)).describe("In the order requested, each instrument once"),
    summary: z.string(),
    budget: z
      .object({
        limit: Amount.nullable(),
        spent: Amount.describe("Spent by the buy orders of this pass"),
        left: Amount.nullable(),
      })
      .describe("USD; null without a limit"),
    notes: z.array(z.string()),
    market: MarketMode,
  });
export type PassDecision<Figures = unknown> = Omit<
  z.infer<ReturnType<typeof decisionOf<z.ZodObject>>>,
  "figures"
> & { figures: Figures | null };
export type PassResult<Figures = unknown> = Omit<
  z.infer<ReturnType<typeof passAnswer<z.ZodObject>>>,
  "decisions" | "agent" | "ok" | "success" | "market"
> & { decisions: PassDecision<Figures>[] };
