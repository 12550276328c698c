import type { Contract } from "../../domain/prediction-markets/contracts.ts";

const STOP_WORDS = new Set(
  "a an the will would be is are was it its their his her of in on at by to for from and or as than then this that next new what when which who how many much any there do does have has get with before after during until end".split(
    " ",
  ),
);
const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [/\bfederal reserve\b|\bfomc\b|\bfederal open market committee\b/g, "fed"],
  [/\binterest rates?\b/g, "rate"],
  [/\bbasis points?\b|\bbps\b/g, "bp"],
  [/\bunited states\b|\bu\.s\.(?=\W|$)/g, "us"],
];

/** Returns the content words of a text: lower case, stemmed, without stop words; numbers without commas. */
export function tokenize(text: string): readonly string[] {
  const plain = SYNONYMS.reduce((all, [from, to]) => all.replace(from, to), text.toLowerCase());
  return (
    plain.replace(/(\d),(?=\d{3})/g, "$1").match(/\d+(?:\.\d+)?|[\p{L}\p{M}][\p{L}\p{M}\p{N}]*/gu) ?? []
  )
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem);
}

/** Returns a common form for words such as `cut`, `cuts` and `cutting`. */
function stem(word: string): string {
  if (/[^s]s$/.test(word) && word.length > 3) return word.slice(0, -1);
  if (/ing$/.test(word) && word.length > 5) return word.slice(0, -3).replace(/(.)\1$/, "$1");
  return word;
}

/** Upper-case words that usually mean something other than the ticker. */
const ACRONYMS = new Set(
  "AI CEO CFO COO CPI EPS ETF EU FBI FDA FED FOMC GDP IPO IRS MLB NATO NBA NFL NHL PCE SEC UAE UFC UK UN USA USD VIX YES".split(
    " ",
  ),
);
/** Minimum length of a ticker that counts without parentheses or `$`; shorter ones may be words or initials. */
const MIN_BARE_TICKER_LENGTH = 3;
/** Minimum share of a topic's words that must occur. */
const MIN_TOPIC_SHARE = 2 / 3;

/**
 * Creates a function that returns true if a text names a ticker: `(META)`, `$META`, or META in a text that is not all
 * capitals.
 */
export function tickerMatcher(ticker: string): (text: string) => boolean {
  const literal = ticker.replaceAll(".", "\\.");
  const marked = new RegExp(`\\(${literal}\\)|\\$${literal}(?![\\w])`, "u");
  const bare = new RegExp(`(?<![\\p{L}\\p{N}$.&-])${literal}(?![\\p{L}\\p{N}&-])`, "u");
  const countsBare = ticker.length >= MIN_BARE_TICKER_LENGTH && !ACRONYMS.has(ticker);
  return (text) => {
    // most texts do not contain it, and the patterns take most of the time
    if (!text.includes(ticker)) return false;
    return marked.test(text) || (countsBare && /\p{Ll}{2}/u.test(text) && bare.test(text));
  };
}

/**
 * Returns the relevance of a contract to a topic, 0-1: the share of the topic's words in its question, answer, event
 * or keywords. 0 if the share is below two thirds or the topic's first word is missing.
 */
export function topicShare(contract: Contract, topic: string): number {
  const words = [...new Set(tokenize(topic))];
  const { question, outcome, event_title, keywords } = contract;
  const has = new Set(tokenize([question, outcome, event_title, ...keywords].join(" ")));
  const share = words.filter((word) => has.has(word)).length / Math.max(1, words.length);
  return words[0] !== undefined && has.has(words[0]) && share >= MIN_TOPIC_SHARE - 1e-9 ? share : 0;
}
