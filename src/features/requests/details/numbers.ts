import { numberOf, numberWords } from "../../../lib/number-words.ts";

const COUNT = `(\\d{1,3}|${numberWords(1)})`;
const COUNTED = [
  `\\b(?:top|best|worst|bottom|strongest|weakest|hottest|first|give me|show me|list|name|pick) (?:the )?${COUNT}\\b(?! ?(?:%|percent|-?week|-?day|-?month|-?year|-?hour))`,
  `\\b(?<![$.]|stage[ -])${COUNT} (?:\\p{L}+ ){0,2}(?:stocks|shares|companies|coins|tokens|cryptos|etfs|funds|names|setups|longs|shorts|ideas|picks|trades)\\b`,
].map((source) => new RegExp(source, "iu"));

/** Returns the requested number of lines of a list; null if not stated. */
export function countIn(text: string): number | null {
  const counts = COUNTED.map((counted) => numberOf(counted.exec(text)?.[1] ?? ""));
  return counts.find((count) => count > 0) ?? null;
}

/** Matches an amount with its unit, for a pattern: `1,500`, `1.5k`, `2 million`. */
export const AMOUNT = "\\d[\\d,]*(?:\\.\\d+)?(?: ?(?:k|m|mn|b|thousand|million|billion)\\b)?";
const UNITS: Readonly<Record<string, number>> = { k: 1e3, t: 1e3, m: 1e6, b: 1e9 };

/** Converts an amount to a number; 0 for any other text. */
export function amountOf(text: string): number {
  const [, digits = "", unit = ""] = /^([\d,.]+) ?([a-z]?)/i.exec(text) ?? [];
  return Number(digits.replaceAll(",", "")) * (UNITS[unit.toLowerCase()] ?? 1);
}
