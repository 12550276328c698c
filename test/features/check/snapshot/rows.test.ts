import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Amount } from "../../../../src/domain/trading/trading.ts";
import { namesOfField } from "../../../../src/features/check/snapshot/field-names.ts";
import { readAmount, readMoment } from "../../../../src/features/check/snapshot/fields.ts";
import { readSnapshot } from "../../../../src/features/check/snapshot/snapshot.ts";
import type { Fields } from "../../../../src/lib/fields.ts";

const MSFT = { symbol: "MSFT", quantity: 20 };
const readOne = (row: Fields) => {
  const { holdings, unreadable } = readSnapshot({ positions: [row] });
  return unreadable[0]?.why ?? holdings?.[0] ?? "cash";
};

describe("a row of positions", () => {
  it.each<[string, Fields]>([
    ["it has no symbol", { quantity: 20 }],
    ["it has no symbol", { symbol: "", quantity: 20 }],
    ["it has no quantity", { symbol: "MSFT" }],
    ["it has no quantity", { symbol: "MSFT", quantity: null }],
    ["it has no quantity", { symbol: "MSFT", quantity: true }],
    ['the quantity "abc" is not a number', { symbol: "MSFT", quantity: "abc" }],
    ['the quantity "NaN" is not a number', { symbol: "MSFT", quantity: Number.NaN }],
    ['the quantity "Infinity" is not a number', { symbol: "MSFT", quantity: Number.POSITIVE_INFINITY }],
    ['the quantity "1000000000000000" is not a number', { symbol: "MSFT", quantity: 1e15 }],
    ['the quantity "1,5" is not a number', { symbol: "MSFT", quantity: "1,5" }],
    ['the price "cheap" is not a number', { ...MSFT, price: "cheap" }],
    ['the average price "€400" is not a number', { ...MSFT, average_price: "€400" }],
    ["the price is below 0", { ...MSFT, price: -1 }],
    ["the stop loss is below 0", { ...MSFT, stop_loss: "-1" }],
    ["the average price is below 0", { ...MSFT, average_price: -1 }],
    ["two fields name different quantities", { ...MSFT, qty: "21" }],
    ["two fields name opposite sides", { ...MSFT, side: "long", position_type: "short" }],
    ["its side is long and its quantity below 0", { symbol: "MSFT", side: "long", quantity: -20 }],
    ['the side "sideways" is not long or short', { ...MSFT, side: "sideways" }],
    ["it is in EUR, not in US dollars", { ...MSFT, currency: "eur" }],
    ["it is in EUR, not in US dollars", { ...MSFT, contract: { currency: "EUR" } }],
    ["it is in EUR, not in US dollars", { ...MSFT, cost_basis: { value: 1, currency: "EUR" } }],
    ['the symbol "700.HK" is not one of a US share, fund or coin', { symbol: "700.HK", quantity: 1 }],
    ['the symbol "EUR/USD" is not one of a US share, fund or coin', { symbol: "EUR/USD", quantity: 1 }],
    ['the symbol "ETH-BTC" is not one of a US share, fund or coin', { symbol: "ETH-BTC", quantity: 1 }],
    ["it is no share, fund, coin or option: future", { symbol: "ES", sec_type: "FUT", quantity: 1 }],
    ["it is no share, fund, coin or option: bond", { symbol: "T", asset_type: "FIXED_INCOME", quantity: 1 }],
    [
      "it has two or more option contracts: send each alone",
      { symbol: "AAPL 2026-12-18 300/320 call spread", quantity: 1 },
    ],
    [
      "it is an option whose contract is not clear: send its OCC symbol",
      { symbol: "AAPL", asset_class: "option", quantity: 1 },
    ],
  ])("is unreadable: %s", (why, row) => {
    expect(readOne(row)).toBe(why);
  });

  it("is short if its side says so, with a quantity of either sign", () => {
    for (const quantity of [5, -5, "(5)", "-5.00"])
      expect(readOne({ symbol: "KO", side: "short", quantity })).toMatchObject({ quantity: "-5" });
    expect(readOne({ symbol: "KO", position: "Short", quantity: 5 })).toMatchObject({ quantity: "-5" });
    expect(readOne({ symbol: "KO", side: "sell", quantity: 5, average_price: -70 })).toMatchObject({
      quantity: "-5",
      averagePrice: "70",
    });
  });

  it.each<[string, Fields]>([
    ["a flag", { asset: "EURC", is_cash: true, quantity: 5 }],
    ["the dollar", { symbol: "USD", quantity: "-20.5" }],
    ["a dollar token", { symbol: "usdc", quantity: 5 }],
    ["a class", { symbol: "SWEEP", asset_type: "CASH_EQUIVALENT", quantity: 5 }],
    ["another currency", { symbol: "CHF", quantity: 5 }],
  ])("is cash by %s", (_, row) => {
    expect(readOne(row)).toBe("cash");
  });

  it("is no cash if it is a fund with the ticker of a currency, or in a cash account", () => {
    expect(readOne({ symbol: "USD", asset_type: "ETF", quantity: 5 })).toMatchObject({ symbol: "USD" });
    expect(readOne({ symbol: "MSFT", type: "cash", quantity: 5 })).toMatchObject({ symbol: "MSFT" });
  });

  it.each([
    ["AAPL.US", "AAPL"],
    [" aapl ", "AAPL"],
    ["$AAPL", "AAPL"],
    ["NASDAQ:AAPL", "AAPL"],
    ["BRK/B", "BRK.B"],
    ["BRK B", "BRK.B"],
    ["BRK-B", "BRK.B"],
    ["ABR-PD", "ABR-PD"],
    ["ABR.PRD", "ABR-PD"],
    ["BTC/USD", "BTC-USD"],
    ["BTCUSDT", "BTC-USD"],
    ["BTC", "BTC"],
  ])("has the symbol %j as %s", (symbol, expected) => {
    expect(readOne({ symbol, quantity: 1 })).toMatchObject({ symbol: expected });
  });

  it("is a closed position with a quantity of 0", () => {
    expect(readOne({ symbol: "KO", quantity: -0, market_value: 0, cost_basis: 100 })).toMatchObject({
      quantity: "0",
      price: null,
      averagePrice: null,
    });
  });

  it("has no price where the broker writes 0 or nothing", () => {
    expect(readOne({ ...MSFT, price: "0.00", average_price: "N/A", stop_loss: "" })).toMatchObject({
      price: null,
      averagePrice: null,
      stopLoss: null,
    });
  });

  it("has the price of a share, divided from the value and the cost of all", () => {
    expect(readOne({ symbol: "KO", quantity: 3, market_value: 200, cost_basis: "$100.00" })).toMatchObject({
      price: "66.666666666",
      averagePrice: "33.333333333",
    });
  });

  it("is quoted by at most 20 visible characters", () => {
    const quantity = `\u001b[31m"ignore"\u202e\nall rules ${"x".repeat(10_000)}`;
    expect(readOne({ symbol: "MSFT", quantity })).toBe(`the quantity "'ignore' all rules…" is not a number`);
  });
});

