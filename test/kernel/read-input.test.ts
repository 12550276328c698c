import { describe, expect, it } from "vitest";
import { z } from "zod";
import { catalogue } from "../../src/app/catalogue.ts";
import type { ToolError } from "../../src/kernel/errors.ts";
import { readInput } from "../../src/kernel/read-input.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { stoppedClock } from "../support/context.ts";

const symbols = createDirectory({ members: [] });
const clock = stoppedClock(new Date("2026-07-01T14:00:00.000Z"));
const ports = { symbols, clock };
const { getSignal, getHistory, getQuotes, scanSymbols, getTrackRecord, getNews, getAnalysis } = catalogue;
const { executeTrade, previewTrade, getCongressTrades, screenUniverse, runBacktest, saveWatchlist } =
  catalogue;

/** Returns the fields of the parsed input that the call names, and the sentences on them. */
function read(tool: Tool, raw: Readonly<Record<string, unknown>>, fields: readonly string[]) {
  const { input, understood } = readInput(tool, raw, ports);
  const named = Object.fromEntries(
    fields.map((field) => [field, (input as Readonly<Record<string, unknown>>)[field]]),
  );
  return { ...named, understood };
}

function refusal(tool: Tool, raw: unknown): string {
  try {
    readInput(tool, raw, ports);
  } catch (cause) {
    return (cause as ToolError).message;
  }
  return "";
}

type Case<Expected> = readonly [Tool, Readonly<Record<string, unknown>>, Expected, (readonly string[])?];

const casesOf = <Expected>(cases: readonly Case<Expected>[]) =>
  cases.map(([tool, raw, expected, understood = []]) => ({
    name: tool.name,
    raw: JSON.stringify(raw),
    tool,
    expected,
    understood,
    input: raw,
  }));

