import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import { readInput } from "../../src/kernel/read-input.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { stoppedClock } from "../support/context.ts";

type Fields = Readonly<Record<string, unknown>>;

const tools: readonly Tool[] = Object.values(catalogue);
const ports = { clock: stoppedClock(new Date("2026-07-01T14:00:00.000Z")) };
const exampleOf = ({ examples: [example] }: Tool) => example!.input as Fields;
const read = (tool: Tool, fields: Fields) => readInput(tool, { ...exampleOf(tool), ...fields }, ports);
const value = (tool: Tool, field: string, sent: unknown): unknown =>
  (read(tool, { [field]: sent }).input as Fields)[field];
const taking = (...fields: readonly string[]) =>
  tools.flatMap((tool) =>
    fields.filter((field) => field in tool.input.shape).map((field) => ({ name: tool.name, field, tool })),
  );

describe("every field for a time", () => {
  it.each(taking("as_of", "since", "from", "to"))("reads words: $name $field", ({ tool, field }) => {
    expect([value(tool, field, "yesterday"), value(tool, field, "last friday")]).toEqual([
      "2026-06-30",
      "2026-06-26",
    ]);
    expect(value(tool, field, "Jan 2, 2026")).toBe("2026-01-02");
    expect(read(tool, { [field]: "2 days ago" }).understood).toEqual([
      `${field}: "2 days ago" was read as 2026-06-29.`,
    ]);
    for (const unclear of ["1m", "01/02/2026", "soon"])
      expect(() => value(tool, field, unclear)).toThrow(new RegExp(`${field}: `));
  });

  it.each(taking("expiry"))("reads coming days: $name $field", ({ tool, field }) => {
    expect(value(tool, field, "18 Dec 2026")).toBe("2026-12-18");
  });

  it("names what is unclear, and the form that is clear", () => {
    expect(() => value(catalogue.getHistory, "as_of", "1m")).toThrow(
      'as_of: "1m" may mean minutes or months, written 1min and 1mo: write a date (2024-06-28) or an ISO 8601 time with its zone (2024-06-28T20:00:00Z)',
    );
    expect(() => value(catalogue.getCongressTrades, "from", "01/02/2025")).toThrow(
      "from: the order of day and month is ambiguous: write a date such as 2026-06-30",
    );
  });

  it("reads epochs as numbers and as text", () => {
    for (const sent of [1_751_328_000, "1751328000000"])
      expect(value(catalogue.getHistory, "as_of", sent)).toBe("2025-07-01T00:00:00Z");
  });

  it("reads what lies ahead in the calendar of earnings", () => {
    expect(read(catalogue.getCalendar, { from: "today", to: "2w" }).input).toMatchObject({
      from: "2026-07-01",
      to: "2026-07-15",
    });
  });
});

describe("every list", () => {
  it.each(taking("symbols"))("is read from text: $name", ({ tool: listed }) => {
    const tool =
      listed.name === "run_agent_operation"
        ? { ...listed, examples: [{ ask: "", input: { operation: "top" } }] }
        : listed;
    const lists = [
      "['AAPL','MSFT']",
      '["AAPL","MSFT"]',
      "[AAPL, MSFT]",
      "('AAPL', 'MSFT')",
      "AAPL, MSFT,",
      "AAPL;MSFT",
    ];
    for (const sent of lists) expect(value(tool, "symbols", sent), sent).toEqual(["AAPL", "MSFT"]);
  });

  it.each([
    ["screenUniverse", "rules", ["grade >= B", "rsi(14) < 30"], "grade >= B and rsi(14) < 30"],
    ["screenUniverse", "rules", "['grade >= B']", "grade >= B"],
    ["getIndicators", "indicators", ["rsi(14)", "macd"], "rsi(14), macd"],
    ["createSubscription", "rule", ["rsi(14) < 30", "close > 5"], "rsi(14) < 30 and close > 5"],
    ["saveAgent", "entry", ["rsi(14) < 30", "close > 5"], { all: ["rsi(14) < 30", "close > 5"] }],
    ["runBacktest", "params", ["fast=10", "slow=20"], { fast: 10, slow: 20 }],
    ["runBacktest", "params", "{'fast': 10, 'slow': 20}", { fast: 10, slow: 20 }],
  ])("is joined where text is meant: %s %s", (tool, field, sent, meant) => {
    expect(value(catalogue[tool as keyof typeof catalogue], field, sent)).toEqual(meant);
  });

  it("of one is its item in a tool that reads, and never in a trade", () => {
    expect(value(catalogue.getSignal, "timeframe", ["1d"])).toBe("1d");
    expect(() => value(catalogue.executeTrade, "quantity", [1])).toThrow("quantity: ");
  });
});

