import { editDistance } from "../lib/edit-distance.ts";

const MAX_SUGGESTIONS = 5;
/** No tool has a longer name. */
const MAX_NAME_LENGTH = 64;

/** The few names that take the fewest slips to reach from what was asked for, nearest first, however many there are. */
export function nearestNames(asked: string, names: readonly string[]): readonly string[] {
  const typed = asked.slice(0, MAX_NAME_LENGTH).toLowerCase();
  return names
    .map((name) => ({ name, slips: editDistance(typed, name, MAX_NAME_LENGTH) }))
    .sort((a, b) => a.slips - b.slips)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}
