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

/** Matches a term that is only names, each marked by `#`, and words between them. */
const ONLY_NAMES = /^(?:the )?#(?:\s*(?:and|or|with|&|\/)\s*(?:the )?#)*$/i;

/**
 * Returns the indicators that a whole term means, as `indicatorsIn` does; null if any other word or number of the term
 * would be lost, as in `hull moving average`, `five day moving average` and `stochastic rsi`.
 */
export function indicatorsOf(term: string): string | null {
  const marked = PATTERNS.reduce((left, [, pattern]) => left.replace(pattern, "#"), term.trim());
  const terms = ONLY_NAMES.test(marked) ? indicatorsIn(term) : null;
  return terms !== null && digitsOf(terms) === digitsOf(term) ? terms : null;
}

const digitsOf = (text: string): string => text.replace(/\D/g, "");
