import { seededRandom, shuffled } from "../../../analytics/backtest/random.ts";
import { requestFeatures } from "./features.ts";
import { type RequestModel, softmax, valuesOf } from "./model.ts";

/** A request of a training set. */
export interface LabelledRequest {
  readonly label: string;
  readonly request: string;
}

/** Count added to every feature of every label, so that one unknown word excludes no label. */
const SMOOTHING = 0.1;
/** Scale of the weights of naive Bayes with which the training begins. */
const FIRST_WEIGHT = 0.5;
const EPOCHS = 6;
const RATE = 0.5;
/** Sum of squared errors with which each weight begins; a higher one makes the first steps smaller. */
const FIRST_SQUARES = 0.1;
/** Power of the number of requests of a label by which each of them counts less. */
const BALANCE = 0.35;
const SEED = 1;
const MAX_WEIGHT = 127;

/**
 * Trains a classifier of requests: a multinomial logistic regression that begins with the weights of naive Bayes, by
 * gradient descent with a rate for each weight (AdaGrad), in a fixed order.
 * @see Manning, Raghavan, Schütze (2008), "Introduction to Information Retrieval", chapter 13
 * @see Duchi, Hazan, Singer (2011), "Adaptive Subgradient Methods for Online Learning", JMLR 12
 */
export function trainModel(requests: readonly LabelledRequest[]): RequestModel {
  const labels = [...new Set(requests.map(({ label }) => label))].sort();
  const labelAt = new Map(labels.map((label, i) => [label, i]));
  const rowOf = new Map<string, number>();
  const examples = requests.map(({ label, request }) => {
    const features = [...requestFeatures(request)].map((feature) => {
      const row = rowOf.get(feature) ?? rowOf.size;
      rowOf.set(feature, row);
      return { feature, row };
    });
    return { label: labelAt.get(label)!, features: valuesOf(features) };
  });
  const weights = naiveBayes(examples, rowOf.size, labels.length);
  const sizes = new Float64Array(labels.length);
  for (const { label } of examples) sizes[label]! += 1;
  const meanSize = sizes.reduce((sum, size) => sum + size, 0) / labels.length;
  const balance = sizes.map((size) => (meanSize / size) ** BALANCE);
  const squares = new Float64Array(weights.length).fill(FIRST_SQUARES);
  const random = seededRandom(SEED);
  for (let epoch = 0; epoch < EPOCHS; epoch++)
    for (const at of shuffled(examples.length, random)) step(examples[at]!);
  return quantized({ labels, features: [...rowOf.keys()], weights });

  function step({ label, features }: (typeof examples)[number]): void {
    const scores = new Float64Array(labels.length);
    for (const { row, value } of features)
      for (let l = 0; l < labels.length; l++) scores[l]! += weights[row * labels.length + l]! * value;
    const errors = softmax(scores);
    errors[label]! -= 1;
    const scale = balance[label]!;
    for (const { row, value } of features)
      for (let l = 0; l < labels.length; l++) {
        const gradient = errors[l]! * value * scale;
        const i = row * labels.length + l;
        squares[i]! += gradient * gradient;
        weights[i]! -= (RATE * gradient) / Math.sqrt(squares[i]!);
      }
  }
}

/** Returns the weights of naive Bayes, each relative to the mean of its feature. */
function naiveBayes(
  examples: readonly {
    readonly label: number;
    readonly features: readonly { readonly row: number }[];
  }[],
  rows: number,
  labels: number,
): Float64Array {
  const counts = new Float64Array(rows * labels);
  const totals = new Float64Array(labels);
  for (const { label, features } of examples)
    for (const { row } of features) {
      counts[row * labels + label]! += 1;
      totals[label]! += 1;
    }
  for (let row = 0; row < rows; row++) {
    const own = counts.subarray(row * labels, (row + 1) * labels);
    for (let l = 0; l < labels; l++)
      own[l] = Math.log((own[l]! + SMOOTHING) / (totals[l]! + SMOOTHING * rows));
    const mean = own.reduce((sum, value) => sum + value, 0) / labels;
    for (let l = 0; l < labels; l++) own[l] = FIRST_WEIGHT * (own[l]! - mean);
  }
  return counts;
}

/** Returns a model with weights in whole steps. */
function quantized({
  weights,
  ...model
}: Pick<RequestModel, "labels" | "features"> & { readonly weights: Float64Array }): RequestModel {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0);
  const step = largest / MAX_WEIGHT;
  return { ...model, step, weights: Int8Array.from(weights, (weight) => Math.round(weight / step)) };
}
