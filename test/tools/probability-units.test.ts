import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import { jsonSchemaOf } from "../../src/kernel/publish.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

/** Returns every field of a schema with its name, at any depth. */
function fieldsOf(schema: Schema): readonly (readonly [string, Schema])[] {
  const { properties = {}, items, anyOf = [], additionalProperties } = schema;
  const inner = [
    items,
    typeof additionalProperties === "object" ? additionalProperties : undefined,
    ...anyOf,
  ];
  return [
    ...Object.entries(properties).flatMap(([name, part]) => [[name, part] as const, ...fieldsOf(part)]),
    ...inner.flatMap((part) => (part === undefined ? [] : fieldsOf(part))),
  ];
}

/** Returns the number of a field that may be null; undefined for a field that is no number. */
const numberOf = (schema: Schema): Schema | undefined =>
  [schema.type].flat().some((type) => type === "number" || type === "integer")
    ? schema
    : schema.anyOf?.find(({ type }) => type === "number");

function unitOf(schema: Schema): string {
  const { minimum, maximum } = numberOf(schema)!;
  const bounds =
    minimum === 0 && (maximum === 1 || maximum === 100) ? (maximum === 1 ? "0-1" : "percent") : null;
  const text = /\bpercent\b/i.test(schema.description ?? "") ? "percent" : null;
  return bounds ?? text ?? "no unit";
}

const units = new Map<string, Set<string>>();
for (const tool of Object.values(catalogue))
  for (const [name, schema] of fieldsOf(jsonSchemaOf(tool.output, "output") as Schema)) {
    if (!/probability|newsSentiment/i.test(name) || numberOf(schema) === undefined) continue;
    units.set(name, (units.get(name) ?? new Set()).add(unitOf(schema)));
  }

describe("probabilities in the answers of all tools", () => {
  it("have one unit for each name of a field", () => {
    expect(
      Object.fromEntries([...units].map(([name, found]) => [name, [...found].join()]).toSorted()),
    ).toEqual({
      marketProbability: "percent",
      market_probability: "percent",
      neutral_probability: "percent",
      newsSentiment: "percent",
      news_probability: "percent",
      probability: "0-1",
    });
  });
});
