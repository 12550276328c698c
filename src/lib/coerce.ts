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
      return enumValue(property?.enum, text);
  }
}

/**
 * Returns the only enum value that equals the text case-insensitively, else the text. The plus of `A+` arrives from a
 * URL as a space.
 */
function enumValue(words: readonly unknown[] = [], text: string): string {
  const folded = (word: string) => word.toLowerCase().replace(/ $/, "+");
  const matches = words.filter((word) => typeof word === "string" && folded(word) === folded(text));
  return words.includes(text) || matches.length !== 1 ? text : (matches[0] as string);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
