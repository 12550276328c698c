import { describe, expect, it } from "vitest";
import { z } from "zod";
import { SnapshotInput } from "../../../../src/domain/check/snapshot.ts";
import { readSnapshot } from "../../../../src/features/check/snapshot/snapshot.ts";
import type { Fields } from "../../../../src/lib/fields.ts";

const Input = z.object(SnapshotInput);
const read = (input: unknown) => readSnapshot(Input.parse(input));
const holding = (
  symbol: string,
  quantity: string,
  averagePrice: string | null,
  price: string | null,
  option: unknown = null,
) => ({ symbol, quantity, averagePrice, price, stopLoss: null, option });

/** Positions of 20 MSFT bought at 400.10 and now at 432.55, and of 5 KO sold short at 70 and now at 68, by broker. */
const POSITIONS: Readonly<Record<string, readonly object[]>> = {
  "the product's own names": [
    { symbol: "MSFT", quantity: 20, average_price: 400.1, price: 432.55 },
    { symbol: "KO", quantity: -5, average_price: 70, price: 68 },
  ],
  Robinhood: [
    {
      symbol: "MSFT",
      quantity: "20.000000",
      average_buy_price: "400.1000",
      shares_available_for_sells: "20.00000000",
      type: "long",
      last_trade_price: "432.550000",
      instrument: "https://example.com/instruments/1/",
    },
    {
      symbol: "KO",
      quantity: "5.000000",
      average_buy_price: "70.0000",
      type: "short",
      last_trade_price: "68",
    },
  ],
  IBKR: [
    {
      contract: {
        symbol: "MSFT",
        secType: "STK",
        currency: "USD",
        strike: 0,
        right: "?",
        exchange: "NASDAQ",
      },
      position: 20,
      avg_price: 400.1,
      market_price: 432.55,
      daily_pnl: "12.40",
    },
    {
      contract: { symbol: "KO", secType: "STK" },
      position: -5,
      avg_price: 70,
      market_price: 68,
      daily_pnl: "N/A",
    },
  ],
  Alpaca: [
    {
      asset_class: "us_equity",
      symbol: "MSFT",
      qty: "20",
      qty_available: "0",
      side: "long",
      avg_entry_price: "400.10",
      current_price: "432.55",
      market_value: "8651",
      cost_basis: "8002",
      lastday_price: "430",
    },
    {
      asset_class: "us_equity",
      symbol: "KO",
      qty: "-5",
      side: "short",
      avg_entry_price: "70",
      current_price: "68",
    },
  ],
  Public: [
    {
      instrument: { symbol: "MSFT", name: "Microsoft", type: "EQUITY" },
      quantity: "20",
      lastPrice: { lastPrice: "432.55", timestamp: "2026-05-29T15:00:00Z" },
      costBasis: { totalCost: "8002.00", unitCost: "400.10", gainValue: "649.00" },
    },
    {
      instrument: { symbol: "KO", type: "EQUITY" },
      quantity: "-5",
      lastPrice: { lastPrice: "68.00" },
      costBasis: { totalCost: "-350.00", unitCost: "70.00" },
    },
  ],
  Schwab: [
    {
      shortQuantity: 0,
      averagePrice: 400.1,
      longQuantity: 20,
      settledLongQuantity: 18,
      instrument: { assetType: "EQUITY", cusip: "594918104", symbol: "MSFT" },
      marketValue: 8651,
    },
    {
      shortQuantity: 5,
      averagePrice: 70,
      longQuantity: 0,
      instrument: { assetType: "EQUITY", symbol: "KO" },
      marketValue: -340,
    },
  ],
  Tradier: [
    {
      cost_basis: 8002,
      date_acquired: "2026-01-02T15:00:00.000Z",
      id: 1,
      quantity: 20,
      symbol: "MSFT",
      last: 432.55,
    },
    {
      cost_basis: -350,
      date_acquired: "2026-01-02T15:00:00.000Z",
      id: 2,
      quantity: -5,
      symbol: "KO",
      last: 68,
    },
  ],
  Longbridge: [
    {
      symbol: "MSFT.US",
      symbol_name: "Microsoft",
      quantity: "20",
      available_quantity: "20",
      currency: "USD",
      cost_price: "400.100",
      market: "US",
      last_price: "$432.55",
    },
    {
      symbol: "KO.US",
      quantity: "-5",
      currency: "USD",
      cost_price: "70.000",
      market: "US",
      last_price: "68",
    },
  ],
};

