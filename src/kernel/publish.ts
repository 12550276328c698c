import { z } from "zod";
import { JUDGED_BY, KIND, SEPARATOR } from "../domain/recognisers/field-kinds.ts";
import { TEXT_FORM } from "../domain/text-form.ts";

export type JsonSchema = Record<string, unknown>;

/** Levels of fields that an outline names. Deeper fields have only their type. */
const OUTLINE_DEPTH = 2;
/** JSON Schema keywords that an outline omits from a field that it does not expand. */
const NESTED_KEYWORDS: ReadonlySet<string> = new Set([
  "properties",
  "required",
  "items",
  "additionalProperties",
]);

/**
 * Returns a schema without descriptions that names fields two levels deep. Every value that is valid under the full
 * schema is valid under it too.
 */
export function outlineOf(schema: JsonSchema, levels = OUTLINE_DEPTH): JsonSchema {
  const bare = (value: unknown, left: number): unknown => {
    if (Array.isArray(value)) return value.map((item) => bare(item, left));
    return typeof value === "object" && value !== null ? outlineOf(value as JsonSchema, left) : value;
  };
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      if (key === "description" && typeof value === "string") return [];
      if (levels === 0 && NESTED_KEYWORDS.has(key)) return [];
      // the keys of `properties` are field names, not keywords
      if (key === "properties")
        return [
          [
            key,
            Object.fromEntries(
              Object.entries(value as JsonSchema).map(([name, field]) => [name, bare(field, levels - 1)]),
            ),
          ],
        ];
      return [[key, bare(value, levels)]];
    }),
  );
}

/**
 * Returns the JSON Schema of a tool's input or output, with everything that is checked. `withTextForms` keeps the text
 * forms of objects, `withReading` what says how texts are read. Default: false.
 */
export function jsonSchemaOf(
  schema: z.ZodObject,
  io: "input" | "output",
  {
    withTextForms = false,
    withReading = false,
  }: { readonly withTextForms?: boolean; readonly withReading?: boolean } = {},
): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    reused: "inline",
    // a named format is enough; zod's date-time pattern alone is 256 characters of model context
    override: ({ zodSchema, jsonSchema }) => {
      // zod omits the default of a field that is preprocessed
      if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue;
      if (!withTextForms) delete jsonSchema[TEXT_FORM];
      delete jsonSchema[JUDGED_BY];
      if (!withReading) {
        delete jsonSchema[KIND];
        delete jsonSchema[SEPARATOR];
      }
      if (jsonSchema.format) delete jsonSchema.pattern;
      if (jsonSchema.type === "integer") {
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      }
    },
  });
  return json;
}
