import politicians from "../data/politicians.json" with { type: "json" };
import { pattern, phrasesOf } from "../phrases.ts";

const NAMES = phrasesOf(politicians);

/** Names of members of Congress as the source of a pattern, in lower case. */
export const POLITICIANS: string = NAMES.join("|").replaceAll("-", "[- ]");

/** Finds names of members of Congress among words in lower case. */
export const POLITICIAN_WORDS = pattern(
  NAMES.map((name) => `${name}('s?)?`),
  "gu",
  "\\S",
);
