import data from "../data/scores.json" with { type: "json" };
import { expressions } from "../phrases.ts";
import { when } from "../sentences.ts";

/** Patterns of a score with the words around it that state the side. */
const SCORES = Object.values(expressions(data.scores, data.names, "iu"));
/**
 * Patterns of those words. `otherSide`: a second bound, as in `over 60 and under 70`; `vague`: a score criterion without
 * a figure that does not sort the list.
 */
const AROUND = expressions(data.around, data.names, "iu");

/** Matches a negation at the end of the words before a score: `not scored above`. */
const NEGATED = /(?:\b(?:not|never)|n['’]t) (?:\w+ ){0,3}$/i;
/** Matches a maximum after a minimum: `above 60 but not above 80`. */
const NOT_ABOVE = /\bnot (?:above|over|beyond|higher than|more than) \d/i;

/**
 * Returns the score criteria of a list. `least`: minimum score; `isLow`: low scores are wanted; `unserved`: labels of
 * criteria that the screener lacks.
 */
export function scoreIn(text: string) {
  const found = SCORES.map((pattern) => pattern.exec(text)).find((match) => match !== null);
  if (!found)
    return { least: null, isLow: false, unserved: when(AROUND.vague.test(text), "a score without a number") };
  const [, before, figure, after] = found as unknown as readonly [string, string, string, string];
  const [, side, other] = AROUND.otherSide.exec(after) ?? [];
  const isUpper = AROUND.upper.test(before) && !AROUND.notUpper.test(before);
  if (side !== undefined && isUpper !== AROUND.upper.test(side)) {
    const asked = least(Number(isUpper ? other : figure));
    return { ...asked, unserved: [...asked.unserved, "a maximum score"] };
  }
  if (AROUND.twoBefore.test(before) || AROUND.twoAfter.test(after)) return lacking("a score range");
  if (AROUND.notUpper.test(before)) return least(Number(figure));
  const isNegated =
    NEGATED.test(text.slice(0, found.index) + before) || NOT_ABOVE.test(text.slice(found.index));
  if (isNegated || AROUND.upper.test(before) || AROUND.upperAfter.test(after))
    return lacking("a maximum score", true);
  if (AROUND.lower.test(before) || AROUND.lowerAfter.test(after)) return least(Number(figure));
  return lacking("an exact score");
}

const lacking = (label: string, isLow = false) => ({ least: null, isLow, unserved: [label] });

const least = (figure: number) =>
  figure > 100 ? lacking("a score above 100") : { least: figure, isLow: false, unserved: [] };

/**
 * Returns the reward-to-risk criteria of a list. `isAsked`: sort by reward-to-risk; `unserved`: labels of criteria that
 * the screener lacks.
 */
export function rewardIn(text: string) {
  const isAsked = AROUND.reward.test(text);
  const figure = when(isAsked && AROUND.rewardFigure.test(text), "a reward-to-risk number");
  const lowest = when(isAsked && AROUND.lowestReward.test(text), "the lowest reward-to-risk");
  return { isAsked, unserved: [...figure, ...lowest] };
}
