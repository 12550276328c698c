import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import { jsonSchemaOf } from "../../src/kernel/publish.ts";
import type { Tool } from "../../src/kernel/tool.ts";

type Json = Readonly<Record<string, any>>;

/** Scale of a published figure by what its schema says; null if it says none. */
function scaleOf({ minimum, maximum, description = "" }: Json): string | null {
  if (/-1 (?:to 1|sold|all sold|bearish)/.test(description) || (minimum === -1 && maximum === 1))
    return "-1 to 1";
  if (/\b0-100\b|\b0 \(.*to 100|clipped to 0-100/.test(description)) return "0-100";
  if (/percent\b/i.test(description)) return "percent";
  if (maximum === 100) return "0-100";
  if (/\b0-1\b|\b0 to 1\b|[Ss]hare /.test(description) || maximum === 1) return "0-1";
  return null;
}

/** Yields each number of a schema with its field, its place and its scale. */
function* figuresIn(
  schema: Json,
  place: string,
  field = "",
): Generator<{ readonly field: string; readonly place: string; readonly scale: string }> {
  const { anyOf = [], properties = {}, items, description } = schema;
  const scale = [schema.type].flat().includes("number") ? scaleOf(schema) : null;
  if (scale !== null) yield { field, place, scale };
  for (const one of anyOf)
    yield* figuresIn({ ...one, description: one.description ?? description }, place, field);
  for (const [name, child] of Object.entries<Json>(properties))
    yield* figuresIn(child, `${place}.${name}`, name);
  if (items !== undefined) yield* figuresIn(items, place, field);
}

/** Fields that carry a figure of any kind, whose unit their neighbour names. */
const CARRIERS = /^(value|weight|from|to|low|high|percent|share)$/;

describe("the figures of all tools", () => {
  const figures = (Object.values(catalogue) as readonly Tool[]).flatMap((tool) => [
    ...figuresIn(jsonSchemaOf(tool.output, "output"), tool.name),
  ]);
  const places = new Map<string, Map<string, string>>();
  for (const { field, place, scale } of figures) {
    if (CARRIERS.test(field)) continue;
    const known = places.get(field) ?? new Map<string, string>();
    known.set(scale, place);
    places.set(field, known);
  }

  it("have one unit for each name of a field", () => {
    const several = [...places].filter(([, scales]) => scales.size > 1);
    expect(several.map(([field, scales]) => [field, Object.fromEntries(scales)])).toEqual([]);
    expect(places.get("score")).toEqual(new Map([["0-100", expect.any(String)]]));
    expect([...places.keys()].length).toBeGreaterThan(40);
  });

  it("name percent in the field or in its description", () => {
    const unnamed = figures.filter(
      ({ field, scale }) => /_(?:pct|percent)$/.test(field) && scale !== "percent" && scale !== "0-100",
    );
    expect(unnamed.map(({ place }) => place)).toEqual([]);
  });
});
