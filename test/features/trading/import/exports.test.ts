import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePositions } from "../../../../src/features/trading/import/positions.ts";
import { ToolError } from "../../../../src/kernel/errors.ts";
import { decimal } from "../../../../src/lib/decimal.ts";
import { createDirectory } from "../../../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../../../src/market/symbols/listings.ts";
import { EXPORTS, TRANSACTIONS } from "../../../support/broker-exports.ts";

const listings = embeddedListings();
const symbols = createDirectory({
  listings,
  members: [...listings.us.values(), ...listings.tokens.values()].map(({ instrument }) => instrument),
});

async function read(csv: string) {
  const { source, positions, refused, ignored } = await parsePositions(csv, symbols);
  return {
    source,
    ignored,
    positions: positions.map(
      ({ lines, symbol, quantity, averagePrice }) =>
        `${lines.join()}: ${symbol} ${quantity} at ${averagePrice}`,
    ),
    refused: refused.map(({ line, kind }) => `${line}: ${kind}`),
    notes: positions.flatMap(({ notes }) => notes),
    reasons: refused.map(({ why }) => why),
  };
}

const RIGHT: readonly (readonly [keyof typeof EXPORTS, string, readonly string[], readonly string[]])[] = [
  [
    "Schwab, two accounts with a header each",
    "Schwab positions",
    ["5: SPY 4 at 400", "4: AAPL 10 at 150.25", "15: MSFT 5 at 300", "6: BTC.US 4 at 30"],
    ["7: fund", "8: fund", "9: option", "10: bond", "11: cash"],
  ],
  [
    "E*Trade, with a summary above and a date below",
    "E*Trade portfolio",
    ["8: AAPL 10 at 150.25", "9: BTC.US 10 at 30.25"],
    ["10: option", "11: fund", "12: cash"],
  ],
  [
    "E*Trade, with lots below a position",
    "E*Trade portfolio",
    ["2: AAPL 10 at 150.25"],
    ["3: lot", "4: lot"],
  ],
  [
    "Fidelity, with coins and shorts",
    "Fidelity positions",
    [
      "2: BTC-USD 0.5 at 50000",
      "4: AAPL -5 at 150",
      "6: JEPI 5 at 50",
      "7: QYLD 5 at 50",
      "3: BTC.US 5 at 30",
    ],
    ["5: fund"],
  ],
  [
    "Interactive Brokers Flex query, positions and trades",
    "Interactive Brokers Flex query",
    ["2: AAPL 40 at 150.25", "11: BTC-USD 0.1 at 50000", "8: SPY -3 at 480"],
    ["3: lot", "4: lot", "5: option", "6: future", "7: currency", "9: cash", "10: fund", "13: trade"],
  ],
  [
    "Interactive Brokers Flex query, lots alone",
    "Interactive Brokers Flex query",
    ["2,3: AAPL 40 at 150.25"],
    [],
  ],
  [
    "Interactive Brokers Flex query, with record types",
    "Interactive Brokers Flex query",
    ["5: AAPL 40 at 150.25"],
    ["6: option", "10: trade"],
  ],
  [
    "Ghostfolio holdings",
    "Ghostfolio holdings",
    ["4: BTC-USD 0.5 at 50000", "2: AAPL 10 at 150.25", "6: SPY 2 at 450", "7: TLT 2 at 90"],
    ["3: fund", "5: cash"],
  ],
  ["Trading 212 pie", "Trading 212 pie", [], ["2: currency"]],
  [
    "Kraken balances",
    "Table of positions",
    ["2: BTC-USD 0.5 at 60000", "3: ETH-USD 2 at 3000", "6: DOGE-USD 100 at 0.2"],
    ["4: cash", "5: unknown_symbol"],
  ],
];

describe("an export of a broker", () => {
  it("is covered here by every example", () => {
    expect(RIGHT.map(([name]) => name).sort()).toEqual(Object.keys(EXPORTS).sort());
  });

  it.each(RIGHT)("is read row by row: %s", async (name, source, positions, refused) => {
    expect(await read(EXPORTS[name])).toMatchObject({ source, positions, refused });
  });

  it.each(Object.entries(TRANSACTIONS))("is refused if it lists transactions: %s", async (name, csv) => {
    const start = name === "The table" ? name : `${name}: the table`;
    await expect(read(csv)).rejects.toThrow(`${start} lists transactions, not positions; found: `);
  });

  it("takes no executed trade for a position, whatever column says that it was one", async () => {
    for (const csv of [
      "Date,Symbol,Side,Quantity,Average Price\n2026-01-12,AAPL,Buy,10,150\n",
      "Symbol,Action,Quantity,Avg Price\nAAPL,Sell,10,150\n",
      "Symbol,Type,Quantity,Avg Price,Order ID\nAAPL,Buy,10,150,o1\n",
    ])
      await expect(read(csv)).rejects.toThrow("lists transactions, not positions");
    const journal =
      "Symbol,Side,Quantity,Entry Price,Exit Price,Exit Date,Status\nAAPL,long,10,150,160,2026-01-13,\nMSFT,long,5,300,,,closed\nTSLA,short,5,300,,,open\nNVDA,long,1,1,,,filled\nAMD,long,1,1,,,working\n";
    expect(await read(journal)).toMatchObject({
      positions: ["4: TSLA -5 at 300"],
      refused: ["2: closed_lot", "3: closed_lot", "5: trade", "6: pending"],
    });
  });
});

