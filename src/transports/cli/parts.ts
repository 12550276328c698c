import { coerceText } from "../../lib/coerce.ts";
import type { Part } from "./fields.ts";

export interface PartValue {
  readonly part: Part;
  readonly text: string;
}

/**
 * Adds parts to the object fields of an input. A part replaces the same member of the JSON. JSON that is not an object
 * is unchanged; the schema rejects it later.
 */
export function mergeParts(
  input: Readonly<Record<string, unknown>>,
  parts: readonly PartValue[],
): Record<string, unknown> {
  const merged = { ...input };
  for (const { part, text } of parts) {
    const { of, name } = part;
    const before = merged[of.name] ?? {};
    if (typeof before !== "object") continue;
    merged[of.name] = {
      ...before,
      ...coerceText({ properties: of.schema.properties ?? {} }, { [name]: text }),
    };
  }
  return merged;
}
