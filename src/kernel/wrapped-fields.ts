import { type Fields, isFields } from "../lib/fields.ts";
import { parseLiteral } from "../lib/json-text.ts";
import { isClientField } from "./client-fields.ts";
import { snakeCase } from "./field-names.ts";
import type { Tool } from "./tool.ts";

/** Names under which frameworks put all fields of a tool, one level too deep. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "arguments",
  "argument",
  "args",
  "kwargs",
  "input",
  "inputs",
  "tool_input",
  "parameters",
  "params",
  "properties",
]);

/** Returns true for a name under which frameworks put the fields of a tool. */
export const isWrapper = (name: string): boolean => WRAPPERS.has(snakeCase(name));

/**
 * Returns the fields of a tool that only reads, with those in an object named `input`, `kwargs` or the like, which may be
 * JSON text, and the names of such objects. An object with a field that is also given outside of it, or in an earlier
 * object, stays as it is and is refused later.
 */
export function unwrap(
  tool: Pick<Tool, "name" | "input" | "dropsUnknown">,
  fields: Fields,
): { readonly fields: Fields; readonly unwrapped: readonly string[] } {
  if (!tool.dropsUnknown) return { fields, unwrapped: [] };
  let read = fields;
  const unwrapped: string[] = [];
  for (const [given, value] of Object.entries(fields)) {
    const name = snakeCase(given);
    if (!WRAPPERS.has(name) || Object.hasOwn(tool.input.shape, name)) continue;
    if (isClientField({ name, given, fields }, tool.name)) continue;
    const inner = typeof value === "string" ? parseLiteral(value) : value;
    if (!isFields(inner) || Object.keys(inner).some((one) => Object.hasOwn(read, one))) continue;
    const { [given]: _, ...others } = read;
    read = { ...others, ...inner };
    unwrapped.push(given);
  }
  return { fields: read, unwrapped };
}