describe("a row", () => {
  const one = async (header: string, row: string) => {
    const { positions, refused } = await read(`symbol,quantity,average price,${header}\n${row}\n`);
    return [...positions, ...refused].join("; ");
  };

  it.each([
    ["asset class", "AAPL,2,5,OPT", "option"],
    ["asset class", "AAPL,2,5,Stock Options", "option"],
    ["asset class", "AAPL,2,5,Single Stock Future", "future"],
    ["asset class", "AAPL,2,5,CFD", "contract"],
    ["asset class", "AAPL,2,5,Warrants", "contract"],
    ["asset class", "AAPL,2,5,Fixed Income", "bond"],
    ["asset class", "VTSAX,2,5,", "fund"],
    ["asset class", "SPY,2,5,Mutual Fund", "fund"],
    ["asset class", "AAPL,2,5,Forex", "cash"],
    ["asset class", "AAPL,2,5,Precious Metals", "other_asset"],
    ["asset class", "AAPL,2,5,Widget", "other_asset"],
    ["asset class", "AAPL,2,5,Crypto", "class_conflict"],
    ["asset class", "SOL,2,5,Stock", "class_conflict"],
    ["type", "AAPL,2,5,Put", "option"],
    ["strike", "AAPL,2,5,200", "option"],
    ["put/call", "AAPL,2,5,P", "option"],
    ["expiry", "AAPL,2,5,2026-12-18", "future"],
    ["coupon", "AAPL,2,5,4.25", "bond"],
    ["underlying", "AAPL1,2,5,AAPL", "contract"],
    ["multiplier", "AAPL,2,5,100", "multiplier"],
    ["leverage", "BTCUSDT,2,5,10x", "future"],
    ["description", "AAPL,2,5,CALL APPLE INC $200 EXP 12/18/26", "option"],
    ["description", "XYZ1,2,5,UNITED STATES TREASURY BILL", "bond"],
    ["description", "USD,2,1,US Dollar", "cash"],
    ["note", "AAPL  261218C00200000,2,5,", "option"],
    ["note", "AAPL 18DEC26 200 C,2,5,", "option"],
    ["note", ".AAPL261218P200.5,2,5,", "option"],
    ["note", "BTC-27JUN26-50000-C,2,5,", "option"],
    ["note", "/ESZ6,2,5,", "future"],
    ["note", "ESZ6,2,5,", "future"],
    ["note", "ETH-PERP,2,5,", "future"],
    ["note", "ETH/USDT:USDT,2,5,", "future"],
    ["note", "EUR,2,1,", "cash"],
    ["note", "USD,2,80,", "cash"],
    ["note", "Cash & Cash Investments,2,1,", "cash"],
    ["note", "SPAXX**,2,1,", "fund"],
    ["note", "912797AB1,2,1,", "unknown_symbol"],
    ["note", "SPX,2,1,", "unknown_symbol"],
    ["note", "GOLD,2,1,", "unknown_symbol"],
    ["note", "LINK,2,1,", "ambiguous_symbol"],
    ["description", "BTC,2,30,GRAYSCALE BITCOIN MINI TR", "ambiguous_symbol"],
    ["status", "AAPL,2,5,Closed", "closed_lot"],
    ["date sold", "AAPL,2,5,2026-01-02", "closed_lot"],
    ["level of detail", "AAPL,2,5,CLOSED_LOT", "closed_lot"],
    ["level of detail", "AAPL,2,5,EXECUTION", "trade"],
    ["side", "AAPL,2,5,Sell to Close", "trade"],
    ["side", "AAPL,2,5,Lang", "side"],
    ["side", "AAPL,-2,5,Long", "side"],
    ["market value", "AAPL,2,5,-10", "side"],
    ["currency", "AAPL,2,5,GBX", "currency"],
    ["currency", "AAPL,2,5,GBp", "currency"],
    ["base currency", "AAPL,2,5,EUR", "currency"],
    ["note", "AAPL,2,€5,", "currency"],
    ["note", "AAPL,2,C$5,", "currency"],
    ["note", "AAPL,2,75p,", "currency"],
    ["exchange", "SHOP,2,5,TSX", "listing"],
    ["status", "AAPL,2,5,Pending", "pending"],
    ["note", "Pending Activity,2,5,", "pending"],
  ])("is refused by its column %s: %s", async (header, row, kind) => {
    expect(await one(header, row)).toBe(`2: ${kind}`);
  });

  it.each([
    ["asset class", "LINK,2,5,Crypto", "LINK-USD 2 at 5"],
    ["asset class", "LINK,2,5,STK", "LINK 2 at 5"],
    ["asset class", "BTC,2,5,ETF", "BTC.US 2 at 5"],
    ["asset class", "USD,2,80,ETF", "USD 2 at 80"],
    ["asset class", "SPY,2,5,ETFs & Closed End Funds", "SPY 2 at 5"],
    ["asset class", "SPY,2,5,Fund", "SPY 2 at 5"],
    ["asset class", "AAPL,2,5,Large Cap Growth", "AAPL 2 at 5"],
    ["description", "BTC,2,30,GRAYSCALE BITCOIN MINI TRUST", "BTC.US 2 at 30"],
    ["description", "BTC,2,5,Bitcoin (BTC)", "BTC-USD 2 at 5"],
    ["description", "QYLD,2,5,GLOBAL X NASDAQ 100 COVERED CALL ETF", "QYLD 2 at 5"],
    ["strike", "AAPL,2,5,--", "AAPL 2 at 5"],
    ["multiplier", "AAPL,2,5,1.00", "AAPL 2 at 5"],
    ["underlying", "AAPL,2,5,AAPL", "AAPL 2 at 5"],
    ["side", "AAPL,2,5,Sell", "AAPL -2 at 5"],
    ["side", "AAPL,2,5,SELL_SHORT", "AAPL -2 at 5"],
    ["side", "AAPL,2,5,S", "AAPL -2 at 5"],
    ["side", "AAPL,-2,5,BOTH", "AAPL -2 at 5"],
    ["type", "AAPL,2,5,Short", "AAPL -2 at 5"],
    ["type", "AAPL,2,5,Short Stock", "AAPL -2 at 5"],
    ["position", "AAPL,2,5,Short", "AAPL -2 at 5"],
    ["b/s", "AAPL,2,5,S", "AAPL -2 at 5"],
    ["market value", "AAPL,-2,5,-10", "AAPL -2 at 5"],
    ["type", "AAPL,2,5,Cash", "AAPL 2 at 5"],
    ["currency", "AAPL,2,5,US Dollar", "AAPL 2 at 5"],
    ["note", "AAPL_US_EQ,2,5,", "AAPL 2 at 5"],
    ["note", "XXBT,2,5,", "BTC-USD 2 at 5"],
    ["note", "BTC/USD,2,5,", "BTC-USD 2 at 5"],
    ["note", "BRK/B,2,5,", "BRK.B 2 at 5"],
    ["note", "AAPL,0.30000000000000004,5,", "AAPL 0.3 at 5"],
    ["note", "AAPL,0.29999999999999998,5,", "AAPL 0.3 at 5"],
  ])("is a position by its column %s: %s", async (header, row, position) => {
    expect(await one(header, row)).toBe(`2: ${position}`);
  });

  it("is read under the heading or currency above it", async () => {
    const csv =
      "Symbol,Quantity,Average Price\nStocks\nAAPL,10,150\nOptions\nMSFT,2,5\nETFs\nQQQ,3,400\nCAD\nSHOP,20,120\nUSD\nNVDA,1,1\n";
    expect(await read(csv)).toMatchObject({
      positions: ["3: AAPL 10 at 150", "7: QQQ 3 at 400", "11: NVDA 1 at 1"],
      refused: ["5: option", "9: currency"],
      ignored: [2, 4, 6, 8, 10],
    });
    expect((await read("Currency: EUR\nSymbol,Quantity,Average Price\nAAPL,1,1\n")).refused).toEqual([
      "3: currency",
    ]);
    expect((await read("Symbol,Quantity,Average Price (GBP)\nAAPL,1,1\n")).reasons).toEqual([
      "The currency is not the US dollar but GBP",
    ]);
    expect((await read("Symbol,Quantity,Cost (EUR),Cost (USD)\nAAPL,2,1,3\n")).positions).toEqual([
      "2: AAPL 2 at 1.5",
    ]);
  });

  it("is a lot if a row without a date has the quantity of all rows with one", async () => {
    const head = "Symbol,Date Acquired,Quantity,Average Cost\n";
    expect(
      await read(`${head}AAPL,,40,150.25\nAAPL,2025-02-10,25,148\nAAPL,2026-01-12,15,154\n`),
    ).toMatchObject({
      positions: ["2: AAPL 40 at 150.25"],
      refused: ["3: lot", "4: lot"],
    });
    expect((await read(`${head}AAPL,,10,100\nAAPL,2025-02-10,30,200\n`)).positions).toEqual([
      "2,3: AAPL 40 at 175",
    ]);
  });

  it("has its cost per unit if that is what the prices of the file say", async () => {
    const head = "Symbol,Quantity,Cost,Last Price\n";
    expect(await read(`${head}AAPL,10,150.25,200\nMSFT,5,300,400\n`)).toMatchObject({
      positions: ["2: AAPL 10 at 150.25", "3: MSFT 5 at 300"],
      notes: Array(2).fill('"Cost" was read as the cost of one unit, which is near the price in the file.'),
    });
    expect(await read(`${head}AAPL,10,1502.5,200\nMSFT,5,300,400\n`)).toMatchObject({
      positions: ["2: AAPL 10 at 150.25", "3: MSFT 5 at 60"],
      notes: [],
    });
  });
});

