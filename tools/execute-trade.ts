import { z } from "zod";
import { MarketMode, Succeeded, SymbolText } from "../src/domain/answers.ts";
import { ofKind } from "../src/domain/recognisers/field-kinds.ts";
import { orderTypeOf, Preview, TradeOverrides, TradeRequestSchema } from "../src/domain/trading/preview.ts";
import { isUnresolved, type Order, OrderShown, orderShown, TicketId } from "../src/domain/trading/trading.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { planOf, tradedInstrument } from "../src/features/signal/trade-plan.ts";
import { executeTicket } from "../src/features/trading/execute.ts";
import { TRADE_PORTS } from "../src/features/trading/needs.ts";
import { createPaperTicket, requireTicket } from "../src/features/trading/ticket.ts";
import { formatOrder } from "../src/features/trading/trade.text.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { idDigits } from "../src/lib/id-digits.ts";
import { IDEMPOTENCY_KEY, idempotencyUuid } from "../src/lib/idempotency-key.ts";

/**
 * Sends a trade exactly once: a ticket from preview_trade, or, on a paper account, a symbol previewed and sent in one
 * call.
 */
export const executeTrade = defineTool({
  name: "execute_trade",
  title: "Execute trade",
  description:
    "Places an order with the connected broker: submits the ticket of preview_trade, or on a paper account buys or sells a symbol at once, sized by risk_pct, quantity or Kelly. Use it to buy or sell shares, put in a market or limit order, enter a trade, go short, or close a position. The same ticket never sends twice; reconcile_orders settles an unknown outcome.",
  topics: [
    "place an order",
    "execute trade",
    "buy shares",
    "sell shares",
    "market order",
    "place a limit order",
    "send the ticket",
    "close my position",
    "flatten my position",
  ],
  toolset: "trading",
  plan: "pro",
  effect: "trade",
  route: "POST /api/broker/execute-trade",
  cli: { command: "trade", positionals: ["ticket_id"] },
  deadlineMs: 60_000,
  needs: [...new Set([...PICTURE_PORTS, ...TRADE_PORTS, "confirmations", "trackRecord", "ids"] as const)],
  input: z.object({
    ticket_id: TicketId.optional(),
    symbol: SymbolText.optional(),
    ...TradeOverrides,
    idempotency_key: ofKind(
      z.string().regex(IDEMPOTENCY_KEY, "must be 1 to 255 printable ASCII characters, such as a UUID"),
      "key",
    )
      .optional()
      .describe(
        "For trades without a ticket: your unique key for the trade, such as a UUID; pass the same key on every retry",
      ),
  }),
  output: z.object({
    ...Succeeded,
    repeated: z.boolean().describe("true: the order existed before this call"),
    order: OrderShown,
    sizing: Preview.shape.sizing.nullable().describe("Sizing steps, as in the preview"),
    hint: z.string().nullable(),
    market: MarketMode,
  }),
  examples: [
    { ask: "Send the trade that was previewed", input: { ticket_id: `tk_${"0".repeat(20)}` } },
    {
      ask: "Buy one share of Apple on paper",
      input: { symbol: "AAPL", side: "buy", quantity: "1" },
    },
  ],
  terminal: ({ order, repeated, hint }, paint) =>
    [
      ...formatOrder(order, paint),
      ...(repeated ? [paint("dim", "already sent by an earlier call; this call sent nothing")] : []),
      ...(hint === null ? [] : [hint]),
    ].join("\n"),

  async handler({ ticket_id, symbol, idempotency_key, ...overrides }, ctx) {
    const { account } = ctx.principal;
    const trade = TradeRequestSchema.parse({ ...overrides, type: orderTypeOf(overrides) });
    const instrument = () => {
      if (symbol === undefined)
        throw new ToolError("INVALID_INPUT", "Pass ticket_id, or symbol on a paper account", {
          hint: "preview_trade returns a ticket.",
        });
      return tradedInstrument(symbol, trade.asset_class, ctx.symbols);
    };
    const ticket =
      ticket_id !== undefined
        ? await requireTicket(account, ticket_id, { symbol, ...overrides }, ctx)
        : await createPaperTicket(
            {
              account,
              digits: idDigits(idempotencyUuid(idempotency_key ?? ctx.ids.uuid())),
              trade,
              instrument: instrument(),
            },
            async (traded) =>
              planOf({ symbol: traded.symbol, timeframe: trade.timeframe, signal: ctx.signal }, ctx),
            ctx,
          );
    const { order, repeated } = await executeTicket(ticket, ctx.principal, ctx);
    const sizing = Preview.shape.sizing.safeParse(ticket.shown.sizing);
    return {
      repeated,
      order: orderShown(order),
      sizing: sizing.success ? sizing.data : null,
      hint: isUnresolved(order)
        ? "It is not yet known whether the broker received the order. Call reconcile_orders; do not send it again."
        : repeated
          ? null
          : exitsHint(order, ticket.shown.left_out),
      market: ctx.market.mode,
    };
  },
});

/** Returns a hint about the exits of a new order: those left out of it, and those that work once it is filled. */
function exitsHint(order: Order, leftOut: unknown): string | null {
  const sentences = [typeof leftOut === "string" ? leftOut : null, workingExitsHint(order)];
  return sentences.filter((one) => one !== null).join(" ") || null;
}

function workingExitsHint({ broker_status, intent: { stop_loss, take_profit } }: Order): string | null {
  if (broker_status !== "filled") return null;
  const exits = [
    ...(stop_loss === null ? [] : [`stop loss ${stop_loss} USD`]),
    ...(take_profit === null ? [] : [`take profit ${take_profit} USD`]),
  ].join(" and ");
  return exits === "" ? null : `Exits working at the broker: ${exits}.`;
}
