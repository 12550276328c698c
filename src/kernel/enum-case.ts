import { z } from "zod";
import { enumValue } from "../lib/enum-value.ts";

/**
 * Returns the input with the values of its enumerations in the case of the schema: `hot` becomes `HOT`. Free texts,
 * values that match no choice, and values whose schema reads spellings itself (preprocessing) stay unchanged;
 * validation rejects those later.
 */
export function withEnumCase(schema: z.core.$ZodType, value: unknown): unknown {
  const type = innerType(schema);
  if (typeof value === "string")
    return isPreprocessed(schema)
      ? value
      : type instanceof z.ZodEnum
        ? enumValue(type.options, value)
        : type instanceof z.ZodLiteral
          ? enumValue([...type.values], value)
          : value;
  if (Array.isArray(value))
    return type instanceof z.ZodArray ? value.map((item) => withEnumCase(type.element, item)) : value;
  if (typeof value !== "object" || value === null || !(type instanceof z.ZodObject)) return value;
  const { shape } = type;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      Object.hasOwn(shape, name) ? withEnumCase(shape[name], part) : part,
    ]),
  );
}

/** Returns true if the value is preprocessed, inside defaults and optional fields. */
const isPreprocessed = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodPipe
    ? schema.in instanceof z.ZodTransform
    : (schema instanceof z.ZodOptional ||
        schema instanceof z.ZodNullable ||
        schema instanceof z.ZodDefault ||
        schema instanceof z.ZodPrefault) &&
      isPreprocessed(schema.unwrap());

/** Returns the type of the value inside defaults, optional fields and preprocessing. */
export function innerType(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return innerType(schema.unwrap());
  if (schema instanceof z.ZodPipe)
    return innerType(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema;
}
