import type { Symbols } from "../domain/ports.ts";
import { coerceValue } from "../lib/coerce.ts";
import { plainText } from "../lib/plain-text.ts";
import { withEnumCase } from "./enum-case.ts";
import { ToolError } from "./errors.ts";
import { faultsOf } from "./faults.ts";
import { SYMBOL_FIELDS, withFieldNames } from "./field-names.ts";
import { exceededSize } from "./input-size.ts";
import { jsonSchemaOf } from "./publish.ts";
import type { InputOf, Tool } from "./tool.ts";

type Fields = Readonly<Record<string, unknown>>;

const MAX_ECHO_LENGTH = 60;

export interface ReadInput<T extends Tool> {
  readonly input: InputOf<T>;
  /** Sentences that say how values were read, where the meaning is not exactly what was sent. */
  readonly understood: readonly string[];
}

/**
 * Reads the input of a tool as people and language models write it: other names of a field, numbers as text, null for an
 * absent field, one value for a list, a company name for a symbol. Throws INVALID_INPUT, which names the first faults
 * and the fields of the tool, and BODY_TOO_LARGE for an input above the maximum size of the tool.
 */
export function readInput<T extends Tool>(tool: T, raw: unknown, symbols?: Symbols): ReadInput<T> {
  const { given, input } = parse(tool, raw);
  const named = symbols === undefined || !takesNames(tool) ? input : withSymbols(input, symbols);
  return { input: named, understood: understoodOf(given, named) };
}

function parse<T extends Tool>(
  tool: T,
  raw: unknown,
): { readonly given: unknown; readonly input: InputOf<T> } {
  const limit = exceededSize(tool, raw);
  if (limit !== null)
    throw new ToolError(
      "BODY_TOO_LARGE",
      `The input of "${tool.name}" is larger than ${Math.round(limit / 1024)} KB`,
      { hint: "Send fewer or shorter values in one call." },
    );
  const asSent = tool.input.safeParse(withEnumCase(tool.input, raw));
  if (asSent.success) return { given: raw, input: asSent.data as InputOf<T> };
  const given = coerceValue(jsonSchemaOf(tool.input, "input"), withKnownNames(tool, raw));
  const input = tool.input.safeParse(withEnumCase(tool.input, given));
  if (input.success) return { given, input: input.data as InputOf<T> };
  const errors = faultsOf(input.error, tool.input, given);
  const faults = errors
    .slice(0, 3)
    .map(({ pointer, detail }) => (pointer === "" ? detail : `${pointer.slice(1) || '""'}: ${detail}`));
  throw new ToolError("INVALID_INPUT", `Invalid input for "${tool.name}": ${faults.join("; ")}`, {
    hint: `Fields: ${Object.keys(tool.input.shape).join(", ") || "none"}.`,
    data: { errors },
    cause: input.error,
  });
}

const withKnownNames = ({ input }: Tool, raw: unknown): unknown =>
  isFields(raw) ? withFieldNames(raw, Object.keys(input.shape)) : raw;

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

function symbolOf(text: unknown, symbols: Symbols): unknown {
  if (typeof text !== "string" || symbols.find(text) !== null) return text;
  const other = symbols.notListed?.(text) ?? null;
  if (other !== null) return other.kind === "renamed" ? other.instrument!.symbol : text;
  const [only, another] = symbols.named(text);
  return only === undefined || another !== undefined ? text : only.symbol;
}

function understoodOf(given: unknown, input: Fields): readonly string[] {
  if (!isFields(given)) return [];
  return Object.entries(given).flatMap(([field, sent]) => {
    const read = input[field];
    if (!Array.isArray(sent)) return noteOn(field, sent, read);
    return sent.flatMap((item, i) => noteOn(field, item, Array.isArray(read) ? read[i] : undefined));
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

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
