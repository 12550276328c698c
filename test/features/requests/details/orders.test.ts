import { describe, expect, it } from "vitest";
import { ordersIn } from "../../../../src/features/requests/details/orders.ts";

describe("orders in a question", () => {
  it.each([
    [
      "buy 10 shares of AAPL now",
      "no order is placed (preview_trade previews one, then execute_trade sends it)",
    ],
    [
      "Please sell all my Tesla shares",
      "no order is placed (preview_trade previews one, then execute_trade sends it)",
    ],
    ["sell my AAPL", "no order is placed (preview_trade previews one, then execute_trade sends it)"],
    [
      "can you buy 2 ETH for me?",
      "no order is placed (preview_trade previews one, then execute_trade sends it)",
    ],
    ["put $1000 into NVDA", "no order is placed (preview_trade previews one, then execute_trade sends it)"],
    ["short 100 TSLA", "no order is placed (preview_trade previews one, then execute_trade sends it)"],
    [
      "buy apple at limit 100",
      "no order is placed (preview_trade previews one, then execute_trade sends it)",
    ],
    ["buy AAPL at market", "no order is placed (preview_trade previews one, then execute_trade sends it)"],
    [
      "place a limit order for MSFT at 400",
      "no order is placed (preview_trade previews one, then execute_trade sends it)",
    ],
    [
      "how do I connect my broker",
      "no broker account is added (connect_broker adds one, and a paper account is there from the start)",
    ],
    [
      "can I link my Robinhood account?",
      "no broker account is added (connect_broker adds one, and a paper account is there from the start)",
    ],
    ["set an alert for AAPL at 300", "no alert is set"],
    ["tell me when bitcoin breaks 150k", "no alert is set"],
    ["notify me if NVDA turns long", "no alert is set"],
    ["remind me to look at AMD", "no alert is set"],
    ["add AAPL to my watchlist", "no list is changed or watched"],
  ])("are answered: %s", (query, act) => {
    expect(ordersIn(query)).toEqual([act]);
  });

  it.each([
    "should I buy 10 shares of AAPL?",
    "is AAPL a buy now",
    "buy the dip in Apple?",
    "buy AAPL or MSFT?",
    "Buy, sell or hold: NVDA",
    "what to buy today?",
    "buy AAPL today?",
    "short 4 hour setups in crypto",
    "how much of my account should I put in one trade",
    "tell me about Apple",
    "sell signals",
    "<img src=x onerror=alert(1)>",
    "",
  ])("are not found in: %s", (query) => {
    expect(ordersIn(query)).toEqual([]);
  });
});
