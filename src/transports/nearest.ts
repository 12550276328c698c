import { editDistance } from "../lib/edit-distance.ts";

const MOST = 5;
/** No tool has a longer name. */
const LONGEST = 64;

/** The few names that take the fewest slips to reach from what was asked for, nearest first, however many there are. */
export function nearestNames(asked: string, names: readonly string[]): readonly string[] {
  const typed = asked.slice(0, LONGEST).toLowerCase();
  return names
    .map((name) => ({ name, slips: editDistance(typed, name, LONGEST) }))
    .sort((a, b) => a.slips - b.slips)
    .slice(0, MOST)
    .map(({ name }) => name);
}
