import { describe, expect, it } from "vitest";
import { z } from "zod";
import { catalogue } from "../../src/app/catalogue.ts";
import { BAR_TIMEFRAMES, TIMEFRAMES } from "../../src/domain/market/bars.ts";
import { withEnumCase } from "../../src/kernel/enum-case.ts";
import { jsonSchemaOf } from "../../src/kernel/publish.ts";
import { readInput } from "../../src/kernel/read-input.ts";
import type { Tool } from "../../src/kernel/tool.ts";

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly example?: unknown;
}

type Path = readonly (string | 0)[];

/** Returns the place and the values of every published enumeration of texts. */
function enumsIn(schema: Schema, path: Path = []): readonly { path: Path; values: readonly string[] }[] {
  const texts = (schema.enum ?? []).filter((value) => typeof value === "string");
  return [
    ...(texts.length > 0 ? [{ path, values: texts }] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => enumsIn(part, [...path, name])),
    ...(schema.items ? enumsIn(schema.items, [...path, 0]) : []),
  ];
}

/** Returns a copy of the input with the value at the path. */
function withValue(given: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (step === 0) return [withValue(Array.isArray(given) ? given[0] : undefined, rest, value)];
  const object = (given ?? {}) as Record<string, unknown>;
  return { ...object, [step]: withValue(object[step], rest, value) };
}

/** `1M` may mean a month, so it is not read as 1m. */
const isClear = (spelling: string): boolean => spelling !== "1M";
const titleCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();

/** Returns the parsed input, or the message of its refusal. */
const readBy = (tool: Tool, input: unknown): unknown => {
  try {
    return readInput(tool, input).input;
  } catch (cause) {
    return (cause as Error).message;
  }
};

const tools: readonly Tool[] = Object.values(catalogue);
const fields = tools.flatMap((tool) =>
  enumsIn(jsonSchemaOf(tool.input, "input") as Schema).map(({ path, values }) => ({
    tool,
    path,
    values,
    name: `${tool.name} ${path.join(".")}`,
  })),
);

describe("enumerations of every tool", () => {
  it("are found", () => {
    expect(fields.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["scan_symbols tier.0", "run_task context.timeframe"]),
    );
  });

  it.each(fields)("$name is read in lower, upper and title case", ({ tool, path, values }) => {
    for (const { input } of tool.examples)
      for (const value of values)
        for (const spelling of [value.toLowerCase(), value.toUpperCase(), titleCase(value)].filter(isClear))
          expect(readBy(tool, withValue(input, path, spelling)), spelling).toEqual(
            readBy(tool, withValue(input, path, value)),
          );
  });

  it.each(fields)("$name refuses another value", ({ tool, path, values }) => {
    const other = readBy(tool, withValue(tool.examples[0]!.input, path, `${values[0]}x`));
    expect(other).toContain("Invalid input");
  });

  it.each(fields)("$name accepts one of its values", ({ tool, path, values }) => {
    const read = tool.examples.flatMap(({ input }) =>
      values.map((value) => readBy(tool, withValue(input, path, value.toLowerCase()))),
    );
    expect(read.some((input) => typeof input === "object")).toBe(true);
  });
});

describe("a timeframe", () => {
  const timeframesOf = (lengths: readonly string[]) =>
    fields.filter(({ values }) => values.join() === lengths.join());
  const ofBars = timeframesOf(BAR_TIMEFRAMES);
  const timeframes = [...timeframesOf(TIMEFRAMES), ...ofBars];

  it("is an input of several tools", () => {
    expect(timeframes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["get_history timeframe", "run_task context.timeframe", "save_agent timeframe"]),
    );
  });

  it.each(timeframes)("is read in its usual spellings by $name", ({ tool, path }) => {
    const valueAt = (value: unknown) => path.reduce((part, step) => (part as any)?.[step], value);
    const read = (text: string) => valueAt(readBy(tool, withValue(tool.examples[0]!.input, path, text)));
    const spellings = [
      ...["daily", "Daily", "1D", "d", "1day", "1 day", "24h"].map((text) => [text, "1d"]),
      ...["4H", "4hour", "4 hours", "240m", "240min"].map((text) => [text, "4h"]),
      ...["1H", "60m", "60min", "hourly", "60 minutes"].map((text) => [text, "1h"]),
      ...["intraday", "INTRADAY", "15M", "15min"].map((text) => [text, "15m"]),
      ...[" 30m ", "30Min"].map((text) => [text, "30m"]),
      ...["5Min", "5m"].map((text) => [text, "5m"]),
    ];
    expect(spellings.map(([text]) => [text, read(text!)])).toEqual(spellings);
  });

  it("of bars is an input of the tools that return bars", () => {
    expect(ofBars.map(({ name }) => name)).toEqual([
      "get_history timeframe",
      "get_indicators timeframe",
      "get_symbol_page timeframe",
      "render_chart timeframe",
    ]);
  });

  it.each(["1w", "1W", "w", "W", "weekly", "Weekly", "week", "1week", "1 week", "7d", "7 days"])(
    "of weekly bars is read from '%s', and has no signals",
    (timeframe) => {
      for (const tool of [catalogue.getHistory, catalogue.getIndicators, catalogue.renderChart])
        expect(readBy(tool, { symbol: "AAPL", timeframe })).toMatchObject({ timeframe: "1w" });
      expect(readBy(catalogue.getSignal, { symbol: "AAPL", timeframe })).toContain(
        "timeframe: must be one of",
      );
    },
  );

  it.each(["1m", "1min", "1 min", "1minute", "minute", "1 Minute", "1MIN", " 1m "])(
    "of minute bars is read from '%s', and has no signals",
    (timeframe) => {
      expect(readBy(catalogue.getHistory, { symbol: "AAPL", timeframe })).toMatchObject({ timeframe: "1m" });
      expect(readBy(catalogue.getSignal, { symbol: "AAPL", timeframe })).toContain(
        "timeframe: must be one of",
      );
    },
  );

  it.each(["1M", " 1M", "1 M", "1-M", "m", "M", "monthly", "1mo", "1 month", "2w", "14d"])(
    "of bars is never guessed from '%s'",
    (timeframe) => {
      expect(readBy(catalogue.getHistory, { symbol: "AAPL", timeframe })).toContain(
        "timeframe: must be one of",
      );
    },
  );

  it.each(["1w", "2h", "60", "constructor", "1m", "daily bars"])(
    "is never guessed from '%s'",
    (timeframe) => {
      expect(readBy(catalogue.getSignal, { symbol: "AAPL", timeframe })).toContain(
        "timeframe: must be one of",
      );
    },
  );

  it("is published as its values alone", () => {
    const { properties } = jsonSchemaOf(catalogue.getSignal.input, "input") as Schema;
    expect(properties?.timeframe).toMatchObject({ type: "string", enum: TIMEFRAMES, default: "1d" });
  });
});

describe("free texts", () => {
  it("are never changed", () => {
    const schema = z.strictObject({
      symbol: z.string(),
      either: z.union([z.enum(["HOT"]), z.string()]),
      any: z.record(z.string(), z.unknown()),
      tier: z.enum(["HOT"]).optional(),
    });
    const input = { symbol: "hot", either: "hot", any: { tier: "hot" }, other: "hot", tier: "hot" };
    expect(withEnumCase(schema, input)).toEqual({ ...input, tier: "HOT" });
  });
});
