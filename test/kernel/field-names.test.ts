import { describe, expect, it } from "vitest";
import { withFieldNames } from "../../src/kernel/field-names.ts";

describe("the fields of an input", () => {
  it.each([
    [{ asOf: 1 }, ["as_of"], { as_of: 1 }],
    [{ "min-score": 1 }, ["min_score"], { min_score: 1 }],
    [{ "Min Score": 1 }, ["min_score"], { min_score: 1 }],
    [{ ticker: "A" }, ["symbol"], { symbol: "A" }],
    [{ ticker: "A" }, ["symbols", "symbol"], { symbol: "A" }],
    [{ symbol: "A" }, ["symbols"], { symbols: "A" }],
    [{ symbols: ["A"] }, ["symbol"], { symbol: "A" }],
    [{ tickers: ["A", "B"] }, ["symbols", "symbol"], { symbols: ["A", "B"] }],
    [{ interval: "1d" }, ["timeframe"], { timeframe: "1d" }],
    [{ expiration: "2026-12-18" }, ["expiry"], { expiry: "2026-12-18" }],
    [{ start_date: 1, end: 2 }, ["from", "to"], { from: 1, to: 2 }],
    [{ name: "dip" }, ["agent"], { agent: "dip" }],
    [{ qty: 2 }, ["quantity"], { quantity: 2 }],
  ])("%j are read for %j", (given, names, fields) => {
    expect(withFieldNames(given, names)).toEqual(fields);
  });

  it.each([
    [{ symbol: "A", ticker: "B" }, ["symbol"]],
    [{ ticker: "A", sym: "B", symbol: "C" }, ["symbol"]],
    [{ nonsense: 1 }, ["symbol"]],
    [{ name: "dip" }, ["name", "agent"]],
  ])("%j keep their names for %j", (given, names) => {
    expect(withFieldNames(given, names)).toEqual(given);
  });

  it("take the first of two other names", () => {
    expect(withFieldNames({ ticker: "A", sym: "B" }, ["symbol"])).toEqual({ symbol: "A", sym: "B" });
  });
});
