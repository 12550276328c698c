import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonSchemaOf, outlineOf } from "../../src/kernel/publish.ts";

const schema = z.strictObject({
  at: z.iso.datetime().describe("When"),
  id: z.uuid(),
  count: z.number().int(),
  limit: z.number().int().min(1).max(500).default(60).describe("How many"),
  code: z.string().regex(/^[A-Z]+$/),
});

describe("a published schema", () => {
  it("names formats and omits default bounds", () => {
    expect(jsonSchemaOf(schema, "input")).toEqual({
      type: "object",
      properties: {
        at: { type: "string", format: "date-time", description: "When" },
        id: { type: "string", format: "uuid" },
        count: { type: "integer" },
        limit: { type: "integer", minimum: 1, maximum: 500, default: 60, description: "How many" },
        code: { type: "string", pattern: "^[A-Z]+$" },
      },
      required: ["at", "id", "count", "code"],
      additionalProperties: false,
    });
  });

  it("requires output fields that are optional with a default as input", () => {
    expect(jsonSchemaOf(schema, "output").required).toEqual(["at", "id", "count", "limit", "code"]);
  });

  it("inlines shared definitions", () => {
    const part = z.object({ n: z.number() });
    const published = jsonSchemaOf(z.object({ a: part, b: part, list: z.array(part) }), "output");
    expect(JSON.stringify(published)).not.toContain("$");
    expect(published.properties).toMatchObject({
      a: { type: "object" },
      list: { items: { type: "object" } },
    });
  });
});

describe("the outline of a schema", () => {
  it("contains only the type of deep fields", () => {
    const deep = z.object({ a: z.object({ b: z.object({ c: z.object({ d: z.string() }) }) }) });
    expect(outlineOf(jsonSchemaOf(deep, "output"))).toMatchObject({
      properties: { a: { type: "object", required: ["b"], properties: { b: { type: "object" } } } },
    });
    expect(JSON.stringify(outlineOf(jsonSchemaOf(deep, "output")))).not.toContain('"c"');
  });

  it("has no descriptions, except a property of that name", () => {
    const schema = z.object({
      description: z.string().describe("a name"),
      rows: z.array(z.object({ value: z.number().nullable().describe("or null") })).describe("some"),
    });
    const bare = outlineOf(jsonSchemaOf(schema, "output"));
    expect(JSON.stringify(bare)).not.toMatch(/a name|or null|some/);
    expect(bare).toMatchObject({
      type: "object",
      required: ["description", "rows"],
      properties: {
        description: { type: "string" },
        rows: { items: { type: "object", properties: { value: {} } } },
      },
    });
  });
});
