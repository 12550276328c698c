import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import tables from "../../../src/market/symbols/listings.json" with { type: "json" };
import { embeddedListings, tickerOf, unlisted } from "../../../src/market/symbols/listings.ts";
import { describeWithData } from "../../support/test-data.ts";

const { us, tokens } = embeddedListings();
const stocks = [...us.values()].filter(({ instrument }) => instrument.asset_class === "equity");
const funds = [...us.values()].filter(({ instrument }) => instrument.asset_class === "etf");

const GICS = [
  "Communication Services",
  "Consumer Discretionary",
  "Consumer Staples",
  "Energy",
  "Financials",
  "Health Care",
  "Industrials",
  "Information Technology",
  "Materials",
  "Real Estate",
  "Utilities",
];

/** Tickers of the data file as written, so that duplicates which a map would merge still count. */
const tickersOf = (rows: readonly string[]) => rows.map((row) => row.split("|")[0]!.replace("*", ""));
const rows = {
  us: tickersOf([
    ...Object.values(tables.sectors).flat(),
    ...tables.closedEndFunds,
    ...tables.exchangeTradedFunds,
  ]),
  tokens: tickersOf(tables.tokens),
};

describe("the embedded table", () => {
  test("holds at least 500 US listings, 80 of them funds, and 60 tokens", () => {
    expect(us.size).toBeGreaterThanOrEqual(500);
    expect(funds.length).toBeGreaterThanOrEqual(80);
    expect(tokens.size).toBeGreaterThanOrEqual(60);
  });

  test("names nothing twice", () => {
    expect(rows.us.filter((key, i) => rows.us.indexOf(key) !== i)).toEqual([]);
    expect(rows.us).toHaveLength(us.size);
    expect(rows.tokens).toHaveLength(tokens.size);
    const all = [...us.values(), ...tokens.values()];
    expect(new Set(all.map(({ instrument }) => instrument.symbol)).size).toBe(all.length);
  });

  test("gives every name, however it is spaced and pointed, to one instrument only", () => {
    const bearers = new Map<string, Set<string>>();
    for (const { instrument, aliases } of [...us.values(), ...tokens.values()])
      for (const name of [instrument.name, ...aliases]) {
        const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
        bearers.set(plain, (bearers.get(plain) ?? new Set()).add(instrument.symbol));
      }
    expect([...bearers].filter(([, symbols]) => symbols.size > 1)).toEqual([]);
  });

  test("gives every name and alias to one instrument only", () => {
    const all = [...us.values(), ...tokens.values()];
    const names = all.flatMap(({ instrument, aliases }) => [
      ...new Set([instrument.name.toLowerCase(), ...aliases]),
    ]);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  test("writes every row whole: ticker, name, lower-case aliases", () => {
    for (const { instrument, ticker, aliases } of [...us.values(), ...tokens.values()]) {
      expect(ticker).toMatch(/^[A-Z0-9]+(\.[A-Z])?$/);
      expect(instrument.name).toMatch(/^\S.*\S$|^\S$/);
      for (const alias of aliases) expect(alias).toMatch(/^[^A-Z\s][^A-Z]+$/);
      expect(instrument.currency).toBe("USD");
    }
  });

  test("puts stocks in the eleven GICS sectors, and funds and tokens in none", () => {
    expect([...new Set(stocks.flatMap(({ instrument }) => instrument.sector ?? []))].sort()).toEqual(GICS);
    const without = stocks.filter(({ instrument }) => instrument.sector === null);
    expect(without.map(({ ticker }) => ticker)).toEqual(["EOS", "LEO", "BGB", "ENJ"]);
    for (const { instrument } of [...funds, ...tokens.values()]) expect(instrument.sector).toBeNull();
  });

  test("writes a fund that shares its ticker with a major token apart from it", () => {
    const apart = funds.filter(({ instrument, ticker }) => instrument.symbol !== ticker);
    expect(apart.map(({ instrument }) => instrument.symbol).sort()).toEqual([
      "BTC.US",
      "ETH.US",
      "NEAR.US",
      "XRP.US",
    ]);
    expect(apart.map(({ instrument }) => tickerOf(instrument)).sort()).toEqual(["BTC", "ETH", "NEAR", "XRP"]);
  });
});

test("an unlisted instrument is listed by its ticker and ranks last", () => {
  const instrument = {
    symbol: "ZZZQ-USD",
    name: "ZZZQ",
    asset_class: "crypto",
    sector: null,
    currency: "USD",
  } as const;
  expect(unlisted(instrument)).toMatchObject({ instrument, ticker: "ZZZQ", aliases: [], major: false });
});

describeWithData("the embedded table against public lists", ["universe"], (folder) => {
  const lines = (file: string) => readFileSync(`${folder}/${file}`, "utf8").trim().split(/\r?\n/);
  const traded = new Map(
    lines("nasdaqtraded_2026-05-12.txt")
      .map((line) => line.split("|"))
      .filter((cells) => cells.length > 8)
      .map((cells) => [cells[1]!, cells[5] === "Y" ? "etf" : "equity"]),
  );
  const sp500 = new Map(
    lines("sp500_constituents.csv")
      .slice(1)
      .map((line) => line.match(/^([^,]+),(?:"[^"]*"|[^,]*),([^,]+),/)!)
      .map((cells) => [cells[1]!, cells[2]!]),
  );
  // spun off or renamed after the list of May; members of the later S&P 500 list
  const since = ["BNY", "ECHO", "FDXF", "HONA"];

  test("holds only tickers that exchanges list, under the right kind", () => {
    const stray = [...us.values()].filter(
      ({ ticker, instrument }) => traded.get(ticker) !== instrument.asset_class,
    );
    expect(stray.map(({ ticker }) => ticker).sort()).toEqual(since);
    for (const ticker of since) expect([...sp500.keys()]).toContain(ticker);
  });

  test("holds every member of the S&P 500 under its sector", () => {
    expect(sp500.size).toBe(503);
    for (const [ticker, sector] of sp500)
      expect([ticker, us.get(ticker)?.instrument.sector]).toEqual([ticker, sector]);
  });

  test("knows the US listing behind every token's ticker, so that none is passed over", () => {
    expect([...tokens.keys()].filter((base) => traded.has(base) && !us.has(base))).toEqual([]);
  });
});
