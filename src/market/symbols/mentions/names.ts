import type { Symbols } from "../../../domain/ports.ts";
import type { Mention } from "./span.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** Maximum number of words in a name. */
const MAX_NAME_WORDS = 8;

/**
 * Returns the longest name that starts at a word, without mentions if several instruments have it; null if there is
 * none.
 */
export function longestName(
  words: readonly Word[],
  at: number,
  { small, symbols }: { readonly small: boolean; readonly symbols: Symbols },
): { readonly length: number; readonly mentions: readonly Mention[] } | null {
  for (let length = Math.min(MAX_NAME_WORDS, words.length - at); length > 0; length--) {
    const slice = words.slice(at, at + length);
    const { text, base } = slice[length - 1]!;
    if (!slice.every(({ naming }) => naming) || text === "&" || slice[0]!.text === "&") continue;
    if (length > 1 && slice.some(({ lower }) => WORDS.versus.has(lower))) continue;
    if (slice.every(({ everyday }) => everyday) && !(small && isCapitalisedName(words, at, length))) continue;
    const before = slice.slice(0, -1).map((word) => word.text);
    for (const last of text === base ? [text] : [text, base]) {
      const name = [...before, last].join(" ");
      const bearers = symbols.named(name).filter((one) => symbols.familiar(one));
      const [instrument, another] = bearers;
      if (instrument !== undefined)
        return { length, mentions: another === undefined ? [{ text: name, instrument }] : [] };
    }
  }
  return null;
}

const isCapital = (word: Word | undefined): boolean => word !== undefined && /^\p{Lu}/u.test(word.text);

/**
 * Returns true if everyday words are capitalised like a name: `Target` within a sentence, but not in `What Is The
 * Target`.
 */
function isCapitalisedName(words: readonly Word[], at: number, length: number): boolean {
  const slice = words.slice(at, at + length);
  const asTitle = (word: Word | undefined) =>
    word !== undefined && isCapital(word) && word.everyday && !word.opens && word.text !== "I";
  const before = words[at - 1];
  return (
    slice.every(({ text }) => /^\p{Lu}.*\p{Ll}/u.test(text)) &&
    !(isCapital(before) && !before!.opens && WORDS.talk.has(before!.lower)) &&
    !(length === 1 && slice[0]!.opens) &&
    ![words[at - 1], words[at + length]].some(asTitle)
  );
}
