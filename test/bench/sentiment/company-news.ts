import type { NewsLabel } from "../../../src/domain/news/news.ts";
import heldOut from "./company-news-held-out.json" with { type: "json" };
import tuned from "./company-news-tuned.json" with { type: "json" };

/** A sentence of company news with its label; it names no subject. */
export interface Sentence {
  readonly label: NewsLabel;
  readonly title: string;
}

const sentencesOf = (rows: readonly (readonly string[])[]): readonly Sentence[] =>
  rows.map(([label, title]) => ({ label: label as NewsLabel, title: title! }));

/** Sentences on which the word list was extended. */
export const TUNED = sentencesOf(tuned);
/** Sentences kept for measurement, by the same author: the word list was not extended for them. */
export const HELD_OUT = sentencesOf(heldOut);
