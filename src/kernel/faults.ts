import { z } from "zod";
import { REPEATED } from "../lib/json-text.ts";
import { plainText } from "../lib/plain-text.ts";
import { jsonSchemaOf } from "./publish.ts";

/** One thing wrong with an input: where (JSON pointer) and what, as text that is safe to show. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

const MAX_FAULTS = 10;
const MAX_NAME_LENGTH = 40;

/**
 * Returns at most ten faults of an input. A missing value is reported as required, a wrong number with its allowed range,
 * and of a value of the wrong type nothing else. Unknown field names are shortened and stripped of control characters.
 */
export function faultsOf({ issues }: z.ZodError, schema: z.ZodObject, raw: unknown): readonly Fault[] {
  const first = issues.slice(0, 2 * MAX_FAULTS);
  const ofWrongType = new Set(
    first.flatMap(({ code, path }) => (code === "invalid_type" ? [pointerTo(path)] : [])),
  );
  return first
    .filter(({ code, path }) => code === "invalid_type" || !ofWrongType.has(pointerTo(path)))
    .flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.slice(0, MAX_FAULTS).map((key) => unknownFieldFault([...issue.path, key]))
        : [{ pointer: pointerTo(issue.path), detail: detailOf(issue, schema, raw) }],
    )
    .slice(0, MAX_FAULTS);
}

/** Returns the fault of a field that the schema does not have; one that is given twice is refused as such. */
export function unknownFieldFault(path: readonly PropertyKey[], reason = ""): Fault {
  const name = String(path.at(-1));
  return name.endsWith(REPEATED)
    ? {
        pointer: pointerTo([...path.slice(0, -1), name.slice(0, -REPEATED.length)]),
        detail: "is given twice",
      }
    : { pointer: pointerTo(path), detail: `unknown field${reason}` };
}

const detailOf = (issue: z.core.$ZodIssue, schema: z.ZodObject, raw: unknown): string =>
  missingFieldDetail(issue, raw) ??
  rangeDetail(issue, schema) ??
  typeDetail(issue) ??
  lengthDetail(issue) ??
  choiceDetail(issue.message);

/** zod's default messages for a wrong type; custom messages are left as they are. */
const WRONG_TYPE = /^Invalid (?:input|option)(?:$|: expected (one of .+|".+")?)/;

/** Says that a field is required and lists its choices; null if a value was given. */
function missingFieldDetail({ path, message }: z.core.$ZodIssue, raw: unknown): string | null {
  const match = WRONG_TYPE.exec(message);
  if (match === null || path.length === 0) return null;
  const given = path.reduce<unknown>(
    (value, step) => (value as Record<PropertyKey, unknown> | null)?.[step],
    raw,
  );
  if (given !== undefined) return null;
  return match[1] === undefined ? "is required" : `is required: ${match[1]}`;
}

/** Returns zod's default message for a value that is none of the choices in the words of the other faults. */
const choiceDetail = (message: string): string =>
  message.replace(/^Invalid option: expected one of /, "must be one of ");

const TYPE_DETAILS: Readonly<Record<string, string>> = {
  array: "must be a list",
  boolean: "must be true or false",
  number: "must be a number",
  object: "must be an object",
  string: "must be text",
};

/** Names the expected type; null for any other fault. */
function typeDetail(issue: z.core.$ZodIssue): string | null {
  if (issue.code !== "invalid_type" || !WRONG_TYPE.test(issue.message)) return null;
  return TYPE_DETAILS[issue.expected] ?? null;
}

/** zod's default messages for a text or list that is too short or too long. */
const WRONG_LENGTH = /^Too (?:small|big): expected (?:string|array) /;

/** Describes the length of a text or list; null for any other fault. */
function lengthDetail(issue: z.core.$ZodIssue): string | null {
  if (!WRONG_LENGTH.test(issue.message)) return null;
  const unit =
    (issue.code === "too_small" || issue.code === "too_big") && issue.origin === "string"
      ? "character"
      : "item";
  const counted = (count: number | bigint) => `${count} ${unit}${Number(count) === 1 ? "" : "s"}`;
  if (issue.code === "too_small")
    return Number(issue.minimum) === 1 ? "must not be empty" : `must have at least ${counted(issue.minimum)}`;
  return issue.code === "too_big" ? `must have at most ${counted(issue.maximum)}` : null;
}

/** zod's default messages for an invalid number. */
const INVALID_NUMBER = /^(Invalid input|Too (small|big)): expected (number|int)\b/;

/** Describes the type and bounds of a numeric field; null for any other fault, and without bounds. */
function rangeDetail({ path, message }: z.core.$ZodIssue, { shape }: z.ZodObject): string | null {
  const [name] = path;
  const field = typeof name === "string" && path.length === 1 ? shape[name] : undefined;
  if (field === undefined || !INVALID_NUMBER.test(message)) return null;
  const { properties } = jsonSchemaOf(z.object({ field }), "input");
  const {
    type,
    minimum,
    exclusiveMinimum: above,
    maximum,
  } = (properties as { readonly field: Bounds }).field;
  const noun = `must be a ${type === "integer" ? "whole number" : "number"}`;
  if (minimum === undefined && above !== undefined)
    return `${noun} above ${above}${maximum === undefined ? "" : `, at most ${maximum}`}`;
  const from = minimum === undefined ? "" : ` from ${minimum}`;
  const to = maximum === undefined ? "" : ` ${minimum === undefined ? "up " : ""}to ${maximum}`;
  if (from + to === "") return null;
  return `${noun}${to === "" ? `${from} on` : `${from}${to}`}`;
}
interface Bounds {
  readonly type?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

const pointerTo = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => `/${plainText(String(step), MAX_NAME_LENGTH).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
