import { wordStem } from "../../../lib/word-stem.ts";

/** Placeholders for the words that differ between requests of the same kind. */
const SYMBOL = "SYMBOL";
const NUMBER = "0";

const WORD = /\$?[\p{L}\p{N}][\p{L}\p{N}.'’&-]*|%/gu;
const TICKER = /^\$?[A-Z]{2,5}(?:[.-][A-Z]{1,4})?$/;
/** Words in capital letters that are no tickers here. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  "AI API ATR CEO CPI CSV EMA EPS ETF FOMC GDP ID IPO JSON MACD OHLC PDF RSI SEC SMA SSI US USD".split(" "),
);
const FUNCTION_WORDS: ReadonlySet<string> = new Set("a an are be is it of the to".split(" "));

/** Returns the stems of the words of a request, with placeholders for tickers and numbers. */
export function requestWords(text: string): readonly string[] {
  return (text.match(WORD) ?? []).flatMap((typed) => {
    const word = typed.replace(/[.'’-]+$/, "").replace(/['’]s$/i, "");
    if (TICKER.test(word) && !ABBREVIATIONS.has(word)) return [SYMBOL];
    const lower = word.toLowerCase();
    if (/^\$?\d/.test(lower)) return [NUMBER];
    return FUNCTION_WORDS.has(lower) ? [] : [wordStem(lower)];
  });
}

/** Number of first letters by which longer words are compared, too. */
const BEGINNING = 5;

/**
 * Returns what a request is compared by: its words, the beginnings of long ones, the pairs of neighbours, and the number
 * of tickers up to two. Pairs contain a space.
 */
export function requestFeatures(text: string): ReadonlySet<string> {
  const words = requestWords(text);
  const beginnings = words
    .filter((word) => word.length > BEGINNING && word !== SYMBOL)
    .map((word) => `${word.slice(0, BEGINNING)}~`);
  const pairs = ["", ...words].map((word, i) => `${word} ${words[i] ?? ""}`);
  const symbols = Math.min(2, words.filter((word) => word === SYMBOL).length);
  return new Set([...words, ...beginnings, ...pairs, `symbols=${symbols}`]);
}
