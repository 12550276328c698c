import { editDistance } from "../../lib/edit-distance.ts";
import type { Listing, Listings } from "./listings.ts";
import { bits, lettersOf, squeeze } from "./name-letters.ts";

interface Name {
  readonly listing: Listing;
  readonly name: string;
  /** One bit for each letter that occurs. */
  readonly letters: number;
}

const MIN_LENGTH = 4;
const MAX_LENGTH = 40;
/** Shortest name with two edits allowed, if its first letter is right. */
const MIN_LENGTH_TWO_EDITS = 8;
/** Shortest name with a wrong first letter allowed. */
const MIN_LENGTH_FIRST_LETTER = 6;

/**
 * Returns a search for misspelt names: the familiar listings with the fewest edits, one at most, two in a long name. Texts of
 * fewer than four letters and exact names return none.
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
    let least = 2;
    for (let length = typed.length - 2; length <= typed.length + 2; length++)
      for (const one of byLength.get(length) ?? []) {
        const most = Math.min(least, mistakes(typed, one.name));
        if (most === 0 || bits(letters & ~one.letters) > most || bits(one.letters & ~letters) > most)
          continue;
        const distance = editDistance(typed, one.name, most);
        if (distance > most) continue;
        if (distance < least) best = new Set();
        least = distance;
        best.add(one.listing);
      }
    return [...best];
  };
}

/** Returns the number of edits allowed, fewer for shorter names. */
function mistakes(typed: string, name: string): number {
  if (typed[0] !== name[0]) {
    // one edit keeps the second letter or moves it by one position
    const near = typed[1] === name[1] || typed[0] === name[1] || typed[1] === name[0];
    return near && name.length >= MIN_LENGTH_FIRST_LETTER ? 1 : 0;
  }
  return name.length < MIN_LENGTH_TWO_EDITS ? 1 : 2;
}
