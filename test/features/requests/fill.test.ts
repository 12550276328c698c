import { describe, expect, it } from "vitest";
import { catalogue } from "../../../src/app/catalogue.ts";
import { filled } from "../../../src/features/requests/fill.ts";
import { maxEffect, type Tool } from "../../../src/kernel/tool.ts";
import { readMentions } from "../../../src/market/symbols/mentions/read-mentions.ts";
import { symbols } from "./parsed-question.ts";

const tools = new Map(Object.values<Tool>(catalogue).map((tool) => [tool.name, tool]));

function fillOf(name: string, query: string, asOf: string | null = null) {
  const { title, input, effect, role } = tools.get(name)!;
  return filled(
    { name, title, input, effect: maxEffect({ effect, ...(role && { role }) }) },
    {
      query,
      mentions: readMentions(query, symbols).mentions,
      timeframe: null,
      asOf,
      subject: query,
      now: new Date("2026-11-20T15:00:00Z"),
    },
  );
}
const inputs = (name: string, query: string) => {
  const fill = fillOf(name, query);
  return "missing" in fill ? fill : fill.inputs.map(({ input }) => input);
};

describe("the input of a tool from a request", () => {
  it.each([
    ["get_movers", "top losers of the last week", { list: "losers", period: "5d" }],
    ["get_movers", "gainers above $1,500, not crypto", { list: "gainers", min_price: 1500 }],
    ["get_movers", "most active etfs", { list: "most_active", asset_class: "etf" }],
    ["get_political_trades", "what did republicans buy, not democrats", { party: "R", type: "buy" }],
    ["get_calendar", "ipos next week", { type: "ipos", from: "2026-11-23", to: "2026-11-29" }],
    ["get_darkpool_prints", "prints over 5 million", { min_notional: 5_000_000 }],
    ["get_receipt", "show receipt rc_00000000000000000001", { receipt_id: "rc_00000000000000000001" }],
    ["get_track_record", "record of LONG signals in crypto", { direction: "LONG", asset_class: "crypto" }],
    ["list_orders", "my open orders", { status: "working" }],
    [
      "check_order",
      "check my order to buy 20 Apple with a stop at 250",
      { symbol: "AAPL", side: "buy", quantity: 20, stop_loss: 250 },
    ],
    [
      "check_order",
      "check my order to buy $1,500 of Apple",
      { symbol: "AAPL", side: "buy", notional: 1_500 },
    ],
    [
      "check_order",
      "check my order to sell 2 thousand dollars of Apple at 280 in extended hours",
      { symbol: "AAPL", side: "sell", notional: 2_000, limit_price: 280, extended_hours: true },
    ],
  ])("of %s is filled from '%s'", (name, query, input) => {
    expect(inputs(name, query)).toEqual([input]);
  });

  it("takes a past day as the range of a tool that has one, and as its time otherwise", () => {
    const query = "what did Apple say on 1 October and was it right?";
    const of = (name: string) => fillOf(name, query, "2026-10-01");
    expect(of("get_signal_history")).toEqual({
      inputs: [{ symbol: "AAPL", input: { symbol: "AAPL", from: "2026-10-01", to: "2026-10-01" } }],
    });
    expect(of("get_signal")).toEqual({
      inputs: [{ symbol: "AAPL", input: { symbol: "AAPL", as_of: "2026-10-01" } }],
    });
  });

  it("is one for each symbol, or one for all", () => {
    expect(inputs("get_news", "news of the past 2 days on Apple and Nvidia")).toEqual([
      { symbol: "AAPL", hours: 48, from: "2026-11-18" },
      { symbol: "NVDA", hours: 48, from: "2026-11-18" },
    ]);
    expect(inputs("get_quotes", "prices of Apple and Nvidia")).toEqual([{ symbols: ["AAPL", "NVDA"] }]);
  });

  it("says which required field a request does not state", () => {
    expect(fillOf("get_news", "the latest headlines")).toEqual({ missing: "symbol" });
    expect(fillOf("run_backtest", "a backtest")).toEqual({ missing: "symbol" });
    expect(fillOf("get_receipt", "show the receipt")).toEqual({ missing: "receipt_id" });
  });

  it("has no future end for a tool of the past, and no value that its schema refuses", () => {
    expect(inputs("get_insider_trades", "insiders of Apple this month")).toEqual([
      { symbol: "AAPL", from: "2026-11-01" },
    ]);
    expect(inputs("get_backtest", "backtest bt_1")).toEqual([{}]);
  });
});