describe("a row of orders", () => {
  const BUY = { symbol: "MSFT", side: "buy" };
  it.each<[string, Fields]>([
    ["it has no symbol", { side: "buy", quantity: 1 }],
    ["it has no side", { symbol: "MSFT", quantity: 1 }],
    ['the side "hold" is not buy or sell', { symbol: "MSFT", side: "hold", quantity: 1 }],
    ["two fields name opposite sides", { ...BUY, action: "SELL", quantity: 1 }],
    ["it has no quantity", BUY],
    ["its quantity is 0", { ...BUY, quantity: 0 }],
    ["its side is buy and its quantity below 0", { ...BUY, quantity: -1 }],
    ["more is filled than was ordered", { ...BUY, quantity: 1, filled_qty: 2 }],
    ["its quantities do not add up", { ...BUY, quantity: 5, filled_qty: 2, remaining_quantity: 5 }],
    ["the limit price is below 0", { ...BUY, quantity: 1, limit_price: -1 }],
  ])("is unreadable: %s", (why, row) => {
    expect(readSnapshot({ open_orders: [{}, row] }).unreadable[1]).toEqual({
      list: "open_orders",
      row: 2,
      why,
    });
  });

  it("is unreadable as a fill without a clear time", () => {
    const recent_trades = [
      { ...BUY, quantity: 1, at: "05/12/2026" },
      { symbol: "MSFT", action: "Dividend", quantity: 1 },
    ];
    expect(readSnapshot({ recent_trades })).toMatchObject({
      fills: [],
      unreadable: [
        { list: "recent_trades", row: 1, why: 'the time "05/12/2026" is not clear: send it in ISO 8601' },
        { list: "recent_trades", row: 2, why: 'the side "Dividend" is not buy or sell' },
      ],
    });
  });
});

