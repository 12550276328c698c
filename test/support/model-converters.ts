/**
 * How the published schema of a tool is converted for language models, written from the documented rules of each. A
 * function throws for a schema that the original would refuse.
 */
type Schema = Readonly<Record<string, unknown>>;

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Schema;
}

/** @throws Error that names the keyword and the place of what the converter refuses */
type Converter = (tool: ModelTool) => unknown;

const refuse = (path: string, why: string): never => {
  throw new Error(`${path}: ${why}`);
};

const propertiesOf = (schema: Schema): readonly (readonly [string, Schema])[] =>
  Object.entries((schema.properties ?? {}) as Record<string, Schema>);

function requireKeywords(schema: Schema, allowed: readonly string[], path: string): void {
  const unknown = Object.keys(schema).find((keyword) => !allowed.includes(keyword));
  if (unknown !== undefined) refuse(path, `unsupported keyword ${unknown}`);
}

const STRICT_FORMATS = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const STRICT_KEYWORDS = [
  ...["type", "description", "properties", "required", "additionalProperties", "items", "enum", "anyOf"],
  ...["pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["minItems", "maxItems"],
];
const MAX_STRICT_DEPTH = 10;

/**
 * OpenAI strict mode: every field is required, an optional one may be null, no object has further fields, defaults are
 * dropped. @see https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
export const openAiStrict: Converter = ({ name, inputSchema }) => {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) refuse(name, "invalid name");
  if (inputSchema.type !== "object") refuse(name, "the root is not an object");
  const convert = ({ default: _, ...schema }: Schema, path: string, depth: number): Schema => {
    requireKeywords(schema, STRICT_KEYWORDS, path);
    if (depth > MAX_STRICT_DEPTH) refuse(path, "nested too deeply");
    if (schema.format !== undefined && !STRICT_FORMATS.includes(String(schema.format)))
      refuse(path, `unsupported format ${schema.format}`);
    if (/\(\?[=!<]/.test(String(schema.pattern ?? ""))) refuse(path, "look-around in a pattern");
    if (schema.type === "array")
      return { ...schema, items: convert(schema.items as Schema, `${path}[]`, depth + 1) };
    if (schema.type !== "object") return schema;
    if (schema.properties === undefined || typeof schema.additionalProperties === "object")
      refuse(path, "an object without fixed fields");
    const required = (schema.required ?? []) as readonly string[];
    const properties = propertiesOf(schema).map(([field, part]) => {
      const converted = convert(part, `${path}.${field}`, depth + 1);
      return [
        field,
        required.includes(field) ? converted : { anyOf: [converted, { type: "null" }] },
      ] as const;
    });
    return {
      ...schema,
      properties: Object.fromEntries(properties),
      required: properties.map(([field]) => field),
      additionalProperties: false,
    };
  };
  return { type: "function", strict: true, name, parameters: convert(inputSchema, name, 1) };
};

const GEMINI_KEYWORDS = [
  ...["type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems"],
  ...["properties", "required", "minProperties", "maxProperties", "minimum", "maximum", "minLength"],
  ...["maxLength", "pattern", "example", "anyOf", "propertyOrdering", "default"],
];
const GEMINI_FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

/**
 * Gemini function declarations: a subset of OpenAPI 3.0; enumerations hold texts, objects have fields.
 * @see https://ai.google.dev/api/caching#Schema
 */
export const geminiDeclaration: Converter = ({ name, description, inputSchema }) => {
  if (!/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name)) refuse(name, "invalid name");
  const convert = ({ additionalProperties, ...schema }: Schema, path: string): Schema => {
    if (typeof additionalProperties === "object") refuse(path, "an object without fixed fields");
    requireKeywords(schema, GEMINI_KEYWORDS, path);
    const { type, format } = schema;
    if (typeof type !== "string") refuse(path, "several types");
    if (format !== undefined && !GEMINI_FORMATS[String(type)]?.includes(String(format)))
      refuse(path, `unsupported format ${format}`);
    const choices = schema.enum as readonly unknown[] | undefined;
    if (
      choices !== undefined &&
      (type !== "string" || choices.some((one) => typeof one !== "string" || one === ""))
    )
      refuse(path, "an enumeration of other values than texts");
    if (type === "array" && schema.items === undefined) refuse(path, "a list without items");
    if (type === "object" && propertiesOf(schema).length === 0) refuse(path, "an object without fields");
    return {
      ...schema,
      type: String(type).toUpperCase(),
      ...(schema.items !== undefined && { items: convert(schema.items as Schema, `${path}[]`) }),
      ...(schema.properties !== undefined && {
        properties: Object.fromEntries(
          propertiesOf(schema).map(([field, part]) => {
            if (!/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/.test(field)) refuse(`${path}.${field}`, "invalid name");
            return [field, convert(part, `${path}.${field}`)];
          }),
        ),
      }),
    };
  };
  // a function without parameters has none, because an object without fields is refused
  const parameters = propertiesOf(inputSchema).length === 0 ? undefined : convert(inputSchema, name);
  return { name, description, parameters };
};

/** Repetitions from which the grammar parser refuses a rule. */
const MAX_REPETITIONS = 2_000;
const GRAMMAR_FORMATS = ["date", "time", "date-time", "uuid"];

/**
 * The grammar that llama.cpp builds of a schema, before its version of September 2026: patterns are anchored and know
 * neither classes such as `\d` nor look-ahead. @see https://github.com/ggml-org/llama.cpp/tree/master/grammars
 */
