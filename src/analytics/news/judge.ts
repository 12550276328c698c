import type { NewsLabel } from "../../domain/news.ts";
import { classify, type Model } from "./classify.ts";
import { lexiconScore } from "./lexicon.ts";
import { type Subjects, termsOf, tokensOf } from "./tokens.ts";

/** What a headline says of its subject; without a label there is a reason and no score. */
export interface Judgement {
  readonly label: NewsLabel | null;
  /** Probability of positive less that of negative, -1 to 1. */
  readonly score: number | null;
  readonly abstained: string | null;
  readonly lexicon: number | null;
}

/** Least lead of the likeliest class over the next one. */
export const LEAST_LEAD = 0.15;
/** From where on the word list contradicts. */
const OPPOSED = 0.5;
/** Terms that the model must know to be asked at all. */
const LEAST_KNOWN = 3;
const CLASSES = ["positive", "neutral", "negative"] as const satisfies readonly NewsLabel[];

/** Judges a headline for its subject by the model, with the word list as a second opinion that can only silence it. */
export function judge(title: string, subjects: Subjects, model: Model): Judgement {
  const tokens = tokensOf(title, subjects);
  const { known, ...odds } = classify(model, termsOf(tokens));
  const lexicon = lexiconScore(tokens);
  const [first, second] = CLASSES.toSorted((a, b) => odds[b] - odds[a]);
  const abstain = (abstained: string): Judgement => ({ label: null, score: null, abstained, lexicon });
  if (known < LEAST_KNOWN) return abstain("The model knows too few of its words");
  const lead = odds[first!] - odds[second!];
  if (lead < LEAST_LEAD)
    return abstain(`${first} and ${second} are nearly as likely (${lead.toFixed(2)} apart)`);
  const against = first === "positive" ? -1 : first === "negative" ? 1 : 0;
  if (lexicon !== null && against * lexicon >= OPPOSED)
    return abstain(`The model says ${first}, the word list the opposite`);
  return { label: first!, score: odds.positive - odds.negative, abstained: null, lexicon };
}
