import { findByName } from "../domain/market/resolve-name.ts";
import type { Ports, Symbols } from "../domain/ports.ts";
import { comingDay } from "../domain/recognisers/coming-day.ts";
import { isTimeKind } from "../domain/recognisers/field-kinds.ts";
import { dayOfPeriod } from "../domain/recognisers/period-text.ts";
import { readTime } from "../domain/recognisers/time-text.ts";
import { coerceValue } from "../lib/coerce.ts";
import { type Fields, isFields } from "../lib/fields.ts";
import { plainText } from "../lib/plain-text.ts";
import { withEnumCase } from "./enum-case.ts";
import { ToolError } from "./errors.ts";
import { type Fault, faultsOf } from "./faults.ts";
import { SYMBOL_FIELDS, withFieldNames } from "./field-names.ts";
import { exceededSize } from "./input-size.ts";
import { jsonSchemaOf } from "./publish.ts";
import type { InputOf, Tool } from "./tool.ts";
import { notAppliedNotes, splitFields } from "./unknown-fields.ts";
import { unwrap } from "./wrapped-fields.ts";

const MAX_ECHO_LENGTH = 60;

export interface ReadInput<T extends Tool> {
  readonly input: InputOf<T>;
  /** Names of the fields as sent that were not applied. */
  readonly dropped: readonly string[];
  /** Sentences that say what was not applied and how values were read, where that is not exactly what was sent. */
  readonly understood: readonly string[];
}

/** Ports for reading values. Without `symbols`, names stay unchanged; without `clock`, times such as `yesterday` do. */
export type ReadingPorts = Partial<Pick<Ports, "symbols" | "clock">>;

/**
 * Reads the input of a tool as people and language models write it: other names of a field, numbers as text, null for an
 * absent field, one value for a list, a company name for a symbol, `2w` for a time. Fields that the tool does not have are
 * dropped or refused, as `splitFields` says. Throws INVALID_INPUT, which names the first faults and the fields of the
 * tool, and BODY_TOO_LARGE for an input above the maximum size of the tool.
 */
export function readInput<T extends Tool>(
  tool: T,
  raw: unknown,
  { symbols, clock }: ReadingPorts = {},
): ReadInput<T> {
  const { given, input, dropped, unwrapped } = parse(tool, raw, clock?.now());
  const named = symbols === undefined || !takesNames(tool) ? input : withSymbols(input, symbols);
  return {
    input: named,
    dropped,
    understood: [
      ...notAppliedNotes(tool.name, dropped),
      ...unwrapped.map((name) => `${name}: its fields were read as those of ${tool.name}.`),
      ...understoodOf(given, named),
    ],
  };
}

interface Parsed<T extends Tool> {
  readonly given: unknown;
  readonly input: InputOf<T>;
  readonly dropped: readonly string[];
  /** Names of the objects whose fields were read as those of the tool. */
  readonly unwrapped: readonly string[];
}

function parse<T extends Tool>(tool: T, raw: unknown, now: Date | undefined): Parsed<T> {
  const limit = exceededSize(tool, raw);
  if (limit !== null)
    throw new ToolError(
      "BODY_TOO_LARGE",
      `The input of "${tool.name}" is larger than ${Math.round(limit / 1024)} KB`,
      { hint: "Send fewer or shorter values in one call." },
    );
  if (!hasSpeltValue(raw)) {
    const asSent = tool.input.safeParse(withEnumCase(tool.input, raw));
    if (asSent.success) return { given: raw, input: asSent.data as InputOf<T>, dropped: [], unwrapped: [] };
  }
  if (!isFields(raw)) throw invalidInput(tool, faultsIn(tool, raw));
  const { fields, unwrapped } = unwrap(tool, raw);
  const { known, dropped, faults } = splitFields(tool, withFieldNames(fields, tool.input));
  const schema = jsonSchemaOf(tool.input, "input", { withReading: true });
  const how = { onlyItems: tool.effect === "read" };
  const given = coerceValue(schema, known, how);
  const recognise = (kind: string, text: string, field: string) => {
    if (now === undefined || !isTimeKind(kind)) return text;
    const isComing = kind === "coming_day";
    const isRange = field === "from" || field === "to";
    return (
      (isRange ? dayOfPeriod(text, now, { isLast: field === "to", isComing }) : null) ??
      readTime(text, now, kind) ??
      (isComing ? comingDay(text, now) : null) ??
      text
    );
  };
  const read = withEnumCase(tool.input, coerceValue(schema, known, { ...how, recognise }));
  const input = tool.input.safeParse(read);
  if (input.success && faults.length === 0)
    return { given, input: input.data as InputOf<T>, dropped, unwrapped };
  throw invalidInput(tool, [...(input.success ? [] : faultsOf(input.error, tool.input, given)), ...faults]);
}

