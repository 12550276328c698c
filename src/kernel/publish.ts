import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

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
