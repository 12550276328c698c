import { editDistance } from "../../lib/edit-distance.ts";
import type { Listing, Listings } from "./listings.ts";
import { bits, lettersOf, squeeze } from "./name-letters.ts";

interface Name {
  readonly listing: Listing;
  readonly name: string;
  /** Bit set of the letters that occur. */
  readonly letters: number;
}

const MIN_LENGTH = 4;
const MAX_LENGTH = 40;
/** Minimum length of a name for which two edits are allowed if the first letter matches. */
const MIN_LENGTH_TWO_EDITS = 8;
/** Minimum length of a name whose first letter may be wrong. */
const MIN_LENGTH_FIRST_LETTER = 6;

/**
 * Returns a search for misspelt names. It returns the familiar listings at the smallest edit distance: at most one
 * edit, or two in a long name. Texts of fewer than four letters and exact names have no results.
 */
export function misspeltIn({ us, tokens }: Listings): (text: string) => readonly Listing[] {
  const byLength = new Map<number, Name[]>();
  const exact = new Set<string>();
  for (const listing of [...us.values(), ...tokens.values()]) {
    if (!listing.familiar) continue;
    for (const name of new Set([listing.instrument.name, ...listing.aliases].map(squeeze))) {
      exact.add(name);
      if (name.length < MIN_LENGTH) continue;
      const same = byLength.get(name.length) ?? [];
      same.push({ listing, name, letters: lettersOf(name) });
      byLength.set(name.length, same);
    }
  }
  return (text) => {
    if (text.length > MAX_LENGTH) return [];
    const typed = squeeze(text);
    if (typed.length < MIN_LENGTH || exact.has(typed)) return [];
    const letters = lettersOf(typed);
    let best = new Set<Listing>();
    let minDistance = 2;
    for (let length = typed.length - 2; length <= typed.length + 2; length++)
      for (const one of byLength.get(length) ?? []) {
        const maxDistance = Math.min(minDistance, maxEdits(typed, one.name));
        if (
          maxDistance === 0 ||
          bits(letters & ~one.letters) > maxDistance ||
          bits(one.letters & ~letters) > maxDistance
        )
          continue;
        const distance = editDistance(typed, one.name, maxDistance);
        if (distance > maxDistance) continue;
        if (distance < minDistance) best = new Set();
        minDistance = distance;
        best.add(one.listing);
      }
    return [...best];
  };
}

/** Returns the maximum number of edits; smaller for shorter names. */
function maxEdits(typed: string, name: string): number {
  if (typed[0] !== name[0]) {
    // a single edit keeps the second letter or moves it by one position
    const near = typed[1] === name[1] || typed[0] === name[1] || typed[1] === name[0];
    return near && name.length >= MIN_LENGTH_FIRST_LETTER ? 1 : 0;
  }
  return name.length < MIN_LENGTH_TWO_EDITS ? 1 : 2;
}
