import { z } from "zod";
import type { Fields } from "../lib/fields.ts";
import { innerType } from "./enum-case.ts";

const ONE_SYMBOL: readonly string[] = ["symbol", "sym", "ticker"];
const SEVERAL_SYMBOLS: readonly string[] = ["symbols", "syms", "tickers"];
/** Input fields that take symbols. */
export const SYMBOL_FIELDS: ReadonlySet<string> = new Set([...ONE_SYMBOL, ...SEVERAL_SYMBOLS]);

/** Names with one meaning; a tool has the field under one of them. */
const SAME_MEANING: readonly (readonly string[])[] = [
  ["timeframe", "interval", "tf"],
  ["query", "q"],
  ["agent", "name"],
  ["engaged", "enabled"],
  ["from", "start", "start_date", "from_date"],
  ["to", "end", "end_date", "to_date"],
  ["expiry", "expiration", "expiration_date"],
  ["quantity", "qty"],
];

/** Names under which a tool may have a field, by the name that a caller uses; the nearest name first. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map([
  ...ONE_SYMBOL.map((name) => [name, [...ONE_SYMBOL, ...SEVERAL_SYMBOLS]] as const),
  ...SEVERAL_SYMBOLS.map((name) => [name, [...SEVERAL_SYMBOLS, ...ONE_SYMBOL]] as const),
  ...SAME_MEANING.flatMap((names) => names.map((name) => [name, names] as const)),
]);

/**
 * Returns the fields under the names that the tool gives them: `asOf` becomes `as_of`, `ticker` becomes `symbol`, `grades`
 * becomes `grade`. A name that stays unknown, or whose field is also given, is unchanged; validation rejects it later.
 */
export function withFieldNames(fields: Fields, { shape }: Pick<z.ZodObject, "shape">): Fields {
  const given = Object.entries(fields);
  const taken = new Set(given.flatMap(([name, value]) => (isOmitted(value) ? [] : [name])));
  const read = given.map(([name, value]): [string, unknown] => {
    if (Object.hasOwn(shape, name))
      return [name, ONE_SYMBOL.includes(name) && !isList(shape[name]) ? onlyItem(value) : value];
    const known = knownName(name, shape);
    if (known === undefined || taken.has(known)) return [name, value];
    taken.add(known);
    return [known, isList(shape[known]) ? value : onlyItem(value)];
  });
  // empty values come first, so that the value under another name replaces them
  return Object.fromEntries(read.sort(([, a], [, b]) => Number(isOmitted(b)) - Number(isOmitted(a))));
}

const isOmitted = (value: unknown): boolean => value === null || value === undefined || value === "";

/** Returns a name in snake case: `asOf`, `as-of` and `As Of` become `as_of`. */
export const snakeCase = (name: string): string =>
  name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .replace(/[\s.-]+/g, "_")
    .toLowerCase();

/** Returns every name under which a tool takes one of its fields, except spellings and plurals. */
export const namesTaken = (names: readonly string[]): readonly string[] => [
  ...new Set([...names, ...names.flatMap((name) => SYNONYMS.get(name) ?? [])]),
];

/** Returns the field of a tool that a name means; undefined if there is none. */
export function knownName(name: string, shape: z.ZodObject["shape"]): string | undefined {
  const snake = snakeCase(name);
  const names = Object.keys(shape);
  const plain = folded(snake);
  return (
    names.find((one) => folded(one) === plain) ??
    SYNONYMS.get(snake)?.find((one) => names.includes(one)) ??
    names.find((one) => isNumberOf(one, plain, shape[one]!))
  );
}

/** Returns true if a name is the singular or plural of a field that takes text or a list. */
const isNumberOf = (name: string, plain: string, schema: z.core.$ZodType): boolean =>
  (isList(schema) || isText(schema)) && (isPlural(plain, folded(name)) || isPlural(folded(name), plain));

/** Returns true if a word is the plural of another: `classes` of `class`, `parties` of `party`. */
const isPlural = (plural: string, one: string): boolean =>
  (!one.endsWith("s") && plural === `${one}s`) ||
  (/(?:s|x|ch|sh)$/.test(one) && plural === `${one}es`) ||
  (/[^aeiou]y$/.test(one) && plural === `${one.slice(0, -1)}ies`);

const folded = (name: string): string => name.replaceAll("_", "");
const isList = (schema: z.core.$ZodType): boolean => innerType(schema) instanceof z.ZodArray;
function isText(schema: z.core.$ZodType): boolean {
  const type = innerType(schema);
  return type instanceof z.ZodString || type instanceof z.ZodEnum;
}

/** Returns the item of a list of one, for a field that takes one value; any other value unchanged. */
const onlyItem = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);
