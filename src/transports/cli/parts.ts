import { coerceText } from "../../lib/coerce.ts";
import type { Part } from "./fields.ts";

/** A part that was said, as text. */
export interface PartValue {
  readonly part: Part;
  readonly text: string;
}

/** The input with what was said of its objects one by one; that wins over their JSON, and JSON that is no object stays for the schema to refuse. */
export function mergeParts(
  input: Readonly<Record<string, unknown>>,
  said: readonly PartValue[],
): Record<string, unknown> {
  const whole = { ...input };
  for (const { part, text } of said) {
    const { of, name } = part;
    const before = whole[of.name] ?? {};
    if (typeof before !== "object") continue;
    whole[of.name] = {
      ...before,
      ...coerceText({ properties: of.schema.properties ?? {} }, { [name]: text }),
    };
  }
  return whole;
}
