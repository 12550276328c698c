const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** Returns the words of numbers up to ten as a choice of a pattern. */
export const numberWords = (from = 0): string => NUMBERS.slice(from).join("|");

/** Returns the number of digits, a word up to ten or `a`; NaN for anything else. */
export function numberOf(said: string): number {
  const word = said.toLowerCase();
  const place = NUMBERS.indexOf(word);
  return place >= 0 ? place : word === "a" || word === "an" ? 1 : Number(word);
}