export const llamaGrammar: Converter = ({ name, inputSchema }) => {
  const rules: string[] = [];
  const repetition = (least: unknown, most: unknown, path: string) => {
    if (Number(most ?? 0) >= MAX_REPETITIONS) refuse(path, `more than ${MAX_REPETITIONS} repetitions`);
    return `{${least ?? 0},${most ?? ""}}`;
  };
  const define = (rule: string, body: string): string => {
    rules.push(`${rule} ::= ${body}`);
    return rule;
  };
  const visit = (schema: Schema, rule: string): string => {
    for (const keyword of ["propertyNames", "not", "if", "patternProperties", "contains", "$dynamicRef"])
      if (keyword in schema) refuse(rule, `unsupported keyword ${keyword}`);
    const choices = (schema.enum ?? (schema.const === undefined ? undefined : [schema.const])) as unknown[];
    if (choices !== undefined)
      return define(rule, choices.map((one) => JSON.stringify(JSON.stringify(one))).join(" | "));
    const either = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
    if (either !== undefined)
      return define(rule, either.map((part, i) => visit(part, `${rule}-${i}`)).join(" | "));
    switch (schema.type) {
      case "object": {
        const required = (schema.required ?? []) as readonly string[];
        const fields = propertiesOf(schema).map(([field, part]) => {
          const pair = `"\\"${field}\\":" ${visit(part, `${rule}-${field}`)}`;
          return required.includes(field) ? pair : `(${pair})?`;
        });
        return define(rule, `"{" ${fields.join(' "," ')} "}"`);
      }
      case "array": {
        const item = visit((schema.items ?? {}) as Schema, `${rule}-item`);
        return define(
          rule,
          `"[" (${item} ("," ${item})${repetition(schema.minItems, schema.maxItems, rule)})? "]"`,
        );
      }
      case "string": {
        const pattern = schema.pattern as string | undefined;
        if (pattern !== undefined) {
          if (!/^\^.*\$$/.test(pattern)) refuse(rule, "a pattern without anchors");
          if (/\\[a-zA-Z]|\(\?/.test(pattern)) refuse(rule, `unsupported pattern ${pattern}`);
        }
        if (schema.format !== undefined && !GRAMMAR_FORMATS.includes(String(schema.format)))
          refuse(rule, `unsupported format ${schema.format}`);
        return define(rule, `"\\"" char${repetition(schema.minLength, schema.maxLength, rule)} "\\""`);
      }
      case "number":
      case "integer":
      case "boolean":
      case "null":
        return define(rule, String(schema.type));
      default:
        return refuse(rule, `unsupported type ${JSON.stringify(schema.type)}`);
    }
  };
  visit(inputSchema, name);
  return rules.join("\n");
};

/**
 * Anthropic's tools: an object at the top without a union, short plain names.
 * @see https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use
 */
export const anthropicTool: Converter = ({ name, description, inputSchema }) => {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) refuse(name, "invalid name");
  if (inputSchema.type !== "object") refuse(name, "the root is not an object");
  for (const union of ["anyOf", "oneOf", "allOf"])
    if (union in inputSchema) refuse(name, `${union} at the root`);
  const visit = (schema: Schema, path: string): void => {
    for (const [field, part] of propertiesOf(schema)) {
      if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(field)) refuse(`${path}.${field}`, "invalid name");
      visit(part, `${path}.${field}`);
    }
    if (schema.items !== undefined) visit(schema.items as Schema, `${path}[]`);
    if (String(schema.$ref ?? "#").startsWith("#") === false) refuse(path, "a reference to another document");
  };
  visit(inputSchema, name);
  return { name, description, input_schema: inputSchema };
};

const OPENAPI_KEYWORDS = [
  ...["type", "description", "required", "properties", "items", "allOf", "anyOf", "oneOf", "format"],
  ...["const", "minLength", "enum", "additionalProperties", "default"],
  ...["minimum", "maximum", "minItems", "maxItems"],
];

/**
 * The Vercel AI SDK: a schema goes to each provider as it is, or as its OpenAPI 3 subset, which drops what it does not
 * know; so a keyword that would be dropped is refused here. @see https://ai-sdk.dev/docs/reference/ai-sdk-core/json-schema
 */
export const vercelTool: Converter = ({ name, description, inputSchema }) => {
  if (inputSchema.type !== "object" || inputSchema.properties === undefined)
    refuse(name, "no object with properties");
  const convert = (schema: Schema, path: string): Schema => {
    requireKeywords(schema, OPENAPI_KEYWORDS, path);
    if (Array.isArray(schema.type)) refuse(path, "several types");
    return {
      ...schema,
      ...(schema.const !== undefined && { enum: [schema.const] }),
      ...(schema.items !== undefined && { items: convert(schema.items as Schema, `${path}[]`) }),
      ...(schema.properties !== undefined && {
        properties: Object.fromEntries(
          propertiesOf(schema).map(([field, part]) => [field, convert(part, `${path}.${field}`)]),
        ),
      }),
    };
  };
  return { name, description, inputSchema: convert(inputSchema, name) };
};

/** Every converter by its name. */
export const CONVERTERS = {
  openAiStrict,
  geminiDeclaration,
  llamaGrammar,
  anthropicTool,
  vercelTool,
} as const;
