import type { Span } from "../../../market/symbols/mentions/span.ts";
import type { Words } from "../../../market/symbols/mentions/words.ts";
import { POLITICIAN_WORDS, plainWord, withoutExcludedTopics } from "./plain-words.ts";

/** The instruments of a question, read before its intent. */
export interface NamedSpans {
  readonly spans: readonly Span[];
  /** Number of instruments named, known or not. */
  readonly named: number;
}

/** Placeholder for the words that name one or several consecutive instruments. */
const NAME = "NAME";
/** Placeholder for the name of a member of Congress. */
const POLITICIAN = "POLITICIAN";

/** Returns the words of a question in lower case, with instruments and politicians replaced by placeholders. */
export function questionWords({ words }: Words, { spans }: Pick<NamedSpans, "spans">): string {
  const plain: string[] = [];
  const cache = new Map<string, string>();
  for (let at = 0; at < words.length; ) {
    const span = spans.find((one) => one.at === at);
    if (span === undefined) plain.push(plainWord(words[at]!, cache));
    else if (plain.at(-1) !== NAME) plain.push(NAME);
    at += span?.length ?? 1;
  }
  return withoutExcludedTopics(plain.join(" ")).replace(POLITICIAN_WORDS, POLITICIAN).trim();
}
