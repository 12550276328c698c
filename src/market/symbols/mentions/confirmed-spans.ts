import { isSameSentence, nextWord, type Span } from "./span.ts";
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
  const listed = listedSpans(found, words);
  const confirmed = found.map((span) => !span.needsNeighbour || listed.has(span));
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
  return found
    .filter((_, i) => confirmed[i])
    .map((span) => (listed.has(span) ? { ...span, sure: true } : span));
}

/** Minimum number of tickers in a list without commas. */
const MIN_LISTED = 3;

/** Returns the spans of lists such as `ko pep pg`; an everyday word counts next to others of its sector. */
function listedSpans(found: readonly Found[], words: readonly Word[]): ReadonlySet<Found> {
  const listed = new Set<Found>();
  for (let from = 0, to = 1; from < found.length; from = to++) {
    while (to < found.length && isListedAfter(found[to - 1]!, found[to]!, words)) to++;
    const list = found.slice(from, to);
    const tickers = list.filter(({ at }) => !words[at]!.everyday);
    const next = nextWord(words, list.at(-1)!.at + list.at(-1)!.length);
    const ends = [WORDS.joiners, WORDS.talk, WORDS.subjectVerbs, WORDS.questionEnds].some((ending) =>
      ending.has(next),
    );
    if (list.length < MIN_LISTED || 2 * tickers.length <= list.length || !(ends || /^(\d.*)?$/.test(next)))
      continue;
    const sectors = new Set(tickers.map(sectorOf));
    for (const span of list) if (tickers.includes(span) || sectors.has(sectorOf(span))) listed.add(span);
  }
  return listed;
}

const sectorOf = ({ instrument }: Found) => instrument?.sector ?? instrument?.asset_class;

/** Returns true if only a space separates two tickers, and the second is no word about trading: `nvda amd play`. */
const isListedAfter = (left: Found, right: Found, words: readonly Word[]): boolean =>
  right.at === left.at + left.length &&
  /^\s$/.test(words[right.at]!.gap) &&
  left.instrument !== null &&
  right.instrument !== null &&
  ![WORDS.talk, WORDS.marketWords, WORDS.tradeNouns].some((trading) => trading.has(words[right.at]!.lower));

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
