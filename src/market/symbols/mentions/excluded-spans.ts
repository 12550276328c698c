import { isAdjacent, isSameSentence, type Span } from "./span.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

const EXCEPTING = /^(except for|aside from|apart from|other than|leave out|leaving out)$/;
const MAX_WORDS_BETWEEN = 5;

/** `listed`: a comma continues the exclusion; `alone`: it does not. */
type Exclusion = "listed" | "alone";

/** Returns the spans that a text excludes: `not X`, `anything but X`, `except X and Y`, `don't tell me about X`. */
export function excludedSpans(words: readonly Word[], spans: readonly Span[]): ReadonlySet<Span> {
  const negated = new Map<Span, Exclusion>();
  for (const [i, span] of spans.entries()) {
    const left = spans[i - 1];
    const before = left && negated.get(left);
    const exclusion =
      exclusionAt(words, span.at) ??
      (left && before && continuesExclusion(words, left, span, before === "listed") ? before : null);
    if (exclusion !== null) negated.set(span, exclusion);
  }
  return new Set(negated.keys());
}

function exclusionAt(words: readonly Word[], at: number): Exclusion | null {
  if (!isSameSentence(words[at])) return null;
  const near = (back: number) => {
    for (let i = at; i > at - back; i--) if (!isAdjacent(words[i])) return "";
    return words[at - back]?.lower ?? "";
  };
  const [one, two] = [near(1), near(2)];
  if (WORDS.exceptions.has(one) || EXCEPTING.test(`${two} ${one}`)) return "listed";
  if (one === "but") return WORDS.universalPronouns.has(two) ? "listed" : null;
  if (one === "not") {
    const subject = /^(it|this|that|they)$/.test(two) ? near(3) : two;
    return WORDS.questionLeads.has(subject) ? null : "alone";
  }
  if (one === "no") return at === 1 && !isAdjacent(words[at + 1]) ? "alone" : null;
  for (let back = 1; back <= MAX_WORDS_BETWEEN; back++) {
    const verb = near(back);
    const [not, before] = [near(back + 1), near(back + 2)];
    if (WORDS.ignoreVerbs.has(verb)) return /^(|please|and|but|just|now|so)$/.test(not) ? "alone" : null;
    if (WORDS.requestVerbs.has(verb)) {
      const says =
        WORDS.negations.has(not) || (/^(do|to|want|really|even)$/.test(not) && WORDS.negations.has(before));
      return says && !/^(why|or)$/.test(before) ? "alone" : null;
    }
    if (!WORDS.fillers.has(verb)) return null;
  }
  return null;
}

/** Returns true if a span continues an exclusion: `except X, Y and Z`, but not `not X, Y`. */
function continuesExclusion(words: readonly Word[], left: Span, right: Span, byComma: boolean): boolean {
  const between = words.slice(left.at + left.length, right.at);
  if (between.length === 0) return byComma && /^\s*,\s*$/.test(words[right.at]?.gap ?? "");
  return (
    between.length === 1 && isSameSentence(words[right.at]) && /^(and|or|nor|&)$/.test(between[0]!.lower)
  );
}
