import { editDistance } from "./edit-distance.ts";

const MAX_SUGGESTIONS = 5;
/** Maximum length of a tool name. */
const MAX_NAME_LENGTH = 64;

/** Returns up to 5 names with the smallest edit distance to the requested one, nearest first. */
export function nearestNames(typedName: string, names: readonly string[]): readonly string[] {
  const typed = typedName.slice(0, MAX_NAME_LENGTH).toLowerCase();
  return names
    .map((name) => ({ name, distance: editDistance(typed, name.toLowerCase(), MAX_NAME_LENGTH) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

/** Maximum edit distance of a misspelt name. */
const MAX_EDITS = 2;

/** Returns the name that was probably meant: the nearest one, with at most two edits; undefined without one. */
export const misspeltName = (typed: string, names: readonly string[]): string | undefined =>
  nearestNames(typed, names).find((name) => editDistance(typed.toLowerCase(), name, MAX_EDITS) <= MAX_EDITS);
