import { describe, expect, it } from "vitest";
import { FieldsTable, rowsOf, type Shape, typeOf } from "../../../src/transports/web/docs-fields.tsx";

type Fields = NonNullable<Shape["properties"]>;
const number = { type: "number" };
const object = (properties: Fields, required: string[] = []) => ({
  type: "object",
  properties,
  required,
});
const paths = (properties: Fields) => rowsOf(object(properties)).map(({ path }) => path);

describe("the fields of an object", () => {
  it("are followed by their nested fields", () => {
    const targets = { type: "array", items: object({ price: number }) };
    expect(paths({ price: number, plan: object({ stop: number, targets }), ok: { const: true } })).toEqual([
      "price",
      "plan",
      "plan.stop",
      "plan.targets",
      "plan.targets[].price",
      "ok",
    ]);
  });

  it("are found in nullable, map and union types, each once", () => {
    const either = { anyOf: [object({ a: number }), object({ a: number, b: number }), { type: "null" }] };
    expect(paths({ either, each: { type: "object", additionalProperties: object({ c: number }) } })).toEqual([
      "either",
      "either.a",
      "either.b",
      "each",
      "each.*.c",
    ]);
  });

  it("are listed to the fourth level", () => {
    expect(paths({ a: object({ b: object({ c: object({ d: object({ e: number }) }) }) }) })).toEqual([
      "a",
      "a.b",
      "a.b.c",
      "a.b.c.d",
    ]);
  });

  it("show required marks, defaults and line break opportunities", () => {
    const shape = object(
      { symbol: { type: "string" }, limit: { ...number, default: 0 }, size: { enum: ["a"], default: "a" } },
      ["symbol"],
    );
    const requests = String(FieldsTable({ caption: "Parameters", shape: shape, isInput: true }));
    expect(requests).toContain('<code>symbol</code> <b title="required">*</b></td><td>string</td>');
    expect(requests).toContain("<code>limit</code></td><td>number; default 0</td>");
    expect(requests).toContain("<code>size</code></td><td>a; default a</td>");
    expect(
      String(FieldsTable({ caption: "Fields", shape: object({ a: object({ "<b>": number }) }) })),
    ).toContain("<code>a.<wbr/>&lt;b&gt;</code>");
    expect(String(FieldsTable({ caption: "Fields", shape: shape }))).not.toMatch(/required|default/);
    expect(String(FieldsTable({ caption: "Parameters", shape: object({}), isInput: true }))).toBe(
      "<p>No parameters.</p>",
    );
  });
});

it.each([
  [{ type: "integer", minimum: 1, maximum: 500 }, "integer, 1 to 500"],
  [{ type: "number", minimum: 0 }, "number, at least 0"],
  [{ type: "number", maximum: 9 }, "number, at most 9"],
  [{ type: "string", enum: ["HOT", "WATCH"] }, "HOT | WATCH"],
  [{ type: "array", items: { type: "string" } }, "list of string"],
  [{ anyOf: [{ type: "number" }, { type: "null" }] }, "number or null"],
  [{ type: ["number", "null"], minimum: 0 }, "number, at least 0 or null"],
  [{ const: true }, "true"],
  [{}, "any"],
])("formats the type %j as %s", (property, words) => {
  expect(typeOf(property)).toBe(words);
});
