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

/** Tickers of the data file as written, so that duplicates count that a map would merge. */
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
  test("contains at least 500 US listings, 80 of them funds, and 60 tokens", () => {
    expect(us.size).toBeGreaterThanOrEqual(500);
    expect(funds.length).toBeGreaterThanOrEqual(80);
    expect(tokens.size).toBeGreaterThanOrEqual(60);
  });

  test("contains no duplicates", () => {
    expect(rows.us.filter((key, i) => rows.us.indexOf(key) !== i)).toEqual([]);
    expect(rows.us).toHaveLength(us.size);
    expect(rows.tokens).toHaveLength(tokens.size);
    const all = [...us.values(), ...tokens.values()];
    expect(new Set(all.map(({ instrument }) => instrument.symbol)).size).toBe(all.length);
  });

  test("gives every name, regardless of spacing and punctuation, to one instrument only", () => {
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

  test("has complete rows: ticker, name, lower-case aliases", () => {
    for (const { instrument, ticker, aliases } of [...us.values(), ...tokens.values()]) {
      expect(ticker).toMatch(/^[A-Z0-9]+(\.[A-Z])?$/);
      expect(instrument.name).toMatch(/^\S.*\S$|^\S$/);
      for (const alias of aliases) expect(alias).toMatch(/^[^A-Z\s][^A-Z]+$/);
      expect(instrument.currency).toBe("USD");
    }
  });

  test("assigns stocks to the eleven GICS sectors, and funds and tokens to none", () => {
    expect([...new Set(stocks.flatMap(({ instrument }) => instrument.sector ?? []))].sort()).toEqual(GICS);
    const without = stocks.filter(({ instrument }) => instrument.sector === null);
    expect(without.map(({ ticker }) => ticker)).toEqual(["EOS", "LEO", "BGB", "ENJ"]);
    for (const { instrument } of [...funds, ...tokens.values()]) expect(instrument.sector).toBeNull();
  });

  test("distinguishes a fund from a major token with the same ticker by its symbol", () => {
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

test("lists an unlisted instrument by its ticker, ranked last", () => {
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
  // Spun off or renamed after the list of May; members of the later S&P 500 list.
  const since = ["BNY", "ECHO", "FDXF", "HONA"];

  test("contains only tickers that exchanges list, with the right asset class", () => {
    const stray = [...us.values()].filter(
      ({ ticker, instrument }) => traded.get(ticker) !== instrument.asset_class,
    );
    expect(stray.map(({ ticker }) => ticker).sort()).toEqual(since);
    for (const ticker of since) expect([...sp500.keys()]).toContain(ticker);
  });

  test("contains every member of the S&P 500 with its sector", () => {
    expect(sp500.size).toBe(503);
    for (const [ticker, sector] of sp500)
      expect([ticker, us.get(ticker)?.instrument.sector]).toEqual([ticker, sector]);
  });

  test("contains every US listing that has the ticker of a token", () => {
    expect([...tokens.keys()].filter((base) => traded.has(base) && !us.has(base))).toEqual([]);
  });
});
