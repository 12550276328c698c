import type { JsonSchema } from "../../kernel/publish.ts";

/** Keywords whose value is a schema. */
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set(["items", "additionalProperties"]);
/** Keywords whose value is a list of schemas. */
const LIST_KEYWORDS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);

/**
 * Copies a schema with each of its direct subschemas mapped. `field`: the name of the field that holds the subschema; of
 * the items of a list `items`, of a part of the schema itself `allOf`; null for an alternative of the schema itself.
 */
export function mapSubschemas(
  schema: JsonSchema,
  map: (subschema: JsonSchema, field: string | null) => unknown,
): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === "properties" && isObject(value))
        return [
          keyword,
          Object.fromEntries(
            Object.entries(value).map(([field, each]) => [field, map(each as JsonSchema, field)]),
          ),
        ];
      if (LIST_KEYWORDS.has(keyword) && Array.isArray(value))
        return [keyword, value.map((each) => map(each, keyword === "allOf" ? keyword : null))];
      if (SCHEMA_KEYWORDS.has(keyword) && isObject(value)) return [keyword, map(value, "items")];
      return [keyword, value];
    }),
  );
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
