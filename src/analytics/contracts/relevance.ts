import type { Contract } from "../../domain/prediction-markets/contracts.ts";
import { tokenize } from "./tokenize.ts";

/** Upper-case words that usually mean something other than the ticker. */
const ACRONYMS = new Set(
  "AI CEO CFO COO CPI EPS ETF EU FBI FDA FED FOMC GDP IPO IRS MLB NATO NBA NFL NHL PCE SEC UAE UFC UK UN USA USD VIX YES".split(
    " ",
  ),
);
/** Least letters of a ticker that counts without a mark: shorter ones are words and initials. */
const MIN_BARE_TICKER_LENGTH = 3;
/** Share of a topic's words that must be there. */
const MIN_TOPIC_SHARE = 2 / 3;

/** Whether a text names a ticker as such: `(META)`, `$META`, or in capitals where the text around it has small letters. */
export function namesTicker(text: string, ticker: string): boolean {
  const literal = ticker.replaceAll(".", "\\.");
  if (new RegExp(`\\(${literal}\\)|\\$${literal}(?![\\w])`, "u").test(text)) return true;
  if (ticker.length < MIN_BARE_TICKER_LENGTH || ACRONYMS.has(ticker) || !/\p{Ll}{2}/u.test(text))
    return false;
  return new RegExp(`(?<![\\p{L}\\p{N}$.&-])${literal}(?![\\p{L}\\p{N}&-])`, "u").test(text);
}

/**
 * How much a contract has to do with a topic, from 0 to 1: the share of the topic's words that stand in its question, its answer, its
 * event or what it is filed under. 0 under two thirds, and where the first word, what the topic is about, is not among them.
 */
export function topicShare(contract: Contract, topic: string): number {
  const words = [...new Set(tokenize(topic))];
  const { question, outcome, event_title, keywords } = contract;
  const has = new Set(tokenize([question, outcome, event_title, ...keywords].join(" ")));
  const share = words.filter((word) => has.has(word)).length / Math.max(1, words.length);
  return words[0] !== undefined && has.has(words[0]) && share >= MIN_TOPIC_SHARE - 1e-9 ? share : 0;
}