describe("a cost of a position or of one unit", () => {
  const undecided = async (csv: string) =>
    (await parsePositions(csv, symbols)).positions.map(({ averagePrice, undecided }) => [
      averagePrice,
      undecided?.map(({ line }) => line),
    ]);

  it.each([
    ["Symbol,Quantity,Cost\nAAPL,10,1502.5\n"],
    ["Symbol,Quantity,Cost Basis\nAAPL,10,1502.5\n"],
    ["Symbol,Quantity,Book Cost,Price\nAAPL,10,1502.5,n/a\n"],
  ])("is undecided where nothing in the file decides: %s", async (csv) => {
    expect(await undecided(csv)).toEqual([["150.25", [2]]]);
  });

  it("is undecided at a price between both readings", async () => {
    expect(await undecided("Symbol,Quantity,Cost,Price\nAAPL,2,300.5,200\n")).toEqual([["150.25", [2]]]);
  });

  it.each([
    ["of a known export", "Positions for account 1\n\nSymbol,Quantity,Cost Basis\nAAPL,10,1502.5\n"],
    ["beside an average price", "Symbol,Quantity,Average Price,Cost\nAAPL,10,,1502.5\n"],
    ["beside a value", "Symbol,Quantity,Cost,Value\nAAPL,10,1502.5,1600\n"],
    ["of one unit held", "Symbol,Quantity,Cost\nAAPL,1,150.25\n"],
    ["that is named as a total", "Symbol,Quantity,Invested\nAAPL,10,1502.5\n"],
  ])("is clear %s", async (_, csv) => {
    expect(await undecided(csv)).toEqual([["150.25", undefined]]);
  });
});