describe("positions as brokers list them", () => {
  it.each(Object.entries(POSITIONS))("%s: give the same holdings", (_, positions) => {
    const { holdings, unreadable, working, fills } = read({ positions });
    expect(unreadable).toEqual([]);
    expect(holdings).toEqual([holding("MSFT", "20", "400.1", "432.55"), holding("KO", "-5", "70", "68")]);
    expect([working, fills]).toEqual([null, null]);
  });

  it("Coinbase: gives coins as pairs, and leaves out cash", () => {
    const row = (asset: string, units: number, dollars: number, is_cash: boolean) => ({
      asset,
      account_uuid: "11111111-1111-1111-1111-111111111111",
      total_balance_fiat: dollars,
      total_balance_crypto: units,
      available_to_trade_crypto: units / 2,
      average_entry_price: { value: is_cash ? "1" : "60000", currency: "USD" },
      cost_basis: { value: "30000", currency: "USD" },
      is_cash,
    });
    const positions = [
      row("BTC", 0.5, 35_000, false),
      row("USD", 120.5, 120.5, true),
      row("USDC", 10, 10, false),
      { asset: "ETH", total_balance_crypto: 0.30000000000000004, total_balance_fiat: "900" },
    ];
    const { holdings, unreadable } = read({ positions });
    expect(unreadable).toEqual([]);
    expect(holdings).toEqual([
      holding("BTC-USD", "0.5", "60000", "70000"),
      holding("ETH-USD", "0.3", null, "3000"),
    ]);
  });

  it("gives coins of other brokers as pairs by their class", () => {
    const positions = [
      { symbol: "BTCUSD", asset_class: "crypto", qty: "0.5" },
      { symbol: "BTC/USD", qty: "0.5" },
      { symbol: "SOL", asset_type: "CRYPTO", quantity: 2 },
    ];
    expect(read({ positions }).holdings?.map(({ symbol }) => symbol)).toEqual([
      "BTC-USD",
      "BTC-USD",
      "SOL-USD",
    ]);
  });

  it("give one option with its contract, priced per share", () => {
    const option = { underlying: "AAPL", expiry: "2026-12-18", right: "call", strike: 320 };
    const positions = [
      {
        symbol: "AAPL261218C00320000",
        asset_class: "us_option",
        qty: "2",
        avg_entry_price: "4.10",
        current_price: "5",
      },
      {
        contract: {
          symbol: "AAPL",
          secType: "OPT",
          lastTradeDateOrContractMonth: "20261218",
          strike: 320,
          right: "C",
        },
        position: 2,
        avg_price: 4.1,
        market_price: 5,
      },
      {
        longQuantity: 2,
        shortQuantity: 0,
        averagePrice: 4.1,
        marketValue: 1000,
        instrument: {
          assetType: "OPTION",
          symbol: "AAPL  261218C00320000",
          underlyingSymbol: "AAPL",
          putCall: "CALL",
        },
      },
      { symbol: "AAPL261218C00320000", quantity: 2, cost_basis: 820, last: 5 },
    ];
    const { holdings, unreadable } = read({ positions });
    expect(unreadable).toEqual([]);
    expect(holdings).toEqual(positions.map(() => holding("AAPL261218C00320000", "2", "4.1", "5", option)));
  });

  it("name the option by its terms where the symbol is that of the share", () => {
    const terms = {
      chain_symbol: "AAPL",
      type: "long",
      quantity: "1.0000",
      average_price: "410.0000",
      trade_value_multiplier: "100.0000",
    };
    const positions = [
      { ...terms, expiration_date: "2026-12-18", strike_price: "320.0000", option_type: "call" },
      terms,
    ];
    const { holdings, unreadable } = read({ positions });
    expect(holdings).toMatchObject([{ symbol: "AAPL261218C00320000", averagePrice: null }]);
    expect(unreadable).toEqual([
      { list: "positions", row: 2, why: "it is an option whose contract is not clear: send its OCC symbol" },
    ]);
  });
});

