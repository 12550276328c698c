import type { JsonSchema } from "../../kernel/publish.ts";
import { mapSubschemas } from "./subschemas.ts";

/**
 * Returns the schema of a response in the short form of OpenAPI 3.1: a nullable value is one schema with two types, and
 * objects may get further fields in later versions.
 */
export function responseSchema(schema: JsonSchema): JsonSchema {
  const { additionalProperties, ...rest } = mapSubschemas(schema, (subschema) => responseSchema(subschema));
  const short = additionalProperties === false || additionalProperties === undefined;
  return withNullType(short ? rest : { ...rest, additionalProperties });
}

/** Merges an alternative of a plain value and null into one schema with two types. */
function withNullType(schema: JsonSchema): JsonSchema {
  const { anyOf, ...annotations } = schema;
  const [value, none, ...others] = (anyOf ?? []) as readonly JsonSchema[];
  if (value === undefined || none === undefined || others.length > 0) return schema;
  if (none.type !== "null" || typeof value.type !== "string" || isStructured(value)) return schema;
  // both say something: only the place of the value may be described in its own words
  if ("description" in value && "description" in annotations) return schema;
  return {
    ...value,
    type: [value.type, "null"],
    ...(Array.isArray(value.enum) && { enum: [...value.enum, null] }),
    ...annotations,
  };
}

const isStructured = ({ type, $ref, const: constant }: JsonSchema): boolean =>
  type === "object" || type === "array" || $ref !== undefined || constant !== undefined;
