const WORDS = "zero one two three four five six seven eight nine ten".split(" ");

/** Numbers by their words in English. */
export const NUMBER_WORDS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(WORDS.map((word, number) => [word, number])),
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  thirty: 30,
  sixty: 60,
};

const ALL: Readonly<Record<string, number>> = { ...NUMBER_WORDS, a: 1, an: 1, couple: 2, few: 3 };

/** Returns the number words from `from` up to ten as alternatives for a pattern. */
export const numberWords = (from = 0): string => WORDS.slice(from).join("|");

/** Converts digits, a number word, `a`, `a couple of` or `few` to a number; NaN for any other text. */
export const numberOf = (text: string): number =>
  ALL[text.toLowerCase().replace(/^a (?=couple|few)| of$/g, "")] ?? Number(text);
