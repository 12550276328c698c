import { isSameSentence, type Span } from "./span.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** A span; `needsNeighbour`: true if it counts only next to another instrument. */
export interface Found extends Span {
  readonly needsNeighbour: boolean;
}

/** Maximum number of words between two joined items. */
const MAX_WORDS_BETWEEN = 2;

/** Returns the spans that count: certain ones, and uncertain ones listed with a certain one. */
export function confirmedSpans(found: readonly Found[], words: readonly Word[]): readonly Span[] {
  const confirmed = found.map(({ needsNeighbour }) => !needsNeighbour);
  const join = (i: number, other: number) => {
    const [left, right] = i < other ? [found[i], found[other]] : [found[other], found[i]];
    return left !== undefined && right !== undefined && isJoined(left, right, words);
  };
  const follows = (i: number) => {
    const next = words[found[i]!.at + found[i]!.length];
    const lower = next?.lower ?? "";
    const joined = words[found[i]!.at - 1]?.lower ?? "";
    return (
      next === undefined ||
      /^(or|vs|versus|than|against)$/.test(joined) ||
      !/^\s*$/.test(next.gap) ||
      WORDS.joiners.has(lower) ||
      WORDS.talk.has(lower) ||
      !WORDS.functionWords.has(lower)
    );
  };
  for (let i = 1; i < found.length; i++)
    if (!confirmed[i] && confirmed[i - 1] && join(i, i - 1) && follows(i)) confirmed[i] = true;
  for (let i = found.length - 2; i >= 0; i--)
    if (!confirmed[i] && confirmed[i + 1] && join(i, i + 1)) confirmed[i] = true;
  // two uncertain spans on either side of a `vs` confirm each other
  for (let i = 1; i < found.length; i++)
    if (!confirmed[i] && !confirmed[i - 1] && isRivalry(found[i - 1]!, found[i]!, words))
      confirmed[i] = confirmed[i - 1] = true;
  return found.filter((_, i) => confirmed[i]);
}

function isJoined(left: Span, right: Span, words: readonly Word[]): boolean {
  const from = left.at + left.length;
  const between = words.slice(from, right.at);
  if (right.at < from || between.length > MAX_WORDS_BETWEEN) return right.at === left.at;
  if (!words.slice(from, right.at + 1).every((word) => isSameSentence(word))) return false;
  if (/^(than|against)$/.test(between.at(-1)?.lower ?? "")) return true;
  if (between.length > 0)
    return (
      between.every(({ lower }) => WORDS.joiners.has(lower)) &&
      /^(and|or|vs|versus|v|n|&|against|with|than|to|nor|plus|over)$/.test(between[0]!.lower)
    );
  const everyday = words[left.at]!.everyday || words[right.at]!.everyday;
  const known = left.instrument !== null && right.instrument !== null;
  return (
    /[,/+|]|["'\])]\s*$/.test(words[right.at]!.gap) ||
    (known && !everyday && /^\s$/.test(words[right.at]!.gap))
  );
}

function isRivalry(left: Span, right: Span, words: readonly Word[]): boolean {
  const between = words[left.at + left.length];
  if (right.at !== left.at + left.length + 1 || between === undefined) return false;
  if (left.instrument === null || right.instrument === null) return false;
  const compared = /^(compare|between)$/.test(words[left.at - 1]?.lower ?? "");
  if (!(/^(vs|versus)$/.test(between.lower) || (compared && /^(and|or|&|to|with)$/.test(between.lower))))
    return false;
  return (
    [left, right].some(
      (span) => !WORDS.functionWords.has(span.text.toLowerCase()) && !words[span.at]!.everyday,
    ) || [left, right].every((span) => !WORDS.functionWords.has(span.text.toLowerCase()))
  );
}
