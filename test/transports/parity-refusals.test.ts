import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { jsonSchemaOf } from "../../src/kernel/publish.ts";
import { getHistory } from "../../tools/get-history.ts";
import type { Schema } from "../proofs/from-schema.ts";
import { requiredInput, TOOLS, toolsTaking, useParity } from "../support/parity.ts";

/** A value that a field's schema rejects, and the allowed values that the error must name. */
interface InvalidValue {
  readonly value: unknown;
  readonly allowed: string;
}
function invalidValues({ enum: words, minimum, maximum, format }: Schema): readonly InvalidValue[] {
  const found: InvalidValue[] = [];
  if (words !== undefined) found.push({ value: "no_such_word", allowed: String(words.at(-1)) });
  if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER)
    found.push({ value: minimum - 1, allowed: String(minimum) });
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    found.push({ value: maximum + 1, allowed: String(maximum) });
  if (format?.startsWith("date")) found.push({ value: "someday", allowed: "date" });
  return found;
}

const INVALID = TOOLS.flatMap((tool) =>
  Object.entries(jsonSchemaOf(tool.input, "input").properties ?? {}).flatMap(([field, schema]) =>
    invalidValues(schema as Schema).map(({ value, allowed }) => ({
      tool,
      name: tool.name,
      field,
      value,
      allowed,
    })),
  ),
);

describe("one error over every transport, with the simulated market", () => {
  const { callEverywhere, installation } = useParity("sample");

  it.each(toolsTaking("symbol"))("is returned for an unknown symbol: $name", async (tool) => {
    const refused = await callEverywhere(tool, { ...requiredInput(tool), symbol: "ZZZZQ" });
    expect(refused).toEqual({ answer: { code: "UNKNOWN_SYMBOL" }, burst: 1, day: 1 });
  });

  it.each(toolsTaking("timeframe"))(
    "is returned for an unknown timeframe, without charging the daily quota: $name",
    async (tool) => {
      const { shape } = tool.input;
      const about = "symbol" in shape ? { symbol: "AAPL" } : { symbols: ["AAPL"] };
      const unknown = { ...requiredInput(tool), ...about, timeframe: "2d" };
      const refused = await callEverywhere(tool, unknown, { prepared: false });
      expect(refused).toEqual({ answer: { code: "INVALID_INPUT" }, burst: 1, day: 0 });
    },
  );

  it("is returned for a fractional limit", async () => {
    const { answer } = await callEverywhere(getHistory, { symbol: "AAPL", limit: 1.5 });
    expect(answer).toEqual({ code: "INVALID_INPUT" });
  });

  it.each(INVALID)(
    "is returned for an invalid value and names what is allowed: $name, $field $value",
    async ({ tool, field, value, allowed }) => {
      const about = "symbol" in tool.input.shape ? { symbol: "AAPL" } : {};
      const input = { ...about, ...tool.examples[0]!.input, [field]: value };
      const refused = await callEverywhere(tool, input, { prepared: false });
      expect(refused).toEqual({ answer: { code: "INVALID_INPUT" }, burst: 1, day: 0 });
      const { app } = installation();
      const direct = invoke(tool, input, { ports: app.ports, principal: app.owner, transport: "test" });
      await expect(direct).rejects.toMatchObject({ message: expect.stringContaining(allowed) });
    },
  );
});
