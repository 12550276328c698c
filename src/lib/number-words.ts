const WORDS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** Numbers by their words in English, up to nineteen and of the tens. */
const NUMBERS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(WORDS.map((word, number) => [word, number])),
  ...Object.fromEntries(TENS.map((word, i) => [word, 10 * (i + 2)])),
  a: 1,
  an: 1,
  couple: 2,
  few: 3,
};
const ONES = WORDS.slice(1, 10).join("|");
const COMPOUND = new RegExp(`^(${TENS.join("|")})[ -](${ONES})$`);

/** Returns the words of the numbers from `from`, at most nineteen, to ninety-nine as alternatives for a pattern. */
export const numberWords = (from = 0): string =>
  [`(?:${TENS.join("|")})(?:[ -](?:${ONES}))?`, ...WORDS.slice(from)].join("|");

/** Converts digits, words such as `ten` and `twenty-five`, `a`, `a couple of` or `few` to a number; NaN for any other text. */
export function numberOf(text: string): number {
  const words = text.toLowerCase().replace(/^a (?=couple|few)| of$/g, "");
  const [, ten, one] = COMPOUND.exec(words) ?? [];
  return ten === undefined ? (NUMBERS[words] ?? Number(text)) : NUMBERS[ten]! + NUMBERS[one!]!;
}