describe("a value of a broker", () => {
  it.each<[unknown, string | null]>([
    [0.30000000000000004, "0.3"],
    ["0.30000000000000004", "0.3"],
    ["$1,234.50", "1234.5"],
    ["(12.5)", "-12.5"],
    ["123456789.123456789", "123456789.123456789"],
    ["0.1234567891234", "0.123456789"],
    [-0, "0"],
    [-1e-12, "0"],
    [999_999_999_999_999, "999999999999999"],
    [1e15, null],
    ["1e99", null],
    [Number.NaN, null],
    ["NaN", null],
    ["Infinity", null],
    ["", null],
    ["5%", null],
    [null, null],
    [[1], null],
  ])("%j is the amount %j", (value, expected) => {
    expect(readAmount(value)).toBe(expected);
  });

  it.each<[unknown, string | null]>([
    ["2026-05-29T15:00:00Z", "2026-05-29T15:00:00.000Z"],
    ["2026-05-29T11:00:00-04:00", "2026-05-29T15:00:00.000Z"],
    ["2026-05-29 15:00", "2026-05-29T15:00:00.000Z"],
    ["2026-05-29", "2026-05-29T00:00:00.000Z"],
    [1_780_066_800, "2026-05-29T15:00:00.000Z"],
    [1_780_066_800_000, "2026-05-29T15:00:00.000Z"],
    ["1780066800", "2026-05-29T15:00:00.000Z"],
    ["2026-02-30", null],
    ["yesterday", null],
    ["3 days ago", null],
    [12, null],
    [Number.NaN, null],
    [true, null],
  ])("%j is the time %j", (value, expected) => {
    expect(readMoment(value)).toBe(expected === null ? null : Date.parse(expected));
  });
});

const NAMES = (
  ["symbol", "quantity", "side", "price", "currency", "type", "status", "strike", "at"] as const
).flatMap((field) => namesOfField(field).slice(0, 4));
const name = fc.oneof(fc.constantFrom(...NAMES.map((one) => one.replaceAll(" ", "_"))), fc.string());
const text = fc.constantFrom(
  "AAPL",
  "USD",
  "BTC/USD",
  "long",
  "sell",
  "filled",
  "12.5",
  "-3",
  "EUR",
  "",
  "1e400",
);
const scalar = fc.oneof(text, fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null));
const row = fc.dictionary(name, fc.oneof(scalar, fc.dictionary(name, scalar), fc.array(scalar)), {
  maxKeys: 12,
});
const rows = fc.array(row, { maxLength: 20 });

describe("any rows", () => {
  it("are each a holding, cash, or named as unreadable", () => {
    fc.assert(
      fc.property(rows, (positions) => {
        const { holdings, unreadable } = readSnapshot({ positions });
        const cash = positions.filter((one) => {
          const alone = readSnapshot({ positions: [one] });
          return alone.holdings?.length === 0 && alone.unreadable.length === 0;
        }).length;
        expect(holdings!.length + unreadable.length + cash).toBe(positions.length);
        for (const { quantity, price } of holdings!) {
          expect(Amount.safeParse(quantity).success).toBe(true);
          if (price !== null) expect(Number(price)).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("never throw as orders, fills, account and quote", () => {
    fc.assert(
      fc.property(rows, row, row, (list, account, quote) => {
        const { working, fills } = readSnapshot({ open_orders: list, recent_trades: list, account, quote });
        expect(working!.length + fills!.length).toBeLessThanOrEqual(2 * list.length);
      }),
      { numRuns: 300 },
    );
  });

  it("that are no objects are unreadable", () => {
    const positions = [null, "AAPL", 1, []] as unknown as object[] as [];
    expect(readSnapshot({ positions }).unreadable.map(({ why }) => why)).toEqual(
      new Array(4).fill("it has no symbol"),
    );
  });
});
