import { readTime } from "../../../domain/recognisers/time-text.ts";
import type { Amount } from "../../../domain/trading/trading.ts";
import { type Decimal, decimal, truncated } from "../../../lib/decimal.ts";
import { isFields } from "../../../lib/fields.ts";
import { parseNumber } from "../../../lib/number-format.ts";
import { plainText } from "../../../lib/plain-text.ts";
import { foreignCurrencyIn, normalizedName } from "../../trading/import/columns.ts";
import { sideOfText } from "../../trading/import/row-kinds.ts";
import { type FieldName, meaningOfName, type NameMeaning } from "./field-names.ts";

const MAX_ECHO = 20;
const MAX_NAME = 60;
const MAX_TEXT = 200;
/** Maximum size of an amount. */
const MAX_AMOUNT = decimal("1e15");
/** Significant digits of a number above which it may be the rounding of a sum, and of what the sum was. */
const MAX_DIGITS = 15;
const MAX_ROUNDED_DIGITS = 12;
/** Names of the number in an object that is an amount. */
const AMOUNT_NAMES = ["amount", "value"];
/** Texts that brokers use for an unknown value. */
const UNKNOWN = /^(|-+|n\/?a|none|null|unknown)$/i;

/** Why a row cannot be read. */
export class UnreadableRow extends Error {}

/** @throws UnreadableRow */
export function refuse(why: string): never {
  throw new UnreadableRow(why);
}

/** Returns text of a broker for a reason: one line of at most 20 characters. */
export const echo = (text: string): string =>
  `"${plainText(text.slice(0, MAX_TEXT), MAX_ECHO).replaceAll('"', "'")}"`;

interface PlacedValue {
  /** Place of the name among those of the field, most common first. */
  readonly place: number;
  readonly value: unknown;
}

/** Values of a row that are not empty, by field; those of the row itself before those of objects in it. */
export type BrokerFields = ReadonlyMap<FieldName, readonly PlacedValue[]>;

/** Reads the values of a row or object of a broker, also those one level down, such as `instrument.symbol`. */
export type FieldReader = (row: unknown) => BrokerFields;

/** Creates the reader of one snapshot, whose rows have the same names: each is looked up once. */
export function createFieldReader(): FieldReader {
  const meanings = new Map<string, NameMeaning>();
  const meaningOf = (sent: string): NameMeaning => {
    const meaning = meanings.get(sent) ?? meaningOfName(normalizedName(sent.slice(0, MAX_NAME)));
    meanings.set(sent, meaning);
    return meaning;
  };
  return (row) => fieldsOf(row, meaningOf);
}

function fieldsOf(row: unknown, meaningOf: (sent: string) => NameMeaning): BrokerFields {
  const found = new Map<FieldName, PlacedValue[]>();
  const add = ({ fields }: NameMeaning, value: unknown): void => {
    if (fields.length === 0 || !isFilled(value)) return;
    for (const { field, place } of fields) found.set(field, [...(found.get(field) ?? []), { place, value }]);
  };
  const entries = Object.entries(isFields(row) ? row : {});
  for (const [sent, value] of entries) {
    const amount = isFields(value) ? AMOUNT_NAMES.map((one) => value[one]).find(isFilled) : value;
    add(meaningOf(sent), amount);
    if (isFields(value) && amount !== undefined) add(meaningOf("currency"), value.currency);
  }
  for (const [sent, value] of entries)
    if (isFields(value) && meaningOf(sent).isContainer)
      for (const [inner, part] of Object.entries(value))
        if (!AMOUNT_NAMES.includes(inner)) add(meaningOf(inner), part);
  for (const values of found.values()) values.sort((a, b) => a.place - b.place);
  return found;
}

/** Returns true for a value that a row may hold: numbers, texts other than those for an unknown value, and flags. */
const isFilled = (value: unknown): boolean =>
  typeof value === "string"
    ? !UNKNOWN.test(value.slice(0, MAX_TEXT).trim())
    : typeof value === "number" || typeof value === "boolean";

/** Returns all values of a field, most common name first. */
export const valuesOf = (fields: BrokerFields, field: FieldName): readonly unknown[] =>
  fields.get(field)?.map(({ value }) => value) ?? [];

