import { editDistance } from "../lib/edit-distance.ts";
import type { Fields } from "../lib/fields.ts";
import { REPEATED } from "../lib/json-text.ts";
import { plainText } from "../lib/plain-text.ts";
import { isClientField } from "./client-fields.ts";
import { type Fault, unknownFieldFault } from "./faults.ts";
import { meaningOf } from "./field-meaning.ts";
import { knownName, namesTaken, snakeCase } from "./field-names.ts";
import { NOT_APPLIED, type Tool } from "./tool.ts";
import { isWrapper } from "./wrapped-fields.ts";

/** Maximum number of unknown fields that are dropped. */
const MAX_DROPPED = 50;
const MAX_NAMED = 8;
const MAX_NAME_LENGTH = 40;
/** Maximum number of edits between a name and the known name that it is most likely meant to be. */
const MAX_EDITS = 2;

/** The fields of a call, split by whether the tool has them. */
export interface SplitFields {
  readonly known: Fields;
  /** Names of the fields that are dropped, as sent. */
  readonly dropped: readonly string[];
  /** One fault for each field that is refused. */
  readonly faults: readonly Fault[];
}

/**
 * Splits fields by whether the tool has them. What clients add for themselves is dropped. Of a tool that reads, other
 * unknown fields are dropped too, unless they are nearly a known name, or mean a symbol, time, side, filter or key. A
 * field that is given twice is refused.
 */
export function splitFields(
  tool: Pick<Tool, "name" | "input" | "dropsUnknown">,
  fields: Fields,
): SplitFields {
  const { shape } = tool.input;
  const known: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (Object.hasOwn(shape, name)) known[name] = value;
    else unknown.push(name);
  }
  const dropped: string[] = [];
  const faults: Fault[] = [];
  const drops = tool.dropsUnknown && unknown.length <= MAX_DROPPED;
  for (const given of unknown) {
    const name = snakeCase(given);
    const isRepeated = given.endsWith(REPEATED);
    const isOdd = isRepeated || given in Object.prototype;
    const isDropped = !isOdd && isClientField({ name, given, fields }, tool.name);
    const reason =
      isOdd || isDropped || unknown.length > MAX_DROPPED ? null : reasonOf(name, fields[given], shape);
    if (isDropped || (!isOdd && reason === null && drops)) dropped.push(given);
    else faults.push(unknownFieldFault([given], reason ?? ""));
  }
  return { known, dropped, faults };
}

/** Returns the end of the sentence on a field that must not be dropped; null for any other. */
function reasonOf(name: string, value: unknown, shape: Tool["input"]["shape"]): string | null {
  if (isWrapper(name) && value !== null && value !== "" && !isEmptyObject(value))
    return "; write its fields at the top level, each by its name";
  const same = knownName(name, shape);
  if (same !== undefined) return `; ${same} is given too`;
  const names = Object.keys(shape);
  const near = nearestName(name, namesTaken(names));
  if (near !== undefined) return `; did you mean ${knownName(near, shape)}?`;
  const meaning = meaningOf(name);
  if (meaning === null) return null;
  if (meaning === "a key") return "; a key belongs in the Authorization header";
  const others = names.filter((one) => meaningOf(one) === meaning);
  return others.length === 0
    ? `; this tool has no field for ${meaning}`
    : `; for ${meaning} this tool has ${others.join(", ")}`;
}

const isEmptyObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** Returns the nearest of the names within two edits; of short names within one, of three letters within none. */
function nearestName(name: string, names: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  return names
    .map((one) => ({ one, edits: editDistance(name, one, MAX_EDITS), allowed: allowedEdits(name, one) }))
    .filter(({ edits, allowed }) => edits <= allowed)
    .sort((a, b) => a.edits - b.edits)[0]?.one;
}

function allowedEdits(a: string, b: string): number {
  const length = Math.max(a.length, b.length);
  return length <= 3 ? 0 : length === 4 ? 1 : MAX_EDITS;
}

/** Returns the sentence on the fields that were not applied; empty without any. */
export function notAppliedNotes(tool: string, dropped: readonly string[]): readonly string[] {
  if (dropped.length === 0) return [];
  const named = dropped.slice(0, MAX_NAMED).map((name) => `"${plainText(name, MAX_NAME_LENGTH)}"`);
  const more = dropped.length - named.length;
  return [
    `${NOT_APPLIED}${tool} has no field ${named.join(", ")}${more === 0 ? "" : ` and ${more} others`}.`,
  ];
}
