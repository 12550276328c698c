import politicians from "../data/politicians.json" with { type: "json" };
import { pattern, phrasesOf } from "../phrases.ts";

const NAMES = phrasesOf(politicians);

/** Lower-case names of members of Congress, as the source of a regular expression. */
export const POLITICIANS: string = NAMES.join("|").replaceAll("-", "[- ]");

/** Matches names of members of Congress among lower-case words. */
export const POLITICIAN_WORDS = pattern(
  NAMES.map((name) => `${name}('s?)?`),
  "gu",
  "\\S",
);
