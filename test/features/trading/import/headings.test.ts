import { describe, expect, it } from "vitest";
import { isHeadingText, meaningOf } from "../../../../src/features/trading/import/headings.ts";
import { parsePositions } from "../../../../src/features/trading/import/positions.ts";
import { smallMarket } from "../../../support/market.ts";

const { symbols } = smallMarket().ports;
const HEADER = "Symbol,Quantity,Average Price";
/** Returns what is imported and what is refused: `AAPL 10`, `5: option`. */
async function read(...lines: readonly string[]) {
  const { positions, refused } = await parsePositions(lines.join("\n"), symbols);
  return [
    ...positions.map(({ symbol, quantity }) => `${symbol} ${quantity}`),
    ...refused.map(({ line, kind }) => `${line}: ${kind}`),
  ];
}

describe("a heading", () => {
  it.each([
    ["Options", "option"],
    ["Equity Options:", "option"],
    ["Mutual Funds", "fund"],
    ["Closed Positions", "closed_lot"],
    ["Pending Orders", "pending"],
    ["Open orders", "pending"],
    ["Recent Transactions", "trade"],
    ["My Watchlist", "watched"],
  ])("%s refuses the rows of the table below it as %s", async (heading, kind) => {
    expect(await read("Stocks", HEADER, "AAPL,10,150", heading, HEADER, "MSFT,5,3")).toEqual([
      "AAPL 10",
      `6: ${kind}`,
    ]);
    expect(await read(HEADER, "AAPL,10,150", "", heading, "MSFT,5,3")).toEqual(["AAPL 10", `5: ${kind}`]);
  });

  it("ends at the next one, and at a header without one", async () => {
    expect(await read(HEADER, "Options", "MSFT,5,3", "Stocks", "AAPL,10,150")).toEqual([
      "AAPL 10",
      "3: option",
    ]);
    expect(await read("Options", HEADER, "MSFT,5,3", "", HEADER, "AAPL,10,150")).toEqual([
      "AAPL 10",
      "3: option",
    ]);
  });

  it("gives rows without a side their side", async () => {
    expect(
      await read("Long Positions", HEADER, "AAPL,10,150", "Short Positions", HEADER, "MSFT,5,300"),
    ).toEqual(["AAPL 10", "MSFT -5"]);
  });

  it("is a few words on a class, a state or a side, and no name or figure", () => {
    for (const text of ["Stocks", "My open positions", "ETFs & funds", "Short"])
      expect(isHeadingText(text), text).toBe(true);
    for (const text of ["Apple Inc", "AAPL", "10", "Options trading is risky and may lose more than paid"])
      expect(isHeadingText(text), text).toBe(false);
    expect(meaningOf("Equity Options")).toEqual({});
  });
});

describe("a row", () => {
  it.each(["Total", "All accounts", "Sub-total", "Combined"])(
    "of the account %s adds up others",
    async (account) => {
      expect(await read(`Account,${HEADER}`, "IRA,AAPL,10,150", `${account},AAPL,10,150`)).toEqual([
        "AAPL 10",
      ]);
    },
  );

  it.each([
    ["Exchange", "London Stock Exchange"],
    ["Exchange", "Tokyo"],
    ["Exchange", "TSX"],
    ["Country", "Canada"],
  ])("with the %s %s is a listing outside the US", async (column, value) => {
    expect(await read(`${HEADER},${column}`, `AAPL,10,150,${value}`)).toEqual(["2: listing"]);
  });

  it("of a foreign company with its currency, or of a US exchange, is imported", async () => {
    expect(await read(`${HEADER},Country,Currency`, "AAPL,10,150,Ireland,USD")).toEqual(["AAPL 10"]);
    expect(await read(`${HEADER},Exchange,Country`, "AAPL,10,150,NASDAQ,United States")).toEqual(["AAPL 10"]);
  });

  it.each([
    "AAPL 01/16/26 P400",
    "AAPL 16JAN26 400 P",
    "AAPL 2026-01-16 $200 C",
    "AAPL $100 Put 1/16",
    "Apple Iron Condor",
    "Apple call spread",
  ])("described as %s is an option", async (description) => {
    expect(await read(`${HEADER},Description`, `AAPL,10,150,${description}`)).toEqual(["2: option"]);
  });

  it.each(["Global X Covered Call ETF", "WisdomTree PutWrite Strategy", "Spread Eagle 2026 C Class"])(
    "described as %s is none",
    async (description) => {
      expect(await read(`${HEADER},Description`, `AAPL,10,150,${description}`)).toEqual(["AAPL 10"]);
    },
  );

  it("of a short account needs a side, and a preferred share is none of the common stock", async () => {
    expect(await read(`${HEADER},Account Type`, "AAPL,10,150,Margin", "MSFT,5,300,Short")).toEqual([
      "AAPL 10",
      "3: side",
    ]);
    expect(await read(`${HEADER},Asset Type`, "AAPL,10,150,Preferred")).toEqual(["2: other_asset"]);
  });
});
