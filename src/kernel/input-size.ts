import { jsonSchemaOf } from "./publish.ts";
import type { Tool } from "./tool.ts";

/** Size that every tool accepts: about 64 KB of text or 2,000 values. */
const ACCEPTED_SIZE = 64 * 1024;
/** Maximum size of the input of any tool. */
const MAX_SIZE = 1024 * 1024;
/** Size of each value in addition to its text, because parsing a value takes time too. */
const VALUE_SIZE = 32;
/** Assumed maximum size of a text that is limited by an enum, a format or a pattern. */
const PATTERN_SIZE = 256;

/**
 * Returns the maximum input size of the tool if the input exceeds it, otherwise null. The maximum is 64 KB, or more if the
 * schema allows larger lists and texts.
 */
export function exceededSize({ input }: Pick<Tool, "input">, raw: unknown): number | null {
  if (isWithin(raw, ACCEPTED_SIZE)) return null;
  const largest = Math.min(MAX_SIZE, Math.max(ACCEPTED_SIZE, largestSize(jsonSchemaOf(input, "input"))));
  return isWithin(raw, largest) ? null : largest;
}

/** Returns true if the size of a value is at most `limit`; stops reading once it is exceeded. */
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