describe("any text", () => {
  const cell = fc.oneof(
    fc.constantFrom(
      "AAPL",
      "BTC-USD",
      "10",
      "-3",
      '"',
      "",
      "Option",
      "Header",
      "Data",
      "Symbol",
      "Quantity",
      "Total",
    ),
    fc.constantFrom(
      "Average Price",
      "Side",
      "Sell",
      "2026-01-02",
      "Date",
      "Action",
      "EUR",
      "€5",
      "HEADER",
      "DATA",
    ),
    fc.string({ maxLength: 12 }),
  );
  const text = fc
    .array(fc.array(cell, { maxLength: 6 }), { maxLength: 15 })
    .chain((rows) => fc.constantFrom(",", ";", "\t").map((by) => rows.map((row) => row.join(by)).join("\n")));

  it("is read, or refused with a reason", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (body, hasHeader) => {
        try {
          await read(hasHeader ? `Symbol,Quantity,Average Price\n${body}` : body);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(ToolError);
          expect(thrown).toMatchObject({ code: "INVALID_INPUT" });
        }
      }),
      { numRuns: 500 },
    );
  });

  it("adds up to the quantities of its accepted rows", async () => {
    const row = fc.record({
      symbol: fc.constantFrom("AAPL", "MSFT", "BTC-USD"),
      quantity: fc.integer({ min: 1, max: 1_000_000 }),
      assetClass: fc.constantFrom("", "Option", "Future", "Cash"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
        const lines = rows.map(
          ({ symbol, quantity, assetClass }) => `${symbol},${quantity / 1_000},1,${assetClass}`,
        );
        const { positions } = await parsePositions(
          ["Symbol,Quantity,Average Price,Asset Class", ...lines].join("\n"),
          symbols,
        );
        const accepted = rows.filter(({ assetClass }) => assetClass === "");
        const sum = positions.reduce((total, { quantity }) => total.plus(quantity), decimal(0));
        const thousandths = accepted.reduce((total, { quantity }) => total + quantity, 0);
        expect(sum.times(1_000).toFixed()).toBe(String(thousandths));
        expect(positions.flatMap((position) => position.lines).length).toBe(accepted.length);
      }),
      { numRuns: 200 },
    );
  });
});
