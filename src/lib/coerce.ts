import { enumValue } from "./enum-value.ts";

type Property = { type?: string; items?: Property; enum?: readonly unknown[] };

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
      return text.endsWith(" ") ? withPlus(property?.enum, text) : text;
  }
}

/** Returns an enum value whose plus, as in `A+`, arrived from a URL as a space. */
const withPlus = (words: readonly unknown[] = [], text: string): string => {
  const value = enumValue(words, text.replace(/ $/, "+"));
  return words.includes(value) ? value : text;
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
