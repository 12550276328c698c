import { enumValue } from "./enum-value.ts";
import type { Fields } from "./fields.ts";
import { parseLiteral } from "./json-text.ts";

/** The part of a JSON Schema that decides to which type a value is converted. */
interface Property {
  readonly type?: string;
  readonly items?: Property;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
  /** Kind of the text, for `recognise`. */
  readonly kind?: string;
  /** Joins a list of texts to the text. */
  readonly separator?: string;
}

export interface Coercion {
  /** true: a list of one is read as its item, where one text is expected. Default: false. */
  readonly onlyItems?: boolean;
  /** Returns the value that a text of a kind means in a field, or the text. Default: the text. */
  readonly recognise?: (kind: string, text: string, field: string) => string;
  /** Name of the field that has the value. Default: none. */
  readonly field?: string;
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
 * it spells, one value to a list of it, a number to text, a list of texts to one text. Fields that are null are omitted,
 * and optional fields that are empty or spell null. Any other value stays unchanged; validation rejects it later.
 */
export function coerceValue(property: Property | undefined, value: unknown, how: Coercion = {}): unknown {
  if (property === undefined || value === null || value === undefined) return value;
  const read = typeof value === "string" ? textAs(property, value) : value;
  switch (property.type) {
    case "array":
      return (Array.isArray(read) ? read : [read]).map((item) => coerceValue(property.items, item, how));
    case "object":
      return typeof read === "object" && !Array.isArray(read)
        ? withoutUnset(property, read as Fields, how)
        : read;
    case "string":
      return textOf(property, read, how);
    default:
      return read;
  }
}

/** Returns the text that a value of a text field means; any other value unchanged. */
function textOf(property: Property, value: unknown, how: Coercion): unknown {
  const { kind, separator } = property;
  if (Array.isArray(value)) {
    if (value.length === 1 && how.onlyItems === true) return textOf(property, value[0], how);
    if (separator === undefined || !value.every((item) => typeof item === "string")) return value;
    return value.join(separator);
  }
  const text = typeof value === "number" && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== "string") return text;
  if (separator !== undefined && text.trim().startsWith("[")) {
    const list = parseLiteral(text);
    if (Array.isArray(list)) return textOf(property, list, how);
  }
  if (kind === undefined || how.recognise === undefined) return text;
  return how.recognise(kind, text, how.field ?? "");
}

function withoutUnset({ properties = {}, required = [] }: Property, fields: Fields, how: Coercion): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(
        ([name, value]) =>
          value !== null &&
          value !== undefined &&
          (required.includes(name) || !isUnset(properties[name], value)),
      )
      .map(([name, value]) => [name, coerceValue(properties[name], value, { ...how, field: name })]),
  );
}

/** Returns true for a text that means that no value is given: empty text, or `null` where it can be no value. */
function isUnset(property: Property | undefined, value: unknown): boolean {
  if (property === undefined || typeof value !== "string" || property.kind === "key") return false;
  const text = value.trim();
  return text === "" || (/^(?:null|none|nil|undefined)$/i.test(text) && !takesAnyWord(property, text));
}

/** Returns true for a text field in which a word such as `none` may be a name, or is a choice. */
function takesAnyWord(property: Property, text: string): boolean {
  const { type, enum: words, format, kind, separator, pattern } = property;
  if (type !== "string" || (format ?? kind ?? separator) !== undefined) return false;
  if (words !== undefined) return words.includes(enumValue(words, text));
  return pattern === undefined || new RegExp(pattern).test(text);
}

function textAs(property: Property | undefined, text: string): unknown {
  switch (property?.type) {
    case "array":
      return text.trim() === "" ? text : listOf(property, text);
    case "object": {
      const value = parseLiteral(text);
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
      return withPlus(property, text);
  }
}

/** Returns the list that a text spells: as JSON, as Python prints it, or as items separated by commas or lines. */
function listOf({ items }: Property, text: string): unknown[] {
  const [, inside] = /^\s*[[(](.*)[\])]\s*$/s.exec(text) ?? [];
  const literal = inside === undefined ? undefined : parseLiteral(`[${inside}]`);
  if (Array.isArray(literal)) return literal;
  const parts = (inside ?? text).split(/[,;\n]/);
  if (parts.length > 1 && parts.at(-1)!.trim() === "") parts.pop();
  return parts.map((part) => {
    // a space at the end may be the plus of `A+` in a URL
    const typed = items === undefined ? part : withPlus(items, part.trimStart());
    return textAs(items, typed.trim().replace(/^(['"])(.*)\1$/, "$2"));
  });
}

/** Returns a value of an enumeration or pattern whose plus, as in `A+`, arrived from a URL as a space. */
function withPlus({ enum: words = [], pattern }: Property = {}, text: string): string {
  if (!text.endsWith(" ")) return text;
  const typed = text.replace(/ $/, "+");
  if (pattern !== undefined) return new RegExp(pattern, "i").test(typed) ? typed : text;
  const value = enumValue(words, typed);
  return words.includes(value) ? value : text;
}
