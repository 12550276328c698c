import { describe, expect, it } from "vitest";
import { z } from "zod";
import { withFieldNames } from "../../src/kernel/field-names.ts";

/** Returns an object schema with these fields; names of several things are lists. */
const fieldsOf = (names: readonly string[]) =>
  z.object(
    Object.fromEntries(names.map((name) => [name, /s$/.test(name) ? z.array(z.string()) : z.string()])),
  );

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
    [{ asof: 1 }, ["as_of"], { as_of: 1 }],
    [{ minscore: 1 }, ["min_score"], { min_score: 1 }],
    [{ level: "5%" }, ["levels"], { levels: "5%" }],
    [{ grades: ["A"] }, ["grade"], { grade: "A" }],
    [{ asset_classes: ["crypto"] }, ["asset_class"], { asset_class: ["crypto"] }],
    [{ parties: "Democratic" }, ["party"], { party: "Democratic" }],
    [{ grades: ["A", "B"] }, ["grade"], { grade: ["A", "B"] }],
  ])("%j are read for %j", (given, names, fields) => {
    expect(withFieldNames(given, fieldsOf(names))).toEqual(fields);
  });

  it.each([
    [{ symbol: "A", ticker: "B" }, ["symbol"]],
    [{ ticker: "A", sym: "B", symbol: "C" }, ["symbol"]],
    [{ nonsense: 1 }, ["symbol"]],
    [{ name: "dip" }, ["name", "agent"]],
    [{ stop_los: "1" }, ["stop_loss"]],
  ])("%j keep their names for %j", (given, names) => {
    expect(withFieldNames(given, fieldsOf(names))).toEqual(given);
  });

  it("are read for a text whose name is a plural", () => {
    const shape = z.object({ indicators: z.string(), rules: z.string() });
    expect(withFieldNames({ indicator: "rsi", rule: "rsi < 30" }, shape)).toEqual({
      indicators: "rsi",
      rules: "rsi < 30",
    });
  });

  it("keep the plural or singular of a number", () => {
    const shape = z.object({ strikes: z.number().int(), limit: z.number() });
    expect(withFieldNames({ strike: 190, limits: 5 }, shape)).toEqual({ strike: 190, limits: 5 });
  });

  it.each([null, "", undefined])("take another name where the own one is empty: %j", (empty) => {
    expect(withFieldNames({ symbol: empty, ticker: "A" }, fieldsOf(["symbol"]))).toEqual({ symbol: "A" });
    expect(withFieldNames({ ticker: "A", symbol: empty }, fieldsOf(["symbol"]))).toEqual({ symbol: "A" });
  });

  it("take the first of two other names", () => {
    expect(withFieldNames({ ticker: "A", sym: "B" }, fieldsOf(["symbol"]))).toEqual({
      symbol: "A",
      sym: "B",
    });
  });
});
