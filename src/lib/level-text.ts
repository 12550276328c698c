const DISTANCE =
  /^(?<sign>[+-]?)\s*(?<count>\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})\s*(?<unit>%|percent|pct|(?:x|times|\*)?\s*atrs?(?:\s*\(?14\)?)?)(?:\s+(?<side>above|below|up|down))?$/;

/**
 * Returns a distance from a price in canonical form: `5%` for `5 percent`, `-2 ATR` for `2 x ATR(14) below`.
 * Null for other text, and for a sign that contradicts the words.
 */
export function readLevel(text: string): string | null {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/[\u2212\u2013]/g, "-");
  const { sign = "", count = "", unit = "", side } = DISTANCE.exec(plain)?.groups ?? {};
  if (unit === "") return null;
  const meant = side === undefined ? sign : /above|up/.test(side) ? "+" : "-";
  if (sign !== "" && sign !== meant) return null;
  return `${meant}${Number(count)}${unit.includes("atr") ? " ATR" : "%"}`;
}
