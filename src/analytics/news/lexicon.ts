import lists from "./lexicon.json" with { type: "json" };
import { stemOf } from "./tokens.ts";

const stemSet = (words: string): ReadonlySet<string> => new Set(words.split(" ").map(stemOf));

const GOOD = stemSet(lists.good);
const BAD = stemSet(lists.bad);
/** Things of which less is good and more is bad, such as costs. */
const BURDENS = stemSet(lists.burdens);
/** Things of which more is good and less is bad, such as sales. */
const METRICS = stemSet(lists.metrics);
/** Things of which neither more nor less is good or bad, such as a holding. */
const UNJUDGED = stemSet(lists.unjudged);
const LESS = stemSet(lists.less);
const MORE = stemSet(lists.more);
const NEGATORS: ReadonlySet<string> = new Set(lists.negators.split(" "));
/** Number of words within which a preceding negator reverses the sign of a word. */
const REACH = 3;
/** Number of words before and after an increase or a decrease in which it finds what increases or decreases. */
const BEFORE = 5;
const AFTER = 3;
/** Words and marks that end a clause. */
const CLAUSE_END = /^(?:[?!:;,]|as|while|after|but|despite|although|because|and)$/;

/** Tokens that stand for a phrase of the lists. */
const MARKS = { good: "+", bad: "-", neutral: "=" } as const;
const PHRASES = new RegExp(
  ` (?:(?<good>${lists.goodPhrases})|(?<bad>${lists.badPhrases})|(?<neutral>${lists.neutralPhrases}))(?= )`,
  "g",
);

/** Number of good and of bad statements in a headline. */
export interface Evidence {
  readonly good: number;
  readonly bad: number;
}

/**
 * Counts the good and bad words and phrases of a headline. An increase or a decrease is judged by what increases or
 * decreases in its clause. `comparison` is the sign of two compared amounts, which counts as one statement; the amount
 * of a loss is then not counted again.
 */
export function lexiconEvidence(tokens: readonly string[], comparison = 0): Evidence {
  const words = marked(tokens);
  const stems = words.map(stemOf);
  const nouns = stems.map((stem, i) => (LESS.has(stem) || MORE.has(stem) ? nounOf(stems, i) : null));
  const relieved = new Set(nouns.filter((_, i) => LESS.has(stems[i]!)));
  let [good, bad] = [comparison > 0 ? 1 : 0, comparison < 0 ? 1 : 0];
  stems.forEach((stem, i) => {
    if (BURDENS.has(stem) && (comparison !== 0 || relieved.has(i))) return;
    const sign = signOf(stems, i, nouns[i] ?? null);
    if (sign === 0) return;
    const negated = words.slice(Math.max(0, i - REACH), i).some((word) => NEGATORS.has(word));
    if (sign > 0 !== negated) good++;
    else bad++;
  });
  return { good, bad };
}

/** Returns the score of statements: (good - bad) / (good + bad), -1 to 1; null without one. */
export const scoreOf = ({ good, bad }: Evidence): number | null =>
  good + bad === 0 ? null : (good - bad) / (good + bad);

/** Replaces each phrase of the lists by its mark. */
function marked(tokens: readonly string[]): readonly string[] {
  const text = ` ${tokens.join(" ")} `.replace(PHRASES, (...match) => {
    const { good, bad } = match.at(-1) as Record<string, string | undefined>;
    return ` ${good !== undefined ? MARKS.good : bad !== undefined ? MARKS.bad : MARKS.neutral}`;
  });
  return text.trim().split(" ");
}

/** Returns the index of what increases or decreases: the nearest such noun before in the clause, else after; null without. */
function nounOf(stems: readonly string[], at: number): number | null {
  for (let i = at - 1; i >= Math.max(0, at - BEFORE) && !CLAUSE_END.test(stems[i]!); i--)
    if (isNoun(stems[i]!)) return i;
  for (let i = at + 1; i <= Math.min(stems.length - 1, at + AFTER) && !CLAUSE_END.test(stems[i]!); i++)
    if (isNoun(stems[i]!)) return i;
  return null;
}

const isNoun = (stem: string): boolean => METRICS.has(stem) || BURDENS.has(stem) || UNJUDGED.has(stem);

function signOf(stems: readonly string[], at: number, noun: number | null): number {
  const stem = stems[at]!;
  if (stem === MARKS.good) return 1;
  if (stem === MARKS.bad) return -1;
  const own = GOOD.has(stem) ? 1 : BAD.has(stem) ? -1 : 0;
  const direction = MORE.has(stem) ? 1 : LESS.has(stem) ? -1 : 0;
  if (direction === 0) return own;
  if (noun === null) return stems.slice(0, at).some((before) => UNJUDGED.has(before)) ? 0 : own;
  const changed = stems[noun]!;
  return UNJUDGED.has(changed) ? 0 : BURDENS.has(changed) ? -direction : direction;
}