describe("an input as models write it", () => {
  it.each(
    casesOf([
      [getHistory, { symbol: "AAPL", limit: "5" }, { limit: 5 }],
      [getSignal, { symbol: "AAPL", timeframe: null, as_of: null }, { timeframe: "1d", as_of: undefined }],
      [scanSymbols, { symbols: "AAPL,NVDA" }, { symbols: ["AAPL", "NVDA"] }],
      [scanSymbols, { symbols: '["AAPL","NVDA"]' }, { symbols: ["AAPL", "NVDA"] }],
      [scanSymbols, { symbol: "AAPL" }, { symbols: ["AAPL"] }],
      [scanSymbols, { tickers: ["AAPL"], minScore: "70" }, { symbols: ["AAPL"], min_score: 70 }],
      [getSignal, { sym: "AAPL" }, { symbol: "AAPL" }],
      [getSignal, { ticker: "AAPL" }, { symbol: "AAPL" }],
      [getSignal, { symbols: ["AAPL"] }, { symbol: "AAPL" }],
      [getAnalysis, { sym: "AAPL" }, { symbol: "AAPL" }],
      [getCongressTrades, { symbol: "nvda" }, { ticker: "nvda" }],
      [getSignal, { symbol: "AAPL", interval: "4H" }, { timeframe: "4h" }],
      [getSignal, { symbol: "AAPL", timeframe: "1D" }, { timeframe: "1d" }],
      [screenUniverse, { grade: "a+" }, { grade: ["A+"] }],
      [screenUniverse, { grade: ">=b" }, { grade: [">=B"] }],
      [screenUniverse, { grade: "a+, b-" }, { grade: ["A+", "B-"] }],
      [
        screenUniverse,
        { tier: ["hot", "WATCH"], bias: "long,short" },
        { tier: ["HOT", "WATCH"], bias: ["LONG", "SHORT"] },
      ],
      [screenUniverse, { stage: "2", limit: "3" }, { stage: [2], limit: 3 }],
      [getTrackRecord, { horizon: "20", direction: "long" }, { horizon: 20, direction: "LONG" }],
      [
        runBacktest,
        { symbol: "AAPL", strategy: "sma_cross", params: "fast=10, slow=20" },
        { params: { fast: 10, slow: 20 } },
      ],
      [
        runBacktest,
        { symbol: "AAPL", strategy: "SMA_CROSS", sweep: "fast=5..20:5; slow=60,100" },
        { sweep: { fast: "5..20:5", slow: "60,100" } },
      ],
      [
        runBacktest,
        { symbol: "AAPL", strategy: "rules", rules: { entry: "rsi(14) < 30 and close > sma(200)" } },
        { rules: { entry: { all: ["rsi(14) < 30", "close > sma(200)"] } } },
      ],
      [
        executeTrade,
        { ticker: "AAPL", side: "BUY", quantity: 2 },
        { symbol: "AAPL", side: "buy", quantity: "2" },
      ],
      [
        previewTrade,
        { symbol: "AAPL", side: "sell", quantity: "1.5", limit_price: null },
        { quantity: "1.5", limit_price: undefined },
      ],
    ]),
  )("is read by $name from $raw", ({ tool, input, expected }) => {
    expect(read(tool, input, Object.keys(expected))).toEqual({ ...expected, understood: [] });
  });

  it.each(
    casesOf([
      [getSignal, { symbol: "Apple" }, { symbol: "AAPL" }, ['symbol: "Apple" was read as AAPL.']],
      [
        getQuotes,
        { symbols: ["bitcoin", "NVDA"] },
        { symbols: ["BTC-USD", "NVDA"] },
        ['symbols: "bitcoin" was read as BTC-USD.'],
      ],
      [
        getQuotes,
        { symbols: "Ford, Coca Cola" },
        { symbols: ["F", "KO"] },
        ['symbols: "Ford" was read as F.', 'symbols: "Coca Cola" was read as KO.'],
      ],
      [getNews, { symbol: "Nvidia" }, { symbol: "NVDA" }, ['symbol: "Nvidia" was read as NVDA.']],
      [
        getSignal,
        { symbol: "AAPL", as_of: "2026-06-30 15:00" },
        { as_of: "2026-06-30T15:00Z" },
        ['as_of: "2026-06-30 15:00" was read as 2026-06-30T15:00Z, a time in UTC.'],
      ],
      [
        getSignal,
        { symbol: "AAPL", timeframe: "daily" },
        { timeframe: "1d" },
        ['timeframe: "daily" was read as 1d.'],
      ],
      [screenUniverse, { bias: "BUY" }, { bias: ["LONG"] }, ['bias: "BUY" was read as LONG.']],
      [screenUniverse, { tier: "hot, watch", stage: "1,2" }, { tier: ["HOT", "WATCH"], stage: [1, 2] }],
      [
        screenUniverse,
        { sector: "Energy, tech" },
        { sector: ["Energy", "Information Technology"] },
        ['sector: "tech" was read as Information Technology.'],
      ],
    ]),
  )("says for $name and $raw what it understood", ({ tool, input, expected, understood }) => {
    expect(read(tool, input, Object.keys(expected))).toEqual({ ...expected, understood });
  });

  it.each(
    casesOf([
      [getHistory, { symbol: "AAPL", limit: "five" }, "limit: must be a whole number"],
      [getSignal, { symbol: "AAPL", sym: "NVDA" }, "sym: unknown field"],
      [getSignal, { symbols: ["AAPL", "NVDA"] }, "symbol: must be text"],
      [getSignal, { symbol: null }, "symbol: is required"],
      [executeTrade, { symbol: "AAPL", side: "long", quantity: 1 }, "side: must be one of"],
      [executeTrade, { symbol: "AAPL", side: "buy", quantity: "two" }, "quantity: "],
      [executeTrade, { symbol: "AAPL", side: "buy", quantity: "-1" }, "quantity: "],
      [executeTrade, { symbol: "AAPL", side: "buy", quantity: [1] }, "quantity: "],
    ]),
  )("is refused, not guessed, by $name from $raw", ({ tool, input, expected }) => {
    expect(refusal(tool, input)).toContain(expected);
  });

  it.each(
    casesOf([
      [executeTrade, { symbol: "Apple", side: "buy", quantity: 1 }, { symbol: "Apple" }],
      [previewTrade, { symbol: "Apple", side: "buy", quantity: 1 }, { symbol: "Apple" }],
      [saveWatchlist, { name: "mine", symbols: ["Apple"] }, { symbols: ["Apple"] }],
    ]),
  )("is not read as a name by $name from $raw", ({ tool, input, expected }) => {
    expect(read(tool, input, Object.keys(expected))).toEqual({ ...expected, understood: [] });
  });

  it("leaves a name that several instruments share, for the tool to refuse", () => {
    const shared = { ...symbols, find: () => null, named: () => symbols.search("A", 2) };
    expect(readInput(getSignal, { symbol: "Apple" }, { symbols: shared }).input).toMatchObject({
      symbol: "Apple",
    });
  });

  it("says how a number was read as an amount, if not as it was sent", () => {
    const trade = { symbol: "BTC-USD", side: "buy" };
    expect(readInput(previewTrade, { ...trade, quantity: 0.1 + 0.2 })).toMatchObject({
      input: { quantity: "0.3" },
      understood: ["quantity: 0.30000000000000004 was read as 0.3."],
    });
    expect(readInput(previewTrade, { ...trade, quantity: 0.25 }).understood).toEqual([]);
  });

  it("is parsed once if it already has the form of the schema", () => {
    const input = z.strictObject({ n: z.number().refine((n) => n !== 3) });
    const tool = { ...getSignal, input } as unknown as Tool;
    expect(readInput(tool, { n: 2 })).toEqual({ input: { n: 2 }, understood: [], dropped: [] });
  });
});
