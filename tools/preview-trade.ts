import { z } from "zod";
import { MarketMode, Succeeded, SymbolText } from "../src/domain/answers.ts";
import { OrderTypeInput, orderTypeOf, Preview, TradeRequest } from "../src/domain/trading/preview.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { planOf, tradedInstrument } from "../src/features/signal/trade-plan.ts";
import { TRADE_PORTS } from "../src/features/trading/needs.ts";
import { previewTrade as preview } from "../src/features/trading/preview.ts";
import { resolveConnection } from "../src/features/trading/resolve-connection.ts";
import { formatPreview } from "../src/features/trading/trade.text.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { idDigits } from "../src/lib/id-digits.ts";

/** Sizes and checks a trade and returns a single-use ticket, valid for five minutes. Sends no order. */
export const previewTrade = defineTool({
  name: "preview_trade",
  title: "Preview trade",
  description:
    "Previews a trade on the connected broker without placing it (dry run): position size by risk, Kelly fraction, odds, quote, risk checks with the limit of each, maximum loss, and a ticket good for 5 minutes. Use it to size a trade or preview an order: how many shares to buy, how much to risk, what it could lose, or whether it is too big or would pass the risk checks. execute_trade sends the ticket.",
  topics: [
    "preview a trade",
    "position size",
    "position sizing",
    "shares to buy",
    "how much to risk",
    "kelly",
    "kelly criterion",
    "maximum loss",
    "risk checks",
    "ticket",
    "can i afford",
  ],
  toolset: "trading",
  plan: "pro",
  effect: "write",
  route: "POST /api/broker/preview-trade",
  cli: { command: "preview" },
  needs: [...new Set([...PICTURE_PORTS, ...TRADE_PORTS, "trackRecord", "ids"] as const)],
  input: z.object({ symbol: SymbolText, ...TradeRequest, type: OrderTypeInput }),
  output: z.object({ ...Succeeded, ...Preview.shape, market: MarketMode }),
  examples: [
    {
      ask: "How many shares of Apple would I buy on its signal?",
      input: { symbol: "AAPL", connection_id: `cn_${"1".repeat(20)}` },
    },
    {
      ask: "What would buying one share of Apple on paper risk?",
      input: { symbol: "AAPL", side: "buy", quantity: "1" },
    },
  ],
  terminal: formatPreview,
  view: { name: "check" },

  async handler({ symbol, ...given }, ctx) {
    const trade = { ...given, type: orderTypeOf(given) };
    const { account } = ctx.principal;
    const connection = await resolveConnection(ctx, account, trade.connection_id);
    const instrument = tradedInstrument(symbol, trade.asset_class, ctx.symbols);
    const plan = await planOf(
      { symbol: instrument.symbol, timeframe: trade.timeframe, signal: ctx.signal },
      ctx,
    );
    const request = { account, digits: idDigits(ctx.ids.uuid()), instrument, trade, plan };
    return {
      ...(await preview(request, connection, ctx)),
      market: ctx.market.mode,
    };
  },
});