describe("every optional field", () => {
  it("is omitted if it is empty or null, except a key", () => {
    for (const tool of tools)
      for (const [field, schema] of Object.entries(tool.input.shape)) {
        const given = exampleOf(tool);
        if (field in given || !schema.safeParse(undefined).success || field === "idempotency_key") continue;
        for (const sent of ["", " ", null])
          expect(read(tool, { [field]: sent }).input, `${tool.name} ${field}`).toEqual(read(tool, {}).input);
      }
    expect(() => read(catalogue.executeTrade, { idempotency_key: "" })).toThrow("idempotency_key: ");
  });

  it.each(["null", "None", "undefined"])("is omitted if it is %s, unless that may be a name", (word) => {
    const given = { symbol: "AAPL", limit: word, as_of: word, timeframe: word };
    expect(readInput(catalogue.getHistory, given).input).toEqual(
      readInput(catalogue.getHistory, { symbol: "AAPL" }).input,
    );
    expect(value(catalogue.screenUniverse, "cursor", word)).toBeUndefined();
    expect(value(catalogue.screenUniverse, "sector", word)).toBeUndefined();
    expect(value(catalogue.getPredictionMarkets, "symbol", word)).toBe(word);
    expect(value(catalogue.whatChanged, "watchlist", word)).toBe(word.toLowerCase());
  });

  it("that has the word as a choice keeps it", () => {
    expect(value(catalogue.createSubscription, "channel", "none")).toBe("none");
  });
});

describe("every field for a sector", () => {
  it.each(taking("sector"))("reads the names of Yahoo, GICS and SPDR: $name", ({ tool }) => {
    for (const sent of ["Financial Services", "financials", "XLF"])
      expect([value(tool, "sector", sent)].flat()).toEqual(["Financials"]);
    expect(read(tool, { sector: "Consumer Cyclical" }).understood).toEqual([
      'sector: "Consumer Cyclical" was read as Consumer Discretionary.',
    ]);
  });
});

describe("every field for a level", () => {
  it.each([
    ["+5 %", "+5%"],
    ["-3 percent", "-3%"],
    ["2 ATR", "2 ATR"],
    ["1.5 x ATR below", "-1.5 ATR"],
    [190.5, "190.5"],
  ])("of get_odds reads %s as %s", (sent, level) => {
    const { input } = read(catalogue.getOdds, { level: sent, stop: sent, target: sent });
    expect(input).toMatchObject({ levels: [level], stop: level, target: level });
  });

  it.each(["stop_loss", "take_profit", "limit_price", "stop_price"])(
    "of a trade is a price, never a distance: %s",
    (field) => {
      for (const tool of [catalogue.previewTrade, catalogue.executeTrade] as readonly Tool[])
        for (const sent of ["5%", "2 ATR"])
          expect(() => read(tool, { symbol: "AAPL", [field]: sent })).toThrow(
            `${field}: must be a number above 0, such as 12.5 or "12.5", not a percent or a multiple of ATR`,
          );
    },
  );
});

describe("every field for symbols", () => {
  const SYMBOLS = ["sym", "symbol", "symbols", "ticker", "tickers"] as const;

  it.each(taking(...SYMBOLS))("is read under each of its names: $name $field", ({ tool, field }) => {
    const { [field]: _, ...others } = exampleOf(tool);
    if (SYMBOLS.some((name) => name !== field && name in tool.input.shape)) return;
    for (const name of SYMBOLS) {
      const { input } = readInput(tool, { ...others, [name]: ["AAPL"] });
      expect([(input as Fields)[field]].flat(), name).toEqual(["AAPL"]);
    }
  });
});
