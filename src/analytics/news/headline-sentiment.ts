import type { NewsLabel } from "../../domain/news/news.ts";
import {
  type ClassProbabilities,
  type LogOdds,
  type Model,
  modelLogOdds,
  probabilitiesOf,
} from "./classify.ts";
import { comparisonOf } from "./comparison.ts";
import { type Evidence, lexiconEvidence, scoreOf } from "./lexicon.ts";
import shippedCounts from "./lexicon-counts.json" with { type: "json" };
import { type EvidenceCounts, lexiconLogOdds, netStatements, poolLogOdds } from "./pool.ts";
import { OTHER, type Subjects, termsOf, tokensOf } from "./tokens.ts";

/** Sentiment of a headline for its subject; without a label it has a reason and no score. */
export interface HeadlineSentiment {
  readonly label: NewsLabel | null;
  /** Probability of positive minus that of negative, -1 to 1. */
  readonly score: number | null;
  readonly abstained: string | null;
  readonly lexicon: number | null;
}

/** Minimum lead of the most likely class over the next one, if the model and the word list agree and if they do not. */
const MIN_LEAD = 0.15;
const MIN_LEAD_IN_DISPUTE = 0.4;
/** Absolute lexicon score from which the word list contradicts the result. */
const LEXICON_VETO = 0.5;
/** Minimum number of known terms for the model to count. */
const MIN_KNOWN_TERMS = 3;
/** Weight from which the model alone has to agree, for the smaller lead to be enough. */
const MIN_DECIDING_WEIGHT = 1 / 3;
const CLASSES = ["positive", "neutral", "negative"] as const satisfies readonly NewsLabel[];

/** Class probabilities of a headline by the model and the word list together. */
export interface HeadlineOdds {
  readonly odds: ClassProbabilities;
  /**
   * Weight of the model, 0 to 1: the share of the terms that it knows, 0 if it knows fewer than three. 1 if the headline
   * names another company, because the word list cannot tell which company a word is about.
   */
  readonly weight: number;
  readonly evidence: Evidence;
  /** The model alone. */
  readonly model: LogOdds;
  /** The word list alone. */
  readonly lexicon: LogOdds;
}

/** Combines the model and the word list by their log-odds. Default counts: those of the training headlines. */
export function headlineOdds(
  title: string,
  subjects: Subjects,
  model: Model,
  counts: EvidenceCounts = shippedCounts.counts,
): HeadlineOdds {
  const tokens = tokensOf(title, subjects);
  const terms = termsOf(tokens);
  const { known, ...own } = modelLogOdds(model, terms);
  const evidence = lexiconEvidence(tokens, comparisonOf(title));
  const lexicon = lexiconLogOdds(netStatements(evidence), counts);
  const weight = known < MIN_KNOWN_TERMS ? 0 : tokens.includes(OTHER) ? 1 : known / terms.length;
  return { odds: probabilitiesOf(poolLogOdds(own, lexicon, weight)), weight, evidence, model: own, lexicon };
}

/**
 * Classifies a headline for its subject by the model and the word list. Abstains if neither knows its words, if the
 * word list contradicts the result, or if the lead is small, more so where the two do not agree. Default counts: those
 * of the training headlines.
 */
export function headlineSentiment(
  title: string,
  subjects: Subjects,
  model: Model,
  counts: EvidenceCounts = shippedCounts.counts,
): HeadlineSentiment {
  const { odds, weight, evidence, model: own } = headlineOdds(title, subjects, model, counts);
  const lexicon = scoreOf(evidence);
  const [first, second] = ranked(odds);
  const abstain = (abstained: string): HeadlineSentiment => ({
    label: null,
    score: null,
    abstained,
    lexicon,
  });
  if (weight === 0 && lexicon === null) return abstain("The model knows too few words of the headline");
  const side = first === "positive" ? 1 : first === "negative" ? -1 : 0;
  if (lexicon !== null && -side * lexicon >= LEXICON_VETO)
    return abstain(`The model says ${first}, but the word list says the opposite`);
  const lexiconAgrees = Math.sign(lexicon ?? 0) === side;
  const modelAgrees = weight < MIN_DECIDING_WEIGHT || ranked(probabilitiesOf(own))[0] === first;
  const lead = odds[first!] - odds[second!];
  if (lead < (lexiconAgrees && modelAgrees ? MIN_LEAD : MIN_LEAD_IN_DISPUTE)) {
    const dispute = !lexiconAgrees ? ", and the word list does not agree" : ", and the model does not agree";
    return abstain(
      `${first} and ${second} are almost equally likely (${lead.toFixed(2)} apart${lexiconAgrees && modelAgrees ? "" : dispute})`,
    );
  }
  return { label: first!, score: odds.positive - odds.negative, abstained: null, lexicon };
}

/** Returns the classes, the most likely one first. */
const ranked = (odds: ClassProbabilities): readonly NewsLabel[] =>
  CLASSES.toSorted((a, b) => odds[b] - odds[a]);
