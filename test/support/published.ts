import { createHash } from "node:crypto";
import { MarketMode, Success } from "../../src/domain/answers.ts";
import { jsonSchemaOf } from "../../src/kernel/publish.ts";
import type { Tool } from "../../src/kernel/tool.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** Longest line of a compact definition that may still hold nested objects. */
const MAX_LINE = 230;
/** Shortest JSON text of a repeated sub-schema that becomes a shared block. */
const MIN_BLOCK = 120;
/** The key that refers to a shared block. */
const REFERENCE = "$block";

/** JSON texts of values, which are never changed. */
const texts = new WeakMap<object, string>();
function textOf(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = Array.isArray(value)
    ? `[${value.map(textOf).join(",")}]`
    : `{${Object.entries(value)
        .map(([name, child]) => `${JSON.stringify(name)}:${textOf(child)}`)
        .join(",")}}`;
  texts.set(value, text);
  return text;
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Output field that every tool has, and the one that every tool with market data has; the definitions omit both. */
export const COMMON_FIELD = "understood";
export const LABEL_FIELD = "label";
/** Schemas of output fields that most tools have, by name; the definitions name these only among the required fields. */
export const REQUIRED_FIELDS = { ok: Success, success: Success, market: MarketMode } as const;

/**
 * All public parts of a tool: each field of its definition, with the schemas as JSON Schema, without what all or most
 * tools have: output fields as above and a form for the terminal.
 */
export function publishedDefinition(tool: Tool): JsonObject {
  const { input, handler: _, dropsUnknown: __, topics: ___, terminal: ____, ...fields } = tool;
  const isLabelled = LABEL_FIELD in tool.output.shape;
  const output = tool.output.omit({ [COMMON_FIELD]: true, ...(isLabelled && { [LABEL_FIELD]: true }) });
  const definition = {
    ...fields,
    input: jsonSchemaOf(input, "input"),
    output: withoutRequired(output),
  };
  return JSON.parse(JSON.stringify(definition)) as JsonObject;
}

function withoutRequired(output: Tool["output"]) {
  const { properties, ...schema } = jsonSchemaOf(output, "output");
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const isUsual = (name: string) =>
    output.shape[name] === REQUIRED_FIELDS[name as keyof typeof REQUIRED_FIELDS] && required.includes(name);
  const others = Object.entries(properties ?? {}).filter(([name]) => !isUsual(name));
  return { type: schema.type, properties: Object.fromEntries(others), ...schema };
}

/**
 * Sub-schemas that occur more than once in these definitions, by a name made from their property and a hash of their
 * content.
 */
export function sharedBlocks(definitions: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  const occurrences = new Map<string, number>();
  const countAll = (value: Json): void => {
    if (isObject(value)) increment(occurrences, textOf(value));
    for (const child of childrenOf(value)) countAll(child[1]);
  };
  for (const { input, output } of definitions) for (const schema of [input, output]) countAll(schema!);

  // a sub-schema repeated only within one larger block is written out there
  const references = new Map<string, { readonly key: string; readonly value: JsonObject; count: number }>();
  const visit = (key: string, value: Json): void => {
    if (isObject(value)) {
      const text = textOf(value);
      if (text.length >= MIN_BLOCK && occurrences.get(text)! > 1) {
        const known = references.get(text);
        if (known !== undefined) {
          known.count += 1;
          return;
        }
        references.set(text, { key, value, count: 1 });
      }
    }
    for (const [name, child] of childrenOf(value)) visit(name ?? key, child);
  };
  for (const { input, output } of definitions) for (const schema of [input, output]) visit("schema", schema!);

  const blocks = [...references].filter(([, { count }]) => count > 1);
  return new Map(
    blocks.map(([text, { key, value }]) => [
      `${key}.${createHash("sha256").update(text).digest("hex").slice(0, 8)}`,
      value,
    ]),
  );
}

/** A definition as JSON text with one line per property and references to shared blocks. */
export function compactText(definition: JsonObject, blocks: ReadonlyMap<string, JsonObject>): string {
  return `${printed(withReferences(definition, namesOf(blocks)), "")}\n`;
}

/** The shared blocks as JSON text; a block refers to smaller ones by name. */
export function blocksText(blocks: ReadonlyMap<string, JsonObject>): string {
  const names = namesOf(blocks);
  const entries = [...blocks]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, mapChildren(value, (child) => withReferences(child, names))] as const);
  return `{\n${entries.map(([name, value]) => `  ${JSON.stringify(name)}: ${printed(value, "  ")}`).join(",\n")}\n}\n`;
}

