const LIST = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Joins words as in a sentence: `a`, `a and b`, `a, b and c`. */
export const joinWords = (words: readonly string[]): string => LIST.format(words);

/** Formats a price in US dollars; null as `unknown`. */
export const dollars = (price: number | null): string =>
  price === null
    ? "unknown"
    : `$${price.toLocaleString("en-US", { minimumFractionDigits: price % 1 === 0 ? 0 : 2, maximumFractionDigits: 12 })}`;
