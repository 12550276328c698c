import { when } from "../sentences.ts";

const NUMBER = "(\\d{1,9}(?:\\.\\d+)?)(?!\\.?\\d)";
const KINDS =
  "(?! ?(?:stocks?|coins?|tokens?|cryptos?|etfs?|names|setups|longs|shorts|companies|signals|banks|%))";
/** Patterns of a score with the words around it that state the side. */
const SCORES = [
  `\\b((?:(?:min|max)\\w* scor\\w*|scor\\w*[^\\d.,;?!]{0,20}(?:over|above|under|below|least|most|than|exceed\\w*|[<>≤≥]=?))[^\\d.,;?!]{0,5})${NUMBER}(?! ?%)(.{0,20})`,
  `\\b((?:min\\w* |max\\w* )?(?:scor\\w*|rat(?:ed|ings?))\\b[^\\d.,;?!]{0,30})${NUMBER}${KINDS}(.{0,20})`,
  `((?:[^\\s\\d]{1,12} ){0,3}[<>=≤≥]{0,2}) ?\\b${NUMBER}((?:\\+| or \\w+| (?:to|and|-) \\d+)?) ?(?:points?|scores?)\\b`,
].map((source) => new RegExp(source, "iu"));
const TWO_BEFORE = /\b(between|from|in the)\b/i;
const TWO_AFTER = /^ ?(and|to|-|–) ?\d/i;
const UPPER =
  /\b(under|below|less than|lower than|worse than|at most|max\w*|up to|beneath|(?:no|not|never) (?:over|above|more than|higher than|greater than|better than|exceeding))\b|<|≤/i;
const UPPER_AFTER = /^ (?:or|and) (?:less|lower|below|under|worse)\b/i;
/** Matches a second bound: `over 60 and under 70`. */
const OTHER_SIDE = new RegExp(
  `^ ?,? ?(?:and|but) ((?:over|above|at least|(?:more|greater|higher|better|less|lower) than|under|below|at most|up to)) ${NUMBER}`,
  "iu",
);
const NOT_UPPER = /\b(?:no|not|never) (?:under|below|less|lower|worse)\b/i;
const LOWER =
  /\b(over|above|at least|(?:more|greater|higher|better) than|exceed\w*|beyond|min\w*|north of)\b|>|≥/i;
const LOWER_AFTER = /^ ?\+|^ (?:or|and) (?:more|higher|better|above|over|up|greater)\b/i;

interface ScoreRequest {
  /** Minimum score. */
  readonly least: number | null;
  /** true: low scores are wanted. */
  readonly isLow: boolean;
  /** Labels of criteria that the screener lacks. */
  readonly unserved: readonly string[];
}

/** Returns the score criteria of a list. */
export function scoreIn(text: string): ScoreRequest {
  const found = SCORES.map((pattern) => pattern.exec(text)).find((match) => match !== null);
  if (!found)
    return { least: null, isLow: false, unserved: when(VAGUE.test(text), "a score without a number") };
  const [, before, figure, after] = found as unknown as readonly [string, string, string, string];
  const [, side, other] = OTHER_SIDE.exec(after) ?? [];
  const isUpper = UPPER.test(before) && !NOT_UPPER.test(before);
  if (side !== undefined && isUpper !== UPPER.test(side)) {
    const asked = least(Number(isUpper ? other : figure));
    return { ...asked, unserved: [...asked.unserved, "a maximum score"] };
  }
  if (TWO_BEFORE.test(before) || TWO_AFTER.test(after)) return lacking("a score range");
  if (NOT_UPPER.test(before)) return least(Number(figure));
  if (UPPER.test(before) || UPPER_AFTER.test(after)) return lacking("a maximum score", true);
  if (LOWER.test(before) || LOWER_AFTER.test(after)) return least(Number(figure));
  return lacking("an exact score");
}

const lacking = (label: string, isLow = false): ScoreRequest => ({ least: null, isLow, unserved: [label] });

const least = (figure: number): ScoreRequest =>
  figure > 100 ? lacking("a score above 100") : { least: figure, isLow: false, unserved: [] };
/** Matches a score criterion without a figure that does not sort the list. */
const VAGUE =
  /\b(?:with|whose|having) (?!(?:\S+ )?(?:the )?(?:best|highest|top|good|great|high|strongest|lowest|worst|low|weak\w*)\b)(?:\S+ ){0,3}scores?\b/iu;

const REWARD = "\\b(?:reward|risk[- ./]?reward|r:r|r/r|rrr?)\\b";
const HAS_REWARD = new RegExp(REWARD, "iu");
const FIGURE = new RegExp(
  `${REWARD}[^.;?!\\d]{0,25}\\d+(?!\\d)${KINDS}|\\d ?(?::|to) ?1\\b|\\d(?:\\.\\d+)? ?(?:x|r|\\+)\\b.{0,20}${REWARD}|(?:over|above|under|below|than|least|most|[<>]=?) ?\\d(?:\\.\\d+)? .{0,15}${REWARD}`,
  "iu",
);
const LOWEST = new RegExp(`\\b(?:worst|lowest|poor(?:est)?|bad|smallest)\\b.{0,20}${REWARD}`, "iu");

/**
 * Returns the reward-to-risk criteria of a list. `isAsked`: sort by reward-to-risk; `unserved`: labels of criteria that
 * the screener lacks.
 */
export function rewardIn(text: string) {
  const isAsked = HAS_REWARD.test(text);
  const figure = when(isAsked && FIGURE.test(text), "a reward-to-risk number");
  const lowest = when(isAsked && LOWEST.test(text), "the lowest reward-to-risk");
  return { isAsked, unserved: [...figure, ...lowest] };
}
