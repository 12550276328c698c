import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** A schema without its words: what is checked stays, what is only read goes. */
export function withoutWords(schema: JsonSchema): JsonSchema {
  const bare = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(bare);
    return typeof value === "object" && value !== null ? withoutWords(value as JsonSchema) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (key === "description" && typeof value === "string") return [];
      // the names of properties are no keywords
      if (key === "properties")
        return [
          [
            key,
            Object.fromEntries(Object.entries(value as JsonSchema).map(([name, of]) => [name, bare(of)])),
          ],
        ];
      return [[key, bare(value)]];
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
