import { describe, expect, it } from "vitest";
import { z } from "zod";
import { catalogue } from "../../src/app/catalogue.ts";
import { innerType } from "../../src/kernel/enum-case.ts";
import type { ToolError } from "../../src/kernel/errors.ts";
import { readInput } from "../../src/kernel/read-input.ts";
import type { Tool } from "../../src/kernel/tool.ts";

const tools: readonly Tool[] = Object.values(catalogue);
const exampleOf = ({ examples: [example] }: Tool) => example!.input;
const reads = tools.filter(({ dropsUnknown }) => dropsUnknown);
const refuses = tools.filter(({ dropsUnknown }) => !dropsUnknown);
const { getQuote } = catalogue;

/** Returns the detail of the error on a field of the call; null for a call that is accepted. */
function refusalOf(tool: Tool, field: string, value: unknown = 1): string | null {
  try {
    readInput(tool, { ...exampleOf(tool), [field]: value });
    return null;
  } catch (thrown) {
    const { errors } = (thrown as ToolError).data as { errors: { pointer: string; detail: string }[] };
    return errors.find(({ pointer }) => pointer === `/${field}`)?.detail ?? "other";
  }
}

describe("an unknown field", () => {
  it("is dropped by tools that read, and refused by those that write, trade or judge money", () => {
    expect(refuses.filter(({ effect }) => effect === "read").map(({ name }) => name)).toEqual([
      "check_order",
      "detect_edge",
      "get_odds",
      "get_risk_limits",
      "run_backtest",
      "run_task",
      "verify_audit",
      "verify_receipt",
      "review_portfolio",
    ]);
    for (const tool of reads) expect(refusalOf(tool, "foo"), tool.name).toBeNull();
    for (const tool of refuses) expect(refusalOf(tool, "foo"), tool.name).toBe("unknown field");
  });

  it.each([
    ["as_off", /^unknown field; (did you mean|this tool has no field for a time|for a time this tool has)/],
    ...["date", "since", "start_time", "until", "timeframe", "days"].map(
      (name) => [name, /time|did you mean/] as const,
    ),
    ...["side", "direction", "order_side"].map((name) => [name, /side|did you mean/] as const),
    ...["min_volume", "max_price", "where", "filter", "sector", "exchange", "asset_class"].map(
      (name) => [name, /filter|did you mean/] as const,
    ),
    ...["symbol", "tickers", "isin"].map((name) => [name, /symbol|is given too|did you mean/] as const),
    ...["granularity", "resolution", "bar_size", "fecha", "at", "length", "dte", "time_period"].map(
      (name) => [name, /time|did you mean/] as const,
    ),
    ...["signal", "right", "put", "transaction_type"].map((name) => [name, /side|did you mean/] as const),
    ...["name", "politician", "sentiment", "index", "query", "delta"].map(
      (name) => [name, /filter|did you mean|is given too/] as const,
    ),
    ["api_key", /Authorization header/],
  ] as const)("named %s is refused by every tool that has no such field", (name, detail) => {
    for (const tool of tools) {
      const refusal = refusalOf(tool, name, "x");
      // a tool that has the field may refuse the value, or take it
      if (refusal?.startsWith("unknown field")) expect(refusal, tool.name).toMatch(detail);
      else expect(`${tool.name} ${Object.keys(tool.input.shape)}`).toMatch(FIELDS_OF[name] ?? name);
    }
  });

  it.each([
    ["getHistory", "as_off", "unknown field; did you mean as_of?"],
    ["getHistory", "timefame", "unknown field; did you mean timeframe?"],
    ["getHistory", "limt", "unknown field; did you mean limit?"],
    ["getHistory", "intervall", "unknown field; did you mean timeframe?"],
    ["getMovers", "sectr", "unknown field; did you mean sector?"],
    ["getQuote", "as_of", "unknown field; this tool has no field for a time"],
    ["getSignal", "date", "unknown field; for a time this tool has timeframe, as_of"],
    ["getSignal", "action", "unknown field; this tool has no field for a side"],
    ["screenUniverse", "symbols", "unknown field; this tool has no field for a symbol"],
    ["screenUniverse", "min_rsi", /^unknown field; for a filter this tool has tier, grade/],
    ["executeTrade", "action", /^unknown field; for a side this tool has side/],
    ["previewTrade", "stop_los", "unknown field; did you mean stop_loss?"],
    ["getOdds", "confidence", "unknown field"],
    ["getSignal", "granularity", "unknown field; for a time this tool has timeframe, as_of"],
    ["getPoliticalTrades", "name", /^unknown field; for a filter this tool has .*chamber/],
    ["getIndicators", "length", /^unknown field; for a time this tool has timeframe, /],
  ] as const)("of %s named %s says what is right", (tool, name, detail) => {
    expect(refusalOf(catalogue[tool], name, "buy")).toEqual(
      typeof detail === "string" ? detail : expect.stringMatching(detail),
    );
  });

  it("of a few letters is not taken for a short name", () => {
    expect(refusalOf(getQuote, "xyz")).toBeNull();
  });

  it("is named once more often than eight times with a number", () => {
    const fields = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`foo${i}`, 1]));
    expect(readInput(getQuote, { symbol: "AAPL", ...fields }).understood).toEqual([
      'Not applied: get_quote has no field "foo0", "foo1", "foo2", "foo3", "foo4", "foo5", "foo6", "foo7" and 2 others.',
    ]);
  });

  it("is refused among more than fifty, and if it is a name of every object", () => {
    const fields = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`foo${i}`, 1]));
    expect(() => readInput(getQuote, { symbol: "AAPL", ...fields })).toThrow("foo0: unknown field");
    for (const name of ["constructor", "toString"]) expect(refusalOf(getQuote, name)).toBe("unknown field");
  });

  it("is shown without control characters", () => {
    const { understood } = readInput(getQuote, { symbol: "AAPL", "a\u0007\nb": 1 });
    expect(understood[0]).toMatch(/^Not applied: get_quote has no field "a ?b"\.$/);
  });
});

