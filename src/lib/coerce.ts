import { enumValue } from "./enum-value.ts";

type Property = { type?: string; items?: Property; enum?: readonly unknown[]; pattern?: string };

/**
 * Converts text values (of a query string or command line) to the types of a JSON Schema object; objects are parsed as
 * JSON. Text that cannot be converted stays unchanged; validation rejects it later.
 */
export function coerceText(
  schema: { properties?: Record<string, unknown> },
  given: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([key, text]) => [key, coerce(schema.properties?.[key] as Property, text)]),
  );
}

function coerce(property: Property | undefined, text: string): unknown {
  switch (property?.type) {
    case "array": {
      const list = text.trim().startsWith("[") ? parsed(text) : undefined;
      return Array.isArray(list) ? list : text.split(",").map((item) => coerce(property.items, item.trim()));
    }
    case "object": {
      const value = parsed(text);
      return typeof value === "object" && value !== null && !Array.isArray(value) ? value : text;
    }
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "integer":
    case "number":
      return /^-?\d{1,16}(\.\d{1,16})?$/.test(text) ? Number(text) : text;
    default:
      return text.endsWith(" ") ? withPlus(property, text) : text;
  }
}

/** Returns a value of an enumeration or pattern whose plus, as in `A+`, arrived from a URL as a space. */
function withPlus({ enum: words = [], pattern }: Property = {}, text: string): string {
  const typed = text.replace(/ $/, "+");
  if (pattern !== undefined) return new RegExp(pattern, "i").test(typed) ? typed : text;
  const value = enumValue(words, typed);
  return words.includes(value) ? value : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
