import { median } from "../servers/child.ts";

const ROUNDS = 7;
const ROUND_MS = 1_500;
const WARM_UP_MS = 3_000;

/** Returns calls per second, measured for some milliseconds. */
export type Measure = (ms: number) => Promise<number>;

/** A ratio of speeds, and a text with both speeds. */
export interface Comparison {
  readonly ratio: number;
  readonly text: string;
}

/** Measures the program and its peers in turns. Returns for each peer the median of the ratios of a round. */
export async function compare(own: Measure, peers: readonly Measure[]): Promise<readonly Comparison[]> {
  const measures = [own, ...peers];
  for (const measure of measures) await measure(WARM_UP_MS);
  const rounds: (readonly number[])[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const speeds: number[] = [];
    for (const measure of measures) speeds.push(await measure(ROUND_MS));
    rounds.push(speeds);
  }
  const speedAt = (i: number) => Math.round(median(rounds.map((round) => round[i]!)));
  return peers.map((_, i) => {
    const ratio = median(rounds.map((round) => round[0]! / round[i + 1]!));
    return { ratio, text: `${ratio.toFixed(2)} (${speedAt(0)}/s and ${speedAt(i + 1)}/s)` };
  });
}

/** Returns the median speed of some rounds. */
export async function speedOf(measure: Measure): Promise<number> {
  await measure(WARM_UP_MS);
  const speeds: number[] = [];
  for (let i = 0; i < ROUNDS; i++) speeds.push(await measure(ROUND_MS));
  return median(speeds);
}