/** Expands a compact text to the full definition. */
export function expand(text: string, blocks: string): Json {
  const shared = JSON.parse(blocks) as JsonObject;
  const resolve = (value: Json): Json => {
    const name = isObject(value) ? value[REFERENCE] : undefined;
    return typeof name === "string" ? resolve(shared[name]!) : mapChildren(value, resolve);
  };
  return resolve(JSON.parse(text) as Json);
}

interface Names {
  /** Names of the blocks by their text. */
  readonly byText: ReadonlyMap<string, string>;
  /** Values with references in place of these blocks. */
  readonly done: WeakMap<object, Json>;
}
const names = new WeakMap<ReadonlyMap<string, JsonObject>, Names>();

function namesOf(blocks: ReadonlyMap<string, JsonObject>): Names {
  const known = names.get(blocks);
  if (known !== undefined) return known;
  const byText = new Map([...blocks].map(([name, value]) => [textOf(value), name]));
  const created = { byText, done: new WeakMap<object, Json>() };
  names.set(blocks, created);
  return created;
}

function withReferences(value: Json, names: Names): Json {
  if (typeof value !== "object" || value === null) return value;
  const known = names.done.get(value);
  if (known !== undefined) return known;
  const name = isObject(value) ? names.byText.get(textOf(value)) : undefined;
  const result =
    name === undefined ? mapChildren(value, (child) => withReferences(child, names)) : { [REFERENCE]: name };
  names.done.set(value, result);
  return result;
}

/**
 * Prints a value on one line if it is short or holds no nested objects, otherwise one entry per line. Keywords of a schema
 * share the line of its opening bracket.
 */
function printed(value: Json, indent: string): string {
  const line = textOf(value);
  const children = childrenOf(value);
  const isFlat = children.every(([, child]) => typeof child !== "object" || child === null);
  if (line.length <= MAX_LINE || isFlat) return line;
  const inner = `${indent}  `;
  const textOfEntry = ([name, child]: (typeof children)[number]): string =>
    `${name === null ? "" : `${JSON.stringify(name)}: `}${printed(child, inner)}`;
  if (Array.isArray(value)) return `[\n${inner}${children.map(textOfEntry).join(`,\n${inner}`)}\n${indent}]`;
  const keywords = children.filter(isKeyword).map(textOfEntry).join(", ");
  const others = children.filter((child) => !isKeyword(child)).map(textOfEntry);
  const lines = [keywords, ...others].filter((text) => text !== "");
  return `{${keywords === "" ? `\n${inner}` : ""}${lines.join(`,\n${inner}`)}\n${indent}}`;
}

/** Returns true for scalars except descriptions, and for the names of required fields. */
const isKeyword = ([name, child]: readonly [string | null, Json]): boolean =>
  name !== "description" && (typeof child !== "object" || child === null || name === "required");

function childrenOf(value: Json): readonly (readonly [string | null, Json])[] {
  if (Array.isArray(value)) return value.map((child: Json) => [null, child] as const);
  return isObject(value) ? Object.entries(value) : [];
}

function mapChildren(value: Json, change: (child: Json) => Json): Json {
  if (Array.isArray(value)) return value.map(change);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, child]) => [name, change(child)]))
    : value;
}

const increment = (counts: Map<string, number>, key: string): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1);
