import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePositions } from "../../../../src/features/trading/import/positions.ts";
import { csvRecords, linesOf } from "../../../../src/lib/csv-records.ts";
import { decimal, truncated } from "../../../../src/lib/decimal.ts";
import { smallMarket } from "../../../support/market.ts";

const { symbols } = smallMarket().ports;
const read = (csv: string) => parsePositions(csv, symbols);
const one = (symbol: string, quantity: string, averagePrice: string, ...lines: number[]) => ({
  symbol,
  assetClass: symbol.endsWith("-USD") ? "crypto" : "equity",
  quantity,
  averagePrice,
  lines,
  notes: [],
});

describe("positions from a CSV", () => {
  it("are read by their headers, in any order and case", async () => {
    const csv = "Average Price,TICKER,Name,Qty\r\n150.25,AAPL,Apple,10\r\n50000,BTC-USD,Bitcoin,0.5\r\n";
    expect(await read(csv)).toEqual({
      source: "Table of positions",
      ignored: [],
      positions: [one("BTC-USD", "0.5", "50000", 3), one("AAPL", "10", "150.25", 2)],
      refused: [],
    });
  });

  it("keep their line numbers among empty lines, which are not counted as rows", async () => {
    const empty = "\n,,\n  \n".repeat(5_000);
    const csv = `${empty}Symbol,Quantity,Average Price\n${empty}AAPL,10,150.25\nNO SUCH,1,1\n${empty}`;
    const { positions, refused } = await read(csv);
    expect(positions).toEqual([one("AAPL", "10", "150.25", 30_002)]);
    expect(refused.map(({ line }) => line)).toEqual([30_003]);
  });

  it.each([
    ["Symbol,Quantity,Average Cost Basis", "AAPL,10,$150.25"],
    ["Symbol,Description,Quantity,Cost Basis Total", 'AAPL,"APPLE, INC",10,"$1,502.50"'],
    ['"Symbol","Qty (Quantity)","Cost/Share"', '"AAPL","10","$150.25"'],
    ["symbol,qty,avg_entry_price", "AAPL,10,150.25"],
    ["Instrument;Position;Avg Price", "AAPL;10;150,25"],
    ["\ufeffsymbol\tshares\taverage cost (USD)", "AAPL\t10\t150.25"],
    ["Ticker,Shares,Cost Basis Per Share,Currency", "AAPL,10,150.25,USD"],
    ["sep=;\nSymbol;Quantity;Total Cost", "AAPL;10;1502,50"],
    [
      '"Positions for account ...123 as of 2026-01-15"\n\n"Symbol","Quantity","Cost Basis"',
      "AAPL,10,1502.50",
    ],
    ["Symbol,Quantity,Price Paid $,Last Price $", "AAPL,10,150.25,160"],
    ["Symbol,AssetClass,Quantity,MarkPrice,CostBasisPrice,CostBasisMoney", "AAPL,STK,10,160,150.25,1502.5"],
    ["Symbol,Quantity,CostBasisMoney", "AAPL,10,1502.5"],
    ["Instrument,Qty,Cost price", "AAPL,10,150.25"],
    ["symbol,quantity,average_price,total cost", "AAPL,10,n/a,1502.5"],
    ["symbol,quantity,average price", "AAPL,6,150.25\nAAPL,4,150.25"],
  ])("are read from broker exports: %s", async (head, row) => {
    const { positions, refused } = await read(`${head}\n${row}\n`);
    expect(refused).toEqual([]);
    expect(positions).toMatchObject([{ symbol: "AAPL", quantity: "10", averagePrice: "150.25" }]);
  });

  it("are refused with the headers found and accepted ones", async () => {
    const refusal = async (csv: string) => {
      try {
        return await read(csv);
      } catch (error) {
        return error;
      }
    };
    expect(
      await refusal("Account 12\nPaper,How many,What it was worth\u0007and is\nAAPL,1,2\n"),
    ).toMatchObject({
      code: "INVALID_INPUT",
      message:
        "No header line with a symbol and a quantity column; found: Paper, How many, What it was worth and is",
      hint: "The first line must name the columns, such as symbol,quantity,average_price. Accepted for the symbol: symbol, ticker, ticker symbol, instrument; for the quantity: quantity, qty, qty quantity, shares.",
    });
    expect(await refusal(`Symbol,Quantity,${"x".repeat(99)}\nAAPL,1,2\n`)).toMatchObject({
      code: "INVALID_INPUT",
      message: `No column for an average price or a total cost; found: Symbol, Quantity, ${"x".repeat(29)}…`,
      hint: "Accepted for the average price: average price, avg price, average cost, avg cost; for the total cost: total cost, cost basis total, cost basis, total cost basis.",
    });
    expect(await refusal("\n")).toMatchObject({
      message: "No header line with a symbol and a quantity column",
    });
  });

  it("are short by sign, parentheses or the side column", async () => {
    const csv = "symbol,quantity,side,average price\nAAPL,-5,,100\nMSFT,(2.5),,100\nBTC-USD,1,Short,90000\n";
    expect((await read(csv)).positions.map(({ symbol, quantity }) => [symbol, quantity])).toEqual([
      ["BTC-USD", "-1"],
      ["AAPL", "-5"],
      ["MSFT", "-2.5"],
    ]);
    expect((await read("symbol,quantity,total cost\nAAPL,-4,-400\n")).positions).toEqual([
      one("AAPL", "-4", "100", 2),
    ]);
  });

  it("merge lots at their mean price, but not long with short lots", async () => {
    const csv = "symbol,quantity,price,average price\nAAPL,1,,100\nMSFT,3,,10\nAAPL,3,,200\nAAPL,-1,,150\n";
    const { positions, refused } = await read(csv);
    expect(positions).toEqual([one("AAPL", "4", "175", 2, 4), one("MSFT", "3", "10", 3)]);
    expect(refused).toEqual([
      {
        line: 5,
        text: "AAPL,-1,,150",
        kind: "side",
        why: "AAPL is on the opposite side in a line above",
        candidates: [],
      },
    ]);
  });

  it("are rejected line by line", async () => {
    const csv = [
      "symbol,quantity,average price,currency",
      "AAPL,10,150,",
      "",
      "APPL,1,1,",
      ",1,1,",
      "MSFT,,1,",
      "MSFT,many,1,",
      "MSFT,0,1,",
      "MSFT,1,,",
      "MSFT,1,-1,",
      "MSFT,0.0000000001,1,",
      "MSFT,9999999999999999,1,",
      "MSFT,1,1,EUR",
      '"MSFT,1,1,',
      "Account Total,,$5,",
      "=HYPERLINK(1),1,1,",
    ].join("\n");
    const { positions, refused, ignored } = await read(csv);
    expect(positions).toEqual([one("AAPL", "10", "150", 2)]);
    expect(ignored).toEqual([15]);
    expect(refused.map(({ line, why }) => `${line}: ${why}`)).toEqual([
      '4: No instrument is known as "APPL"',
      "5: The symbol is missing",
      "6: The quantity is missing",
      "7: The quantity is not a number",
      "8: The quantity is 0",
      "9: Average price and total cost are both missing",
      "10: The average price is below 0",
      "11: The quantity is below a billionth of a unit",
      "12: A number is too large",
      "13: The currency is not the US dollar but EUR",
      "14: A quotation mark is not closed",
      "16: The symbol is invalid",
    ]);
    expect(refused[0]?.candidates).toContain("AAPL");
  });

  it("have at most 1e12 units and dollars", async () => {
    const lots = "AAPL,999999999999999,999999999999999\n".repeat(3);
    const { positions, refused } = await read(
      `symbol,quantity,average price\n${lots}MSFT,600000000000,1\nMSFT,600000000000,0\nBTC-USD,1000000000000,1\n`,
    );
    expect(positions).toEqual([one("BTC-USD", "1000000000000", "1", 7)]);
    expect(refused.map(({ line, why }) => `${line}: ${why}`)).toEqual(
      [2, 3, 4, 5, 6].map((line) => `${line}: The merged position exceeds a trillion units or dollars`),
    );
  });

  it("echo rejected lines sanitized and truncated", async () => {
    const { refused } = await read(
      `symbol,quantity,average price\n\u001b[31mX\u202e,1,1,${"y".repeat(200)}\nAAPL,1,1\n`,
    );
    expect(refused[0]?.text).toMatch(/^X ,1,1,y+…$/);
    expect(refused[0]?.text).toHaveLength(80);
  });

  it("need a header line, and are at most 500", async () => {
    for (const csv of ["", "AAPL,10,150\n", "symbol,price\nAAPL,1\n", "\u0000\u0001\ufffd", "quantity\n1\n"])
      await expect(read(csv)).rejects.toThrow(/No header line/);
    await expect(read(`symbol,quantity,cost\n${"AAPL,1,1\n".repeat(501)}`)).rejects.toThrow(/501 rows/);
  });

  it("resolve an ambiguous symbol by the asset class of the row", async () => {
    const head = "symbol,asset class,quantity,average price";
    expect((await read(`${head}\nLINK,Crypto,5,10\n`)).positions[0]?.symbol).toBe("LINK-USD");
    const { refused } = await read(`${head}\nLINK,,5,10\n`);
    expect(refused[0]).toMatchObject({ line: 2, why: expect.stringContaining("is ambiguous") });
  });

  it("account for every row of any text", async () => {
    const cell = fc.oneof(
      fc.constantFrom("AAPL", "MSFT", "BTC-USD", "10", "-3", "(4)", "1,000.5", "$2", '"', "", "=1", "n/a"),
      fc.string({ maxLength: 12 }),
    );
    const row = fc.array(cell, { maxLength: 5 }).map((cells) => cells.join(",").replace(/[\r\n]/g, " "));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 12 }), async (rows) => {
        const csv = ["symbol,quantity,average price", ...rows].join("\n");
        const { positions, refused, ignored } = await read(csv);
        const result = [
          ...positions.flatMap(({ lines }) => lines),
          ...refused.map(({ line }) => line),
          ...ignored,
        ];
        const said = csvRecords(linesOf(csv), ",").flatMap(({ line, text }) =>
          line === 1 || /^[\s,;"|]*$/.test(text) ? [] : [line],
        );
        expect(result.sort((a, b) => a - b)).toEqual(said);
      }),
      { numRuns: 300 },
    );
  });

  it("cost as much as their lots", async () => {
    const lot = fc.tuple(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 0, max: 100_000 }));
    await fc.assert(
      fc.asyncProperty(fc.array(lot, { minLength: 1, maxLength: 8 }), async (lots) => {
        const csv = lots.map(([units, cents]) => `AAPL,${units},${(cents / 100).toFixed(2)}`).join("\n");
        const [position] = (await read(`symbol,quantity,average price\n${csv}`)).positions;
        const units = lots.reduce((sum, [each]) => sum + each, 0);
        const cost = lots.reduce((sum, [each, cents]) => sum.plus(decimal(each).times(cents)), decimal(0));
        expect(position).toMatchObject({
          quantity: String(units),
          averagePrice: truncated(cost.div(100).div(units), 9),
        });
      }),
      { numRuns: 100 },
    );
  });
});