describe("open orders as brokers list them", () => {
  const order = (
    side: string,
    quantity: string | null,
    limitPrice: string | null,
    stopPrice: string | null,
  ) => ({
    symbol: "AAPL",
    side,
    quantity,
    limitPrice,
    stopPrice,
  });
  it.each<[string, Fields, object]>([
    [
      "own names",
      { symbol: "AAPL", side: "buy", quantity: 10, limit_price: 310 },
      order("buy", "10", "310", null),
    ],
    [
      "Robinhood",
      {
        symbol: "AAPL",
        side: "sell",
        type: "market",
        trigger: "stop",
        quantity: "10.00000000",
        cumulative_quantity: "0.00000000",
        stop_price: "290.00",
        state: "confirmed",
      },
      order("sell", "10", null, "290"),
    ],
    [
      "IBKR",
      {
        ticker: "AAPL",
        side: "BUY",
        totalSize: 10,
        filledQuantity: 4,
        remainingQuantity: 6,
        orderType: "LMT",
        price: "310",
        status: "Submitted",
      },
      order("buy", "6", "310", null),
    ],
    [
      "Alpaca",
      {
        symbol: "AAPL",
        side: "buy",
        qty: "10",
        filled_qty: "3",
        type: "limit",
        limit_price: "310",
        stop_price: null,
        status: "partially_filled",
        legs: null,
      },
      order("buy", "7", "310", null),
    ],
    [
      "Public",
      {
        instrument: { symbol: "AAPL", type: "EQUITY" },
        side: "BUY",
        type: "LIMIT",
        quantity: "10",
        filledQuantity: "0",
        limitPrice: "310.00",
        status: "NEW",
      },
      order("buy", "10", "310", null),
    ],
    [
      "Schwab",
      {
        instrument: { symbol: "AAPL", assetType: "EQUITY" },
        instruction: "SELL_SHORT",
        orderType: "STOP_LIMIT",
        quantity: 10,
        filledQuantity: 0,
        remainingQuantity: 10,
        price: 290,
        stopPrice: "291.5",
        status: "WORKING",
      },
      order("sell", "10", "290", "291.5"),
    ],
    [
      "Tradier",
      {
        type: "limit",
        symbol: "AAPL",
        side: "buy_to_cover",
        quantity: 10,
        exec_quantity: 2.5,
        remaining_quantity: 7.5,
        price: 310,
        status: "open",
      },
      order("buy", "7.5", "310", null),
    ],
    [
      "Longbridge",
      {
        symbol: "AAPL.US",
        side: "OrderSide.Buy",
        order_type: "LO",
        submitted_quantity: "10",
        executed_quantity: "0",
        submitted_price: "310.00",
        trigger_price: "",
        currency: "USD",
        status: "NewStatus",
      },
      order("buy", "10", "310", null),
    ],
    [
      "Alpaca, in dollars",
      { symbol: "AAPL", side: "buy", qty: null, notional: "500", filled_qty: "0", status: "accepted" },
      order("buy", null, null, null),
    ],
  ])("%s: are read", (_, row, expected) => {
    expect(read({ open_orders: [row] })).toMatchObject({ working: [expected], unreadable: [] });
  });

  it("Coinbase: are read from the configuration of the order", () => {
    const open_orders = [
      {
        product_id: "BTC-USD",
        side: "BUY",
        status: "OPEN",
        filled_size: "0.1",
        order_configuration: { base_size: "0.5", limit_price: "60000" },
      },
      { product_id: "ETH-USDC", side: "SELL", status: "OPEN", order_configuration: { quote_size: "250" } },
    ];
    const { working, unreadable } = read({ open_orders });
    expect(unreadable).toEqual([]);
    expect(working).toEqual([
      { symbol: "BTC-USD", side: "buy", quantity: "0.4", limitPrice: "60000", stopPrice: null },
      { symbol: "ETH-USD", side: "sell", quantity: null, limitPrice: null, stopPrice: null },
    ]);
  });

  it("are of the option, not of its share", () => {
    const open_orders = [
      {
        symbol: "AAPL",
        option_symbol: "AAPL261218C00320000",
        side: "buy_to_open",
        quantity: 1,
        status: "open",
      },
    ];
    expect(read({ open_orders }).working).toMatchObject([{ symbol: "AAPL261218C00320000", side: "buy" }]);
  });

  it.each([
    "filled",
    "canceled",
    "CANCELLED",
    "rejected",
    "Expired",
    "OrderStatus.FilledStatus",
    "PartialWithdrawal",
  ])("that are %s do not work", (status) => {
    const open_orders = [{ symbol: "AAPL", side: "buy", quantity: 1, status }];
    expect(read({ open_orders })).toMatchObject({ working: [], unreadable: [] });
  });

  it("that are filled by their quantities do not work", () => {
    const open_orders = [{ symbol: "AAPL", side: "buy", qty: 5, filled_qty: 5 }];
    expect(read({ open_orders })).toMatchObject({ working: [], unreadable: [] });
  });
});