/** Fields that take a value under another name than the one in the title. */
const FIELDS_OF: Readonly<Record<string, string | RegExp>> = {
  as_off: /never/,
  start_time: /never/,
  isin: /never/,
  api_key: /never/,
  name: /agent|name/,
  symbol: /sym|ticker/,
  tickers: /sym|ticker/,
  timeframe: /timeframe/,
};

describe("a field of the client", () => {
  it("is dropped by every tool that has no such field, and named", () => {
    for (const tool of tools) {
      const { dropped, understood } = readInput(tool, {
        ...exampleOf(tool),
        toolCallId: "call_1",
        _meta: {},
      });
      expect([tool.name, dropped]).toEqual([tool.name, ["toolCallId", "_meta"]]);
      expect(understood).toContain(`Not applied: ${tool.name} has no field "toolCallId", "_meta".`);
    }
  });

  it.each([
    ["action", "sendMessage", true],
    ["action", "loadPreviousSession", true],
    ["action", "buy", false],
    ["action", "SELL_SHORT", false],
    ["action", "placeOrder", false],
    ["type", "tool_call", true],
    ["type", "function", true],
    ["id", "call_1", true],
    ["id", "42", false],
    ["tool", "cancel_order", true],
    ["tool", "execute_trade", false],
    ["name", { name: "cancel_order" }, true],
    ["query", { a: 1 }, false],
    ["Hour", "14", false],
  ])("%s: %j is one for a trade: %s", (name, value, isDropped) => {
    expect(refusalOf(catalogue.cancelOrder, name, value) === null).toBe(isDropped);
  });
});

describe("an object inside an input", () => {
  const objectsOf = (schema: z.core.$ZodType, path: string): { path: string; object: z.ZodObject }[] => {
    const type = innerType(schema);
    if (type instanceof z.ZodArray) return objectsOf(type.element, `${path}[]`);
    if (!(type instanceof z.ZodObject)) return [];
    return [
      { path, object: type },
      ...Object.entries(type.shape).flatMap(([name, part]) =>
        objectsOf(part as z.core.$ZodType, `${path}.${name}`),
      ),
    ];
  };

  it("refuses unknown fields at any depth", () => {
    const open = tools
      .flatMap(({ name, input }) => objectsOf(input, name))
      .filter(({ object }) => !(object.def.catchall instanceof z.ZodNever));
    // a receipt is signed with whatever it holds
    expect(open.map(({ path }) => path)).toEqual([
      // rows and accounts as brokers name their fields
      "check_order.quote",
      "check_order.account",
      "check_order.positions[]",
      "check_order.open_orders[]",
      "check_order.recent_trades[]",
      "verify_receipt.receipt",
      "verify_receipt.snapshot",
    ]);
  });
});
