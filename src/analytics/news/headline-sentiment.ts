import type { NewsLabel } from "../../domain/news/news.ts";
import { classify, type Model } from "./classify.ts";
import { lexiconScore } from "./lexicon.ts";
import { type Subjects, termsOf, tokensOf } from "./tokens.ts";

/** Sentiment of a headline for its subject; without a label it has a reason and no score. */
export interface HeadlineSentiment {
  readonly label: NewsLabel | null;
  /** Probability of positive minus that of negative, -1 to 1. */
  readonly score: number | null;
  readonly abstained: string | null;
  readonly lexicon: number | null;
}

/** Minimum lead of the most likely class over the next one, if the word list agrees and if it does not. */
const MIN_LEAD = 0.15;
const MIN_LEAD_WITHOUT_LEXICON = 0.4;
/** Absolute lexicon score from which the word list contradicts the model. */
const LEXICON_VETO = 0.5;
/** Minimum number of known terms for the model to score a headline. */
const MIN_KNOWN_TERMS = 3;
const CLASSES = ["positive", "neutral", "negative"] as const satisfies readonly NewsLabel[];

/**
 * Classifies a headline for its subject with the model. Abstains if the word list contradicts, or if it does not agree
 * and the lead is small.
 */
export function headlineSentiment(title: string, subjects: Subjects, model: Model): HeadlineSentiment {
  const tokens = tokensOf(title, subjects);
  const { known, ...odds } = classify(model, termsOf(tokens));
  const lexicon = lexiconScore(tokens);
  const [first, second] = CLASSES.toSorted((a, b) => odds[b] - odds[a]);
  const abstain = (abstained: string): HeadlineSentiment => ({
    label: null,
    score: null,
    abstained,
    lexicon,
  });
  if (known < MIN_KNOWN_TERMS) return abstain("The model knows too few words of the headline");
  const side = first === "positive" ? 1 : first === "negative" ? -1 : 0;
  if (lexicon !== null && -side * lexicon >= LEXICON_VETO)
    return abstain(`The model says ${first}, but the word list says the opposite`);
  const agrees = Math.sign(lexicon ?? 0) === side;
  const lead = odds[first!] - odds[second!];
  if (lead < (agrees ? MIN_LEAD : MIN_LEAD_WITHOUT_LEXICON))
    return abstain(
      `${first} and ${second} are almost equally likely (${lead.toFixed(2)} apart${agrees ? "" : ", and the word list does not agree"})`,
    );
  return { label: first!, score: odds.positive - odds.negative, abstained: null, lexicon };
}
