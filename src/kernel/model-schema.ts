import type { z } from "zod";
import { TEXT_FORM } from "../domain/text-form.ts";
import { type JsonSchema, jsonSchemaOf, outlineOf } from "./publish.ts";

/**
 * JSON Schema keywords that the converters of every language model accept. Other keywords, such as `pattern` and
 * `exclusiveMinimum`, make a server or library refuse the whole request, so `invoke` alone checks what they say.
 */
const PORTABLE_KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "description",
  "properties",
  "required",
  "items",
  "enum",
  "default",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
]);
/** Larger bounds only reject absurd numbers and tell a model nothing. */
const MAX_SHOWN_BOUND = 1e6;
/** Nullable fields of outputs are unions. */
const OUTLINE_KEYWORDS: ReadonlySet<string> = new Set([...PORTABLE_KEYWORDS, "anyOf"]);

/** Returns the schema of a tool's input as published to language models. */
export const modelSchemaOf = (input: z.ZodObject): JsonSchema =>
  portableFields(jsonSchemaOf(input, "input", { withTextForms: true }), PORTABLE_KEYWORDS);

/** Returns the outline of a tool's output as published to language models. */
export const modelOutlineOf = (output: z.ZodObject): JsonSchema =>
  portable(outlineOf(jsonSchemaOf(output, "output")), OUTLINE_KEYWORDS);

/** Returns a part of a schema with portable keywords; what has no fixed fields becomes text. */
function portable(schema: JsonSchema, keywords: ReadonlySet<string>): JsonSchema {
  const form = schema[TEXT_FORM];
  if (typeof form === "string") return { type: "string", description: form };
  if (isFreeForm(schema) && keywords === PORTABLE_KEYWORDS) return jsonText(schema);
  return portableFields(schema, keywords);
}

function portableFields(schema: JsonSchema, keywords: ReadonlySet<string>): JsonSchema {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === "const") return typeof value === "string" ? [["enum", [value]]] : [];
    if (!keywords.has(keyword)) return [];
    if (keyword === "enum" && !(value as unknown[]).every((choice) => typeof choice === "string")) return [];
    if ((keyword === "minimum" || keyword === "maximum") && Math.abs(Number(value)) > MAX_SHOWN_BOUND)
      return [];
    if (keyword === "properties")
      return [
        [
          keyword,
          Object.fromEntries(
            Object.entries(value as JsonSchema).map(([name, field]) => [
              name,
              portable(field as JsonSchema, keywords),
            ]),
          ),
        ],
      ];
    if (keyword === "anyOf")
      return [[keyword, (value as JsonSchema[]).map((choice) => portable(choice, keywords))]];
    if (keyword === "items") return [[keyword, itemsOf(portable(value as JsonSchema, keywords), schema)]];
    return [[keyword, value]];
  });
  return Object.fromEntries(entries);
}

/** Returns the schema of the items of a list, without a description if the list has one itself. */
function itemsOf({ description, ...items }: JsonSchema, list: JsonSchema): JsonSchema {
  return description === undefined || list.description !== undefined ? items : { ...items, description };
}

/** Returns true for an object whose fields have no fixed names. */
const isFreeForm = ({ type, properties = {} }: JsonSchema): boolean =>
  type === "object" && Object.keys(properties as JsonSchema).length === 0;

/** Returns the schema of an object as JSON text: several converters refuse objects without named fields. */
const jsonText = ({ description }: JsonSchema): JsonSchema => ({
  type: "string",
  description: `${description === undefined ? "" : `${description}, `}as JSON text`,
});
