const LIST = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Joins words as in a sentence: `a`, `a and b`, `a, b and c`. */
export const joinWords = (words: readonly string[]): string => LIST.format(words);

/** Formats a price in US dollars; null as `unknown`. */
export const dollars = (price: number | null): string =>
  price === null
    ? "unknown"
    : `$${price.toLocaleString("en-US", { minimumFractionDigits: price % 1 === 0 ? 0 : 2, maximumFractionDigits: 12 })}`;

/** Returns the sentence in a list if the condition holds; else an empty list. */
export const when = (holds: boolean, sentence: string): readonly string[] => (holds ? [sentence] : []);

const MAX_NAMES = 3;

/** Joins names, at most 3 of them with the number of the others. */
export const shortList = (names: readonly string[]): string =>
  names.slice(0, MAX_NAMES).join(", ") +
  (names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "");
