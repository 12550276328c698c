import { numberOf, numberWords } from "./number-words.ts";

const COUNT = `(\\d{1,3}|${numberWords(1)})`;
const COUNTED = [
  new RegExp(
    `\\b(?:top|best|worst|bottom|strongest|weakest|hottest|first|give me|show me|list|name|pick) (?:the )?${COUNT}\\b(?! ?(?:%|percent|-?week|-?day|-?month|-?year|-?hour))`,
    "i",
  ),
  new RegExp(
    `\\b(?<![$.]|stage[ -])${COUNT} (?:\\p{L}+ ){0,2}(?:stocks|shares|companies|coins|tokens|cryptos|etfs|funds|names|setups|longs|shorts|ideas|picks|trades)\\b`,
    "iu",
  ),
];

/** Returns the requested number of lines of a list; null if not stated. */
export function countIn(text: string): number | null {
  for (const counted of COUNTED) {
    const said = counted.exec(text)?.[1];
    if (said === undefined) continue;
    const count = numberOf(said);
    if (count > 0) return count;
  }
  return null;
}
