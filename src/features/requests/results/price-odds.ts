import type { PriceOddsTopic } from "../details/price-odds.ts";

/** Matches the lines of the text of get_odds that answer a part of a question; a range is in its first line. */
const LINES: Partial<Readonly<Record<PriceOddsTopic, RegExp>>> = {
  plan: /, target in /,
  levels: / is touched within /,
  volatility: /^ *Annualized volatility/,
};

/** Returns the text of get_odds with the lines that answer a part of a question first. */
export function withPartFirst(text: string, part: PriceOddsTopic): string {
  const { [part]: words } = LINES;
  const all = text.split("\n");
  const first = all.filter((line) => words?.test(line) === true);
  return [...first.map((line) => line.trim()), ...all.filter((line) => !first.includes(line))].join("\n");
}
