import { describe, expect, it } from "vitest";
import { z } from "zod";
import { catalogue } from "../../src/app/catalogue.ts";
import { withTextForm } from "../../src/domain/text-form.ts";
import { modelOutlineOf, modelSchemaOf } from "../../src/kernel/model-schema.ts";
import { readInput } from "../../src/kernel/read-input.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { dispatcherEntries } from "../../src/transports/mcp/call-tool.ts";
import { CONVERTERS, type ModelTool } from "../support/model-converters.ts";

const tools: readonly Tool[] = Object.values(catalogue);
const published: readonly ModelTool[] = [
  ...tools.map(({ name, description, input }) => ({ name, description, inputSchema: modelSchemaOf(input) })),
  ...(dispatcherEntries("find_tools", false) as unknown as ModelTool[]),
];

describe("the schema that is published to language models", () => {
  const schemaOf = (shape: z.ZodRawShape) => modelSchemaOf(z.strictObject(shape)).properties;

  it("keeps types, descriptions, choices, defaults and inclusive bounds", () => {
    expect(
      modelSchemaOf(
        z.strictObject({
          symbol: z.string().describe("Ticker"),
          side: z.enum(["buy", "sell"]).optional(),
          limit: z.number().int().min(1).max(50).default(20),
          list: z.array(z.string()).min(1).max(3),
        }),
      ),
    ).toEqual({
      type: "object",
      properties: {
        symbol: { type: "string", description: "Ticker" },
        side: { type: "string", enum: ["buy", "sell"] },
        limit: { type: "integer", minimum: 1, maximum: 50, default: 20 },
        list: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3 },
      },
      required: ["symbol", "list"],
    });
  });

  it("omits patterns, lengths, formats, exclusive bounds and choices of numbers", () => {
    expect(
      schemaOf({
        id: z.string().regex(/^\d+$/).min(1).max(9),
        day: z.iso.date(),
        above: z.number().positive().max(1e12),
        horizon: z.literal([5, 20]),
        fixed: z.literal("a"),
      }),
    ).toEqual({
      id: { type: "string" },
      day: { type: "string" },
      above: { type: "number" },
      horizon: { type: "number" },
      fixed: { type: "string", enum: ["a"] },
    });
  });

  it("has text in place of objects that can be written as text, and of objects without fixed fields", () => {
    const params = withTextForm(z.object({ fast: z.number() }), { form: "`fast=5`", parse: () => ({}) });
    expect(
      schemaOf({ params: params.optional().describe("Parameters"), map: z.record(z.string(), z.string()) }),
    ).toEqual({
      params: { type: "string", description: "`fast=5`" },
      map: { type: "string", description: "as JSON text" },
    });
  });

  it("describes the items of a list once", () => {
    const item = z.string().describe("Ticker");
    expect(schemaOf({ a: z.array(item), b: z.array(item).describe("Tickers") })).toEqual({
      a: { type: "array", items: { type: "string", description: "Ticker" } },
      b: { type: "array", items: { type: "string" }, description: "Tickers" },
    });
  });

  it("keeps the unions of nullable output fields", () => {
    expect(modelOutlineOf(z.object({ at: z.iso.datetime().nullable() })).properties).toEqual({
      at: { anyOf: [{ type: "string" }, { type: "null" }] },
    });
  });
});

describe.each(Object.entries(CONVERTERS))("%s", (_, convert) => {
  it.each(published)("converts $name", (tool) => {
    expect(() => convert(tool)).not.toThrow();
  });
});

describe("the converters", () => {
  const refused: readonly (readonly [keyof typeof CONVERTERS, Readonly<Record<string, unknown>>])[] = [
    ["openAiStrict", { type: "object", additionalProperties: { type: "string" } }],
    ["openAiStrict", { type: "string", pattern: "^(?!0)x$" }],
    ["openAiStrict", { type: "object", properties: {}, propertyNames: {} }],
    ["geminiDeclaration", { type: "number", enum: [5, 20] }],
    ["geminiDeclaration", { type: "string", format: "date" }],
    ["geminiDeclaration", { type: "number", exclusiveMinimum: 0 }],
    ["geminiDeclaration", { type: "string", const: "a" }],
    ["geminiDeclaration", { type: "object", properties: {} }],
    ["llamaGrammar", { type: "string", pattern: "^\\d+$" }],
    ["llamaGrammar", { type: "string", pattern: "^(?!0)x$" }],
    ["llamaGrammar", { type: "string", maxLength: 65_536 }],
    ["anthropicTool", { type: "object", properties: { "a b": { type: "string" } } }],
    ["vercelTool", { type: "string", pattern: "^a$" }],
    ["vercelTool", { type: ["string", "null"] }],
  ];

  it.each(refused)("by %s refuse %j", (name, field) => {
    const inputSchema = { type: "object", properties: { field }, required: [] };
    expect(() => CONVERTERS[name]({ name: "tool", description: "", inputSchema })).toThrow("tool");
  });

  it("make optional fields nullable in strict mode, which every tool reads as absent", () => {
    for (const tool of tools)
      for (const { input } of tool.examples) {
        const absent = Object.fromEntries(Object.keys(tool.input.shape).map((field) => [field, null]));
        expect(readInput(tool, { ...absent, ...input }).input, tool.name).toEqual(
          readInput(tool, input).input,
        );
      }
  });
});