const MAX_FAULTS = 10;

/** Returns the error on an input, which names the first three of at most ten faults. */
function invalidInput({ name, input }: Tool, faults: readonly Fault[]): ToolError {
  const errors = faults.slice(0, MAX_FAULTS);
  const named = errors
    .slice(0, 3)
    .map(({ pointer, detail }) => (pointer === "" ? detail : `${pointer.slice(1) || '""'}: ${detail}`));
  return new ToolError("INVALID_INPUT", `Invalid input for "${name}": ${named.join("; ")}`, {
    hint: `Fields: ${Object.keys(input.shape).join(", ") || "none"}.`,
    data: { errors },
  });
}

function faultsIn({ input }: Tool, raw: unknown): readonly Fault[] {
  const { error } = input.safeParse(raw);
  return error === undefined ? [] : faultsOf(error, input, raw);
}

/** Matches texts that a field may take as they are although they mean no value, or a list. */
const SPELT = /^\s*(?:$|[[('"]|(?:null|none|nil|undefined)\s*$)/i;
const hasSpeltValue = (raw: unknown): boolean =>
  isFields(raw) && Object.values(raw).some((value) => typeof value === "string" && SPELT.test(value));

/** Returns true if a name may stand for a symbol: not where an order, an alert or a stored list depends on it. */
const takesNames = ({ effect }: Tool): boolean => effect === "read";

/** Replaces a company or token name by the symbol of the only instrument with that name. */
function withSymbols<Input extends Fields>(input: Input, symbols: Symbols): Input {
  const changed = Object.entries(input).flatMap(([field, value]) => {
    if (!SYMBOL_FIELDS.has(field)) return [];
    const read = Array.isArray(value) ? value.map((one) => symbolOf(one, symbols)) : symbolOf(value, symbols);
    return [[field, read] as const];
  });
  return changed.length === 0 ? input : { ...input, ...Object.fromEntries(changed) };
}

const symbolOf = (text: unknown, symbols: Symbols): unknown =>
  typeof text !== "string" || symbols.find(text) !== null
    ? text
    : (findByName(text, symbols)?.instrument.symbol ?? text);

function understoodOf(given: unknown, input: Fields): readonly string[] {
  if (!isFields(given)) return [];
  return Object.entries(given).flatMap(([field, sent]) => {
    const read = input[field];
    if (!Array.isArray(sent) && !Array.isArray(read)) return noteOn(field, sent, read);
    return [sent].flat().flatMap((item, i) => noteOn(field, item, Array.isArray(read) ? read[i] : undefined));
  });
}

function noteOn(field: string, sent: unknown, read: unknown): readonly string[] {
  if (typeof sent === "number" && typeof read === "string" && Number.isFinite(Number(read)))
    return Number(read) === sent ? [] : [`${field}: ${sent} was read as ${read}.`];
  if (typeof sent !== "string" || typeof read !== "string") return [];
  const [was, is] = [sent, read].map((text) => text.trim().toLowerCase());
  if (was === is) return [];
  const zone = is === `${was!.replace(" ", "t")}z` ? ", a time in UTC" : "";
  return [
    `${field}: "${plainText(sent, MAX_ECHO_LENGTH)}" was read as ${plainText(read, MAX_ECHO_LENGTH)}${zone}.`,
  ];
}
