import { editDistance } from "../../../lib/edit-distance.ts";
import { groupBy } from "../../../lib/group-by.ts";
import { lazy } from "../../../lib/lazy.ts";
import { requestFeatures } from "./features.ts";

/** Label of requests that no tool answers. */
export const OUTSIDE = "outside";

/** Weight of a pair of words, which depends on its two words. */
const PAIR_WEIGHT = 0.5;

/** The weights of a trained classifier of requests. */
export interface RequestModel {
  readonly labels: readonly string[];
  readonly features: readonly string[];
  /** One weight for each feature and label, row by row, in units of `step`. */
  readonly weights: Int8Array;
  readonly step: number;
}

/** The classifiers of requests that the build trains. */
export interface RequestModels {
  /** Labels: names of tools, and `outside`. */
  readonly tools: RequestModel;
  /** Labels: intents of questions. */
  readonly intents: RequestModel;
}

/** A label of a request, and its share of all labels, 0-1. */
export interface Ranked {
  readonly label: string;
  readonly share: number;
}

/** Maximum number of features of a request that are compared, and of its words that are searched with a mistake. */
const MAX_FEATURES = 400;
const MAX_MISSPELT = 10;

/** Share of the words of a request that have to be known; less are known of most sentences in other languages. */
const MIN_KNOWN = 0.6;
const isWord = (feature: string): boolean => /^\p{L}[^ ~=]*$/u.test(feature);

/** Returns a function that ranks the labels for a request, likeliest first; none for a request of unknown words. */
export function rankerOf(model: RequestModel): (request: string) => readonly Ranked[] {
  const { labels, features, weights, step } = model;
  const rows = new Map(features.map((feature, row) => [feature, row]));
  const near = lazy(() => misspellingsOf(features));
  return (request) => {
    let lookups = 0;
    const rowOf = (feature: string): number | undefined => {
      const row = rows.get(feature);
      if (row !== undefined || !isCorrectable(feature) || lookups++ >= MAX_MISSPELT) return row;
      return rows.get(near()(feature) ?? "");
    };
    const all = [...requestFeatures(request)].slice(0, MAX_FEATURES);
    const known = all.flatMap((feature) => {
      const row = rowOf(feature);
      return row === undefined ? [] : [{ feature, row }];
    });
    const isFamiliar = known.length > 1; // every request has the feature of its number of tickers
    const words = all.filter(isWord).length;
    const knownWords = known.filter(({ feature }) => isWord(feature)).length;
    if (!isFamiliar || knownWords < MIN_KNOWN * words) return [];
    const scores = new Float64Array(labels.length);
    for (const { row, value } of valuesOf(known))
      for (let label = 0; label < labels.length; label++)
        scores[label]! += weights[row * labels.length + label]! * step * value;
    const shares = softmax(scores);
    return labels.map((label, i) => ({ label, share: shares[i]! })).sort((a, b) => b.share - a.share);
  };
}

/** Returns a function that returns the likeliest label of a request; null for a request of unknown words. */
export function likeliestOf(model: RequestModel): (request: string) => string | null {
  const rank = rankerOf(model);
  return (request) => rank(request)[0]?.label ?? null;
}

/** Returns the value of each feature of a request: pairs count half, and the length of the request does not count. */
export function valuesOf<Feature extends { readonly feature: string }>(features: readonly Feature[]) {
  const weighted = features.map((one) => ({ ...one, value: one.feature.includes(" ") ? PAIR_WEIGHT : 1 }));
  const length = Math.sqrt(weighted.reduce((sum, { value }) => sum + value * value, 0));
  return weighted.map((one) => ({ ...one, value: one.value / length }));
}

/** Returns the share of each score: `exp(score)` divided by the sum of all. */
export function softmax(scores: Float64Array): Float64Array {
  const highest = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  const odds = scores.map((score) => Math.exp(score - highest));
  const total = odds.reduce((sum, value) => sum + value, 0);
  return odds.map((value) => value / total);
}

/** Length from which a word with one mistake is recognized. */
const MIN_MISSPELT_LENGTH = 5;
const isCorrectable = (feature: string): boolean =>
  feature.length >= MIN_MISSPELT_LENGTH && /^\p{L}+$/u.test(feature);

/** Returns a function that returns the known word that differs from a word by one letter; undefined if there is none. */
function misspellingsOf(features: readonly string[]): (word: string) => string | undefined {
  const byLength = groupBy(features.filter(isCorrectable), ({ length }) => length);
  return (word) => {
    const lengths = [word.length, word.length - 1, word.length + 1];
    return lengths
      .flatMap((length) => byLength.get(length) ?? [])
      .find((other) => editDistance(other, word, 1) === 1);
  };
}

/** Returns models as bytes: a line of JSON, and the weights of one after the other. */
export function encodeModels({ tools, intents }: RequestModels): Uint8Array {
  const header = JSON.stringify([tools, intents], (key, value) => (key === "weights" ? undefined : value));
  const weights = [tools, intents].map(({ weights: { buffer, byteOffset, length } }) =>
    Buffer.from(buffer, byteOffset, length),
  );
  return Buffer.concat([Buffer.from(`${header}\n`), ...weights]);
}

/** Returns the models that `encodeModels` wrote. */
export function decodeModels(bytes: Uint8Array): RequestModels {
  const end = bytes.indexOf(10); // of the line
  const headers: readonly Omit<RequestModel, "weights">[] = JSON.parse(
    new TextDecoder().decode(bytes.subarray(0, end)),
  );
  let at = bytes.byteOffset + end + 1;
  const [tools, intents] = headers.map((header): RequestModel => {
    const weights = new Int8Array(bytes.buffer, at, header.labels.length * header.features.length);
    at += weights.length;
    return { ...header, weights };
  });
  return { tools: tools!, intents: intents! };
}
