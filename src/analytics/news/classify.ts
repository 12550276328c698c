/**
 * A linear model of three classes over terms; neutral is the reference class, so each term has weights for the other
 * two.
 */
export interface Model {
  /** Index of each term. */
  readonly places: ReadonlyMap<string, number>;
  /** Two weights per index, for positive and for negative, in units of `step`. */
  readonly weights: Int8Array;
  readonly step: number;
  readonly bias: { readonly positive: number; readonly negative: number };
}

/** Class probabilities; they add up to 1. */
export interface ClassProbabilities {
  readonly positive: number;
  readonly neutral: number;
  readonly negative: number;
}

/** Logarithms of the odds of positive and of negative against neutral. */
export interface LogOdds {
  readonly positive: number;
  readonly negative: number;
}

/** File format of a model: `term positive negative` in units of `step`, terms separated by `|`. */
export interface PackedModel {
  readonly terms: string;
  readonly step: number;
  /** Bias of positive, then of negative. */
  readonly bias: readonly number[];
}

/** Unpacks a model from its file. Takes a few milliseconds: cache the result. */
export function unpackModel({ terms, step, bias }: PackedModel): Model {
  const rows = terms === "" ? [] : terms.split("|").map((row) => row.split(" "));
  const weights = Int8Array.from(
    rows.flatMap(([, positive, negative]) => [Number(positive), Number(negative)]),
  );
  const indices = new Map(rows.map(([term], index) => [term!, index]));
  return { places: indices, weights, step, bias: { positive: bias[0]!, negative: bias[1]! } };
}

/**
 * Returns the log-odds of a headline by multinomial logistic regression over its terms, each of n known terms weighted
 * 1/sqrt(n). `known` is n; without a known term only the bias counts.
 * @see Hastie, Tibshirani and Friedman, "The Elements of Statistical Learning" (2009), 4.4
 */
export function modelLogOdds(
  { places: indices, weights, step, bias }: Model,
  terms: readonly string[],
): LogOdds & { readonly known: number } {
  let [positive, negative, known] = [0, 0, 0];
  for (const term of terms) {
    const index = indices.get(term);
    if (index === undefined) continue;
    known++;
    positive += weights[2 * index]!;
    negative += weights[2 * index + 1]!;
  }
  const scale = known === 0 ? 0 : step / Math.sqrt(known);
  return { positive: bias.positive + scale * positive, negative: bias.negative + scale * negative, known };
}

/** Returns the class probabilities of log-odds against neutral. */
export function probabilitiesOf({ positive: up, negative: down }: LogOdds): ClassProbabilities {
  const top = Math.max(0, up, down);
  const [a, b, c] = [Math.exp(up - top), Math.exp(-top), Math.exp(down - top)];
  const sum = a + b + c;
  return { positive: a / sum, neutral: b / sum, negative: c / sum };
}
