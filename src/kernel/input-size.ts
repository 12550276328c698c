import { jsonSchemaOf } from "./publish.ts";
import type { Tool } from "./tool.ts";

/** Size within which every input is parsed; about 64 KB of text or 2,000 values. */
const USUAL_SIZE = 64 * 1024;
/** Largest size of any input. */
const MAX_SIZE = 1024 * 1024;
/** Size of a value apart from its text: parsing a number takes as long as some text. */
const VALUE_SIZE = 32;
/** Size assumed for a text that its values, format or pattern limit. */
const PATTERN_SIZE = 256;

/**
 * Returns the largest size of an input that the tool accepts, if the given one is larger; else null. It is at least 64
 * KB, and more only if the schema allows larger lists and texts.
 */
export function exceededSize({ input }: Pick<Tool, "input">, raw: unknown): number | null {
  if (isWithin(raw, USUAL_SIZE)) return null;
  const largest = Math.min(MAX_SIZE, Math.max(USUAL_SIZE, largestSize(jsonSchemaOf(input, "input"))));
  return isWithin(raw, largest) ? null : largest;
}

/** Returns true if a value is at most `limit` large; reads no more of it than that. */
function isWithin(raw: unknown, limit: number): boolean {
  const unread = [raw];
  let size = 0;
  while (unread.length > 0 && size <= limit) {
    const value = unread.pop();
    size += VALUE_SIZE;
    if (typeof value === "string") size += value.length;
    else if (Array.isArray(value)) {
      if (value.length * VALUE_SIZE > limit) return false;
      for (const item of value) unread.push(item);
    } else if (typeof value === "object" && value !== null)
      for (const key in value) {
        size += key.length;
        unread.push((value as Record<string, unknown>)[key]);
        if (unread.length * VALUE_SIZE > limit) return false;
      }
  }
  return size <= limit;
}

const textSize = (schema: Readonly<Record<string, unknown>>): number =>
  ["enum", "const", "format", "pattern"].some((key) => schema[key] !== undefined) ? PATTERN_SIZE : Infinity;

/** Returns the size of the largest value that a schema allows; infinite if it has no bound. */
function largestSize(schema: Readonly<Record<string, any>>): number {
  const { type, properties, items, additionalProperties, maxItems, maxProperties } = schema;
  const parts = (all: readonly Readonly<Record<string, any>>[]) => all.map(largestSize);
  if (type === "string") return VALUE_SIZE + (schema.maxLength ?? textSize(schema));
  if (type === "array") return VALUE_SIZE + (maxItems ?? Infinity) * largestSize(items ?? {});
  if (type === "object") {
    const named = Object.entries<Readonly<Record<string, any>>>(properties ?? {});
    const others = typeof additionalProperties === "object" ? (maxProperties ?? Infinity) : 0;
    const other = others === 0 ? 0 : others * (PATTERN_SIZE + largestSize(additionalProperties));
    return named.reduce((sum, [name, part]) => sum + name.length + largestSize(part), VALUE_SIZE + other);
  }
  return Math.max(VALUE_SIZE, ...parts(schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []));
}
