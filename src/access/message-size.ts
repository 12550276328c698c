import { ToolError } from "../kernel/errors.ts";
import { nestedWithin } from "../lib/depth.ts";
import { hasMoreValues } from "../lib/json-size.ts";

/** Maximum size of a message over any transport, in bytes. */
export const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Maximum number of values in a message, above which parsing takes long. No tool accepts an input with more. */
const MAX_VALUES = 40_000;
/** Maximum number of levels of objects and lists in a message. */
export const MAX_DEPTH = 100;

/**
 * Parses the JSON text of a message within the bounds of all transports. Throws BODY_TOO_LARGE, or what `parse` throws.
 */
export function readWithinBounds<T>(bytes: Uint8Array, parse: () => T, maxDepth = MAX_DEPTH): T {
  if (hasMoreValues(bytes, MAX_VALUES))
    throw new ToolError("BODY_TOO_LARGE", `A body may have at most ${MAX_VALUES} values`, {
      hint: "Send fewer values in one call.",
      data: { limit_values: MAX_VALUES },
    });
  const value = parse();
  if (!nestedWithin(value, maxDepth))
    throw new ToolError("BODY_TOO_LARGE", `A body may be nested at most ${maxDepth} levels deep`, {
      hint: "Send fewer levels of objects and lists.",
      data: { limit_depth: maxDepth },
    });
  return value;
}
