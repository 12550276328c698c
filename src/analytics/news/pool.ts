import type { LogOdds } from "./classify.ts";
import type { Evidence } from "./lexicon.ts";

/** Net statements of the word list: good minus bad, limited to two either way; `none` without a listed word. */
export const NET_STATEMENTS = ["none", "-2", "-1", "0", "1", "2"] as const;
export type NetStatements = (typeof NET_STATEMENTS)[number];

/** Numbers of positive, neutral and negative training headlines for each net of statements. */
export type EvidenceCounts = Readonly<Record<NetStatements, readonly number[]>>;

/** Returns the net of the statements that the word list finds in a headline. */
export function netStatements({ good, bad }: Evidence): NetStatements {
  if (good + bad === 0) return "none";
  return String(Math.max(-2, Math.min(2, good - bad))) as NetStatements;
}

/** Returns the log-odds of a net of statements from its class counts, each plus one: ln((n_class + 1) / (n_neutral + 1)). */
export function lexiconLogOdds(net: NetStatements, counts: EvidenceCounts): LogOdds {
  const [positive, neutral, negative] = counts[net];
  return {
    positive: Math.log((positive! + 1) / (neutral! + 1)),
    negative: Math.log((negative! + 1) / (neutral! + 1)),
  };
}

/**
 * Combines the log-odds of the model and of the word list: L = w x L_model + (1 - w) x L_list for each class against
 * neutral, a logarithmic opinion pool. w is the share of the headline's terms that the model knows, so the word list
 * leads where the model knows few of them.
 * @see Genest and Zidek, "Combining Probability Distributions", Statistical Science 1 (1986), 3.3
 */
export const poolLogOdds = (model: LogOdds, lexicon: LogOdds, weight: number): LogOdds => ({
  positive: weight * model.positive + (1 - weight) * lexicon.positive,
  negative: weight * model.negative + (1 - weight) * lexicon.negative,
});