/** Returns all texts of a field, cut to 200 characters. */
export const textsOf = (fields: BrokerFields, field: FieldName): readonly string[] =>
  valuesOf(fields, field).flatMap((value) =>
    typeof value === "string" ? [value.trim().slice(0, MAX_TEXT)] : [],
  );

/**
 * Reads a number or text as an exact amount, without the binary rounding of a sum and with at most nine decimal places:
 * 0.30000000000000004 is 0.3. Returns null for any other value and above 1e15.
 */
export function readAmount(value: unknown): Amount | null {
  const isNumber = typeof value === "number" && Number.isFinite(value);
  const read = isNumber ? decimal(value) : typeof value === "string" ? parseNumber(value, "us") : null;
  if (read === null || read.abs().gte(MAX_AMOUNT)) return null;
  const near = read.c.length > MAX_DIGITS ? read.prec(MAX_DIGITS) : read;
  return amountText(near.c.length <= MAX_ROUNDED_DIGITS ? near : read);
}

/**
 * Returns the amount of a field, from its most common name; null if it has no value.
 * @throws UnreadableRow for a value that is no amount
 */
export function amountOf(fields: BrokerFields, field: FieldName): Amount | null {
  const value = valuesOf(fields, field).find((one) => typeof one !== "boolean");
  return value === undefined ? null : amountAs(field, value);
}

/**
 * Returns the number of units of a field; null if it has none.
 * @throws UnreadableRow for a value that is no amount, and for two names with different values
 */
export function unitsOf(fields: BrokerFields, field: FieldName): Decimal | null {
  const values = valuesOf(fields, field).filter((value) => typeof value !== "boolean" && !isSide(value));
  const [first, ...others] = values.map((value) => amountAs(field, value));
  if (others.some((other) => other !== first)) refuse("two fields name different quantities");
  return first === undefined ? null : decimal(first);
}

/** Returns true for a side in place of a quantity, such as a position `Long`. */
const isSide = (value: unknown): boolean =>
  typeof value === "string" && ["long", "short"].includes(sideOfText(value.slice(0, MAX_TEXT)) ?? "");

/** Formats an amount of a row. */
export function amountText(value: Decimal): Amount {
  const text = truncated(value);
  return text === "-0" ? "0" : text;
}

/** @throws UnreadableRow for a value that is no amount */
const amountAs = (field: FieldName, value: unknown): Amount =>
  readAmount(value) ?? refuse(`the ${fieldText(field)} ${echo(String(value))} is not a number`);

/**
 * Returns the price of a field; null if it has none, or 0, which brokers write for no price.
 * @throws UnreadableRow for a value that is no amount, and below 0
 */
export function priceOf(fields: BrokerFields, field: FieldName): Amount | null {
  const amount = amountOf(fields, field);
  if (amount === null || decimal(amount).eq(0)) return null;
  return decimal(amount).lt(0) ? refuse(`the ${fieldText(field)} is below 0`) : amount;
}

const fieldText = (field: FieldName): string => field.replaceAll("_", " ");

/** Times that are no counts of days: dates in the order of ISO 8601, epoch seconds and milliseconds. */
const TIME = /^(?:\d{4}[-/.]?\d{2}[-/.]?\d{2}(?!\d)|\d{10}(?:\.\d+)?$|\d{13}$)/;

/** Reads a time in ISO 8601, epoch seconds or milliseconds as epoch ms, in UTC by default. Returns null for other values. */
export function readMoment(value: unknown): number | null {
  const text = typeof value === "number" || typeof value === "string" ? String(value).trim() : "";
  const read = TIME.test(text) ? readTime(text, new Date(0), "time") : null;
  return read === null ? null : Date.parse(read);
}

/** Returns the currency of a row, if it is another than the US dollar; otherwise null. */
export const foreignCurrencyOf = (fields: BrokerFields): string | null =>
  textsOf(fields, "currency").flatMap((text) => foreignCurrencyIn(text.toUpperCase()) ?? [])[0] ?? null;

/** @throws UnreadableRow for a row in another currency than the US dollar */
export function refuseForeignCurrency(fields: BrokerFields): void {
  const foreign = foreignCurrencyOf(fields);
  if (foreign !== null) refuse(`it is in ${plainText(foreign, MAX_ECHO)}, not in US dollars`);
}
