import { type Fields, isFields } from "../../lib/fields.ts";
import { parseLiteral, REPEATED } from "../../lib/json-text.ts";

/** The members of a call without those that are arguments, and the arguments with them. */
export interface CallFields {
  readonly fields: Fields;
  readonly arguments: unknown;
}

/**
 * Moves the members of a call that are not `members` into its arguments: clients write them there by mistake, and they
 * may change what is asked. A name that the arguments have too counts as given twice, which is refused. Returns the same
 * fields and arguments if there are none, or if the arguments are no object.
 */
export function callFields(fields: Fields, args: unknown, members: ReadonlySet<string>): CallFields {
  const strays = Object.entries(fields).filter(([name]) => !members.has(name));
  if (strays.length === 0 || !(args === undefined || isFields(args))) return { fields, arguments: args };
  const own: Fields = args ?? {};
  const added = strays.map(([name, value]) =>
    Object.hasOwn(own, name) ? [name + REPEATED, true] : [name, value],
  );
  return {
    fields: Object.fromEntries(Object.entries(fields).filter(([name]) => members.has(name))),
    arguments: { ...own, ...Object.fromEntries(added) },
  };
}

/** Returns the arguments of a tool as an object, also from its JSON text; undefined if there are none. */
export function toolArguments(given: unknown): unknown {
  const read = typeof given === "string" ? jsonObjectOf(given) : given;
  return isEmpty(read) ? undefined : read;
}

/**
 * Returns the object or list that a JSON text means; undefined for an empty text or null. Any other text stays
 * unchanged; the tool rejects it.
 */
function jsonObjectOf(text: string): unknown {
  if (text.trim() === "") return undefined;
  const value = parseLiteral(text);
  if (value === null) return undefined;
  return typeof value === "object" ? value : text;
}

/** Returns true for the spellings of a value that is not given. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