describe("fills as brokers list them", () => {
  const AT = Date.parse("2026-05-12T15:00:00Z");
  const fill = { symbol: "TSLA", side: "sell", quantity: "5", price: "420", at: AT, realizedPnl: null };
  it.each<[string, object]>([
    ["own names", { symbol: "TSLA", side: "sell", quantity: 5, price: 420, at: "2026-05-12T15:00:00Z" }],
    [
      "Robinhood",
      {
        symbol: "TSLA",
        side: "sell",
        quantity: "5",
        cumulative_quantity: "5",
        average_price: "420.0",
        price: "415.0",
        state: "filled",
        last_transaction_at: "2026-05-12T15:00:00.000000Z",
        created_at: "2026-05-11T15:00:00Z",
      },
    ],
    ["IBKR", { symbol: "TSLA", side: "SLD", size: 5, price: "420.00", trade_time: 1778598000000 }],
    [
      "Alpaca",
      {
        activity_type: "FILL",
        symbol: "TSLA",
        side: "sell",
        qty: "5",
        price: "420",
        transaction_time: "2026-05-12T15:00:00Z",
        type: "fill",
      },
    ],
    [
      "Schwab",
      {
        instrument: { symbol: "TSLA" },
        instruction: "SELL",
        quantity: 5,
        price: 420,
        time: "2026-05-12T15:00:00+0000",
      },
    ],
    [
      "Longbridge",
      {
        symbol: "TSLA.US",
        side: "Sell",
        quantity: "5",
        price: "420",
        trade_done_at: "1778598000",
      },
    ],
  ])("%s: are read", (_, row) => {
    expect(read({ recent_trades: [row] })).toMatchObject({ fills: [fill], unreadable: [] });
  });

  it("leave out orders of which nothing was filled", () => {
    const row = { symbol: "TSLA", side: "sell", quantity: 5 };
    const recent_trades = [
      { ...row, status: "canceled" },
      { ...row, status: "new", filled_qty: "0" },
      { ...row, status: "canceled", filled_qty: "2", realized_pnl: "($310.50)" },
    ];
    const { fills, unreadable } = read({ recent_trades });
    expect(unreadable).toEqual([]);
    expect(fills).toMatchObject([{ quantity: "2", realizedPnl: "-310.5" }]);
  });
});

describe("an account as brokers describe it", () => {
  const account = { equity: "50000", buyingPower: "40000", equityBefore: null, margin: null };
  it.each<[string, Fields, object]>([
    [
      "own names",
      { equity: 50000, buying_power: "40,000", equity_before: 50100, margin: true },
      { ...account, equityBefore: "50100", margin: true },
    ],
    [
      "Robinhood",
      { total_value: "50000.00", buying_power: { buying_power: "40000.00", unleveraged_buying_power: "1" } },
      account,
    ],
    [
      "IBKR",
      {
        net_liquidation: { amount: 50000, currency: "USD" },
        buying_power: { amount: "40000" },
        daily_pnl: "-100.00",
      },
      { ...account, equityBefore: "50100" },
    ],
    [
      "Alpaca",
      { equity: "50000", last_equity: "50100", buying_power: "40000", multiplier: "2", currency: "USD" },
      { ...account, equityBefore: "50100", margin: true },
    ],
    [
      "Alpaca, cash",
      { equity: "50000", buying_power: "40000", multiplier: "1" },
      { ...account, margin: false },
    ],
    ["Schwab", { type: "MARGIN", liquidationValue: 50000, buyingPower: 40000 }, { ...account, margin: true }],
    [
      "Tradier",
      { account_type: "margin", total_equity: 50000, margin: { stock_buying_power: 40000 } },
      { ...account, margin: true },
    ],
    ["Longbridge", { net_assets: "50000", buy_power: "40000", currency: "USD" }, account],
    [
      "another currency",
      { equity: 50000, buying_power: 40000, currency: "EUR" },
      { ...account, equity: null, buyingPower: null },
    ],
    [
      "junk",
      { equity: "a lot", buying_power: Number.POSITIVE_INFINITY, margin: "?" },
      { ...account, equity: null, buyingPower: null },
    ],
  ])("%s: is read", (_, sent, expected) => {
    expect(readSnapshot({ account: sent }).account).toEqual(expected);
  });
});

describe("a quote as brokers send it", () => {
  const AT = Date.parse("2026-05-29T15:00:00Z");
  const quote = { symbol: null, price: "94.1", bid: "93.2", ask: "95", at: AT };
  it.each<[string, Fields, object]>([
    ["own names", { price: 94.1, bid: 93.2, ask: 95, at: "2026-05-29T15:00:00Z" }, quote],
    [
      "Robinhood",
      {
        quote: {
          last_trade_price: "94.100000",
          bid_price: "93.2",
          ask_price: "95.0",
          venue_last_trade_time: "2026-05-29T15:00:00Z",
          adjusted_previous_close: "90",
        },
      },
      quote,
    ],
    ["Alpaca", { bp: 93.2, ap: 95, t: "2026-05-29T15:00:00.000000001Z" }, { ...quote, price: null }],
    ["Schwab", { lastPrice: 94.1, bidPrice: 93.2, askPrice: 95, closePrice: 90, quoteTime: AT }, quote],
    [
      "a close alone",
      { closePrice: 90, bid: 0, ask: -1 },
      { symbol: null, price: null, bid: null, ask: null, at: null },
    ],
  ])("%s: is read", (_, sent, expected) => {
    expect(read({ quote: sent }).quote).toEqual(expected);
  });
});
