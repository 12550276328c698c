import { editDistance } from "../../../lib/edit-distance.ts";
import type { Words } from "../../../market/symbols/mentions/words.ts";
import spellings from "../data/spellings.json" with { type: "json" };
import { wordsOfLines } from "../words-of-data.ts";

const KNOWN = wordsOfLines(spellings.correct);
const TELLING = [...KNOWN];
const ORDINARY = wordsOfLines(spellings.neverCorrected);
const SHORT: Readonly<Record<string, string>> = spellings.abbreviations;
const SHORTEST = 5;

/** A text's words in small letters with a space about each, misspelt ones set right, for patterns to read. */
export function plainWords({ words }: Words): string {
  const known = new Map<string, string>();
  const out = words.flatMap(({ lower, everyday }) =>
    lower.split("_").map((part) => {
      const said = known.get(part) ?? SHORT[part] ?? (everyday ? part : right(part));
      known.set(part, said);
      return said;
    }),
  );
  return ` ${out.join(" ")} `;
}

function right(word: string): string {
  if (word.length < SHORTEST || word.length > 14 || KNOWN.has(word) || !/^[a-z]+$/.test(word)) return word;
  const most = word.length > 8 ? 2 : 1;
  const near = TELLING.filter(
    (one) =>
      one[0] === word[0] && one !== `${word}s` && `${one}s` !== word && editDistance(word, one, most) <= most,
  );
  return near.length === 1 && !ORDINARY.has(word) ? near[0]! : word;
}
