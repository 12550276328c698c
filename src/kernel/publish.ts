import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** Levels of fields an outline names; of what lies deeper it says the type alone. */
const OUTLINE_DEPTH = 2;
/** JSON Schema keywords that an outline omits from a field that it does not expand. */
const NESTED_KEYWORDS: ReadonlySet<string> = new Set([
  "properties",
  "required",
  "items",
  "additionalProperties",
]);

/** The outline of a schema: no words, and of fields in fields in fields only their type. What fits the whole fits it. */
export function outlineOf(schema: JsonSchema, levels = OUTLINE_DEPTH): JsonSchema {
  const bare = (value: unknown, left: number): unknown => {
    if (Array.isArray(value)) return value.map((one) => bare(one, left));
    return typeof value === "object" && value !== null ? outlineOf(value as JsonSchema, left) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (key === "description" && typeof value === "string") return [];
      if (levels === 0 && NESTED_KEYWORDS.has(key)) return [];
      // the names of properties are no keywords
      if (key === "properties")
        return [
          [
            key,
            Object.fromEntries(
              Object.entries(value as JsonSchema).map(([name, of]) => [name, bare(of, levels - 1)]),
            ),
          ],
        ];
      return [[key, bare(value, levels)]];
    }),
  );
}

/** The one JSON Schema we show the world, for MCP, OpenAPI, the command line and the snapshot alike. */
export function jsonSchemaOf(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    reused: "inline",
    // a named format says it all; zod's date-time pattern alone is 256 characters of model context
    override: ({ jsonSchema }) => {
      if (jsonSchema.format) delete jsonSchema.pattern;
      if (jsonSchema.type === "integer") {
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      }
    },
  });
  return json;
}
