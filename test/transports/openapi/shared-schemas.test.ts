import { describe, expect, it } from "vitest";
import { catalogue } from "../../../src/app/catalogue.ts";
import { jsonSchemaOf } from "../../../src/kernel/publish.ts";
import type { Tool } from "../../../src/kernel/tool.ts";
import { openapiDocument } from "../../../src/transports/openapi/openapi.ts";
import { responseSchema } from "../../../src/transports/openapi/response-schema.ts";
import { shareSchemas } from "../../../src/transports/openapi/shared-schemas.ts";
import { SETTINGS } from "../../support/http.ts";
import { resolvedPaths } from "../../support/resolve-references.ts";

const address = {
  type: "object",
  properties: { street: { type: "string", description: "Name of the street" }, town: { type: "string" } },
  required: ["street", "town"],
};
const operation = (schema: object) => ({
  responses: { 200: { content: { "application/json": { schema } } } },
});
const withFields = (properties: object) => operation({ type: "object", properties });
const schemasOf = async (...operations: readonly object[]) =>
  shareSchemas(
    operations.map((each, i) => [`op_${i + 1}`, each] as const),
    ["Problem"],
  );

describe("shared schemas", () => {
  it("become one component where they are short but have the same long description", async () => {
    const description = "Read from the file that was imported last, or the reason why there is none";
    const source = { type: "string", description };
    const { operations, schemas } = await schemasOf(
      withFields({ source, note: { type: "string", description: "Note" } }),
      withFields({ source }),
    );
    expect(schemas).toEqual({ Source: source });
    expect(operations[0]).toEqual(
      withFields({
        source: { $ref: "#/components/schemas/Source" },
        note: { type: "string", description: "Note" },
      }),
    );
  });

  it("become one component named after their field, with the description of each place", async () => {
    const { operations, schemas } = await schemasOf(
      withFields({ home: { ...address, description: "Home" } }),
      withFields({ office: { ...address, description: "Office" }, other: { type: "string" } }),
    );
    expect(schemas).toEqual({ Home: address });
    expect(operations).toEqual([
      withFields({ home: { $ref: "#/components/schemas/Home", description: "Home" } }),
      withFields({
        office: { $ref: "#/components/schemas/Home", description: "Office" },
        other: { type: "string" },
      }),
    ]);
  });

  it("hold the description if it is the same everywhere", async () => {
    const home = { ...address, description: "Home" };
    const { operations, schemas } = await schemasOf(
      withFields({ home }),
      withFields({ home, age: { type: "integer" } }),
    );
    expect(schemas).toEqual({ Home: home });
    expect(operations[0]).toEqual(withFields({ home: { $ref: "#/components/schemas/Home" } }));
  });

  it("are whole responses too, and nested ones count once", async () => {
    const all = withFields({ home: address });
    const { operations, schemas } = await schemasOf(all, all);
    expect(Object.keys(schemas)).toEqual(["Op1Response"]);
    expect(operations[1]).toEqual(operation({ $ref: "#/components/schemas/Op1Response" }));
  });

  it("of the items of a list have the singular name, and a name that is taken gets the one before it", async () => {
    const list = (items: object) => ({ type: "array", items });
    const other = { ...address, properties: { ...address.properties, zip: { type: "string" } } };
    const { schemas } = await schemasOf(
      withFields({
        addresses: list(address),
        first: address,
        address: other,
        problem: { ...other, title: "a" },
      }),
      withFields({
        address: other,
        last: { anyOf: [address, { type: "null" }] },
        problem: { ...other, title: "a" },
      }),
    );
    expect(Object.keys(schemas)).toEqual(["Address", "Op1ResponseAddress", "Op1ResponseProblem"].sort());
  });

  it("are neither short ones nor values of examples", async () => {
    const short = { type: "string" };
    const example = { schema: address };
    const given = {
      ...operation({ type: "array", items: short }),
      example,
      examples: { one: { value: example } },
    };
    const { operations, schemas } = await schemasOf(given, given);
    expect(Object.keys(schemas)).toEqual([]);
    expect(operations).toEqual([given, given]);
  });

  it("differ if one of their fields is described differently", async () => {
    const other = { ...address, properties: { ...address.properties, street: { type: "string" } } };
    const { schemas } = await schemasOf(
      withFields({ home: address, office: other }),
      withFields({ home: address, office: other, age: { type: "integer" } }),
    );
    expect(Object.keys(schemas)).toEqual(["Home", "Office"]);
  });
});

it.each([
  [
    { anyOf: [{ type: "number", minimum: 0 }, { type: "null" }], description: "Score" },
    { type: ["number", "null"], minimum: 0, description: "Score" },
  ],
  [
    { anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] },
    { type: ["string", "null"], enum: ["a", null] },
  ],
  [
    {
      type: "object",
      properties: { a: { anyOf: [{ type: "integer" }, { type: "null" }] } },
      additionalProperties: false,
    },
    { type: "object", properties: { a: { type: ["integer", "null"] } } },
  ],
  [
    { type: "object", additionalProperties: { type: "number" } },
    { type: "object", additionalProperties: { type: "number" } },
  ],
  [{ anyOf: [address, { type: "null" }] }, { anyOf: [address, { type: "null" }] }],
  [{ anyOf: [{ type: "string" }, { type: "number" }] }, { anyOf: [{ type: "string" }, { type: "number" }] }],
  [
    { anyOf: [{ type: "string", description: "A" }, { type: "null" }], description: "B" },
    { anyOf: [{ type: "string", description: "A" }, { type: "null" }], description: "B" },
  ],
])("writes the response schema %j as %j", (schema, short) => {
  expect(responseSchema(schema)).toEqual(short);
});

/** Copies a value with the names of required fields sorted. */
const sortedRequired = (value: any): any => {
  if (Array.isArray(value)) return value.map(sortedRequired);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries<any>(value).map(([key, member]) => [
      key,
      key === "required" && Array.isArray(member) ? member.toSorted() : sortedRequired(member),
    ]),
  );
};

describe("the document of the whole catalogue", async () => {
  const tools: readonly Tool[] = Object.values(catalogue);
  const registry = { tools, unavailable: [] };
  const document = JSON.parse(JSON.stringify(await openapiDocument({ registry, settings: SETTINGS })));
  const { schemas } = document.components;
  it("describes each response completely", () => {
    const operations = Object.values<any>(resolvedPaths(document)).flatMap((item) =>
      Object.values<any>(item),
    );
    for (const tool of tools) {
      const { responses } = operations.find(({ operationId }) => operationId === tool.name);
      expect(sortedRequired(responses[200].content["application/json"].schema), tool.name).toEqual(
        sortedRequired(JSON.parse(JSON.stringify(responseSchema(jsonSchemaOf(tool.output, "output"))))),
      );
    }
  });

  it("uses every component, each from more than one place", () => {
    const text = JSON.stringify(document);
    for (const name of Object.keys(schemas))
      expect(text.split(`"#/components/schemas/${name}"`).length - 1, name).toBeGreaterThan(
        name === "Problem" ? 0 : 1,
      );
  });

  it("is the same in every run, and stays within its size", async () => {
    const again = await openapiDocument({ registry, settings: SETTINGS });
    const text = JSON.stringify(again);
    expect(JSON.parse(text)).toEqual(document);
    expect(Object.keys(again.components.schemas)).toEqual(Object.keys(schemas));
    expect(Buffer.byteLength(text)).toBeLessThan(500_000);
  });
});
