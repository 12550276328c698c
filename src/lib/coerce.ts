import { enumValue } from "./enum-value.ts";

/** The part of a JSON Schema that decides to which type a value is converted. */
interface Property {
  readonly type?: string;
  readonly items?: Property;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Property>>;
}

/**
 * Converts text values (of a query string or command line) to the types of a JSON Schema object; objects are parsed as
 * JSON. Text that cannot be converted stays unchanged; validation rejects it later.
 */
export function coerceText(
  schema: { properties?: Record<string, unknown> },
  given: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([key, text]) => [key, textAs(schema.properties?.[key] as Property, text)]),
  );
}

/**
 * Converts a JSON value to the type of its schema where the meaning is certain: text to the number, list or object that
 * it spells, one value to a list of it, a number to text. Fields that are null are omitted. Any other value stays unchanged;
 * validation rejects it later.
 */
export function coerceValue(property: Property | undefined, value: unknown): unknown {
  if (property === undefined || value === null) return value;
  const read = typeof value === "string" ? textAs(property, value) : value;
  switch (property.type) {
    case "array":
      return (Array.isArray(read) ? read : [read]).map((item) => coerceValue(property.items, item));
    case "object":
      return typeof read === "object" && !Array.isArray(read) ? withoutNulls(property, read as Fields) : read;
    case "string":
      return typeof read === "number" && Number.isFinite(read) ? String(read) : read;
    default:
      return read;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function withoutNulls({ properties = {} }: Property, fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, coerceValue(properties[name], value)]),
  );
}

function textAs(property: Property | undefined, text: string): unknown {
  switch (property?.type) {
    case "array": {
      const list = text.trim().startsWith("[") ? parsed(text) : undefined;
      return Array.isArray(list) ? list : text.split(",").map((item) => textAs(property.items, item.trim()));
    }
    case "object": {
      const value = parsed(text);
      return typeof value === "object" && value !== null && !Array.isArray(value) ? value : text;
    }
    case "boolean": {
      const word = text.trim().toLowerCase();
      return word === "true" ? true : word === "false" ? false : text;
    }
    case "integer":
    case "number":
      return /^-?\d{1,16}(\.\d{1,16})?$/.test(text.trim()) ? Number(text) : text;
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
