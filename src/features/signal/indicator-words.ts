import indicators from "./indicator-words.json" with { type: "json" };

const NUMBERS = "(\\d{1,3}(?:\\s*(?:,|/|\\band\\b|\\bor\\b)\\s*\\d{1,3})*)";
/** Patterns of the words for each indicator, by its name in get_indicators. */
const PATTERNS = Object.entries(indicators).map(
  ([name, words]) =>
    [
      name,
      new RegExp(
        `(?:\\b${NUMBERS}[ -]?(?:day|d|bar|period|week)?s?[ -])?(?:\\b(?:${words})\\b)(?: ?\\((\\d{1,3})\\)| (\\d{1,2})\\b)?`,
        "gi",
      ),
    ] as const,
);
/** Length above which a number after an indicator is taken for its level: `rsi 70`. */
const MAX_BARE_LENGTH = 30;

/**
 * Returns the indicators that a text names, as get_indicators takes them: `rsi(14), macd`; null if it names none. Of
 * several lengths, as in `50 and 200 day average`, each is one.
 */
export function indicatorsIn(text: string): string | null {
  const found = PATTERNS.flatMap(([name, pattern]) =>
    [...text.matchAll(pattern)].flatMap(({ 1: before, 2: inBrackets, 3: after, index }) => {
      const bare = Number(after) <= MAX_BARE_LENGTH ? after : undefined;
      const lengths = before?.match(/\d+/g) ?? [inBrackets ?? bare];
      return lengths.map((length) => ({
        at: index,
        text: length === undefined ? name : `${name}(${length})`,
      }));
    }),
  );
  const named = [...new Set(found.toSorted((a, b) => a.at - b.at).map((one) => one.text))];
  return named.length === 0 ? null : named.join(", ");
}
