import { median } from "../servers/child.ts";

const ROUNDS = 7;
const ROUND_MS = 1_500;
const WARM_UP_MS = 3_000;

/** Measures for `ms` milliseconds and returns calls per second. */
export type Measure = (ms: number) => Promise<number>;

/** A ratio of two speeds, and a text with the ratio and both speeds. */
export interface Comparison {
  readonly ratio: number;
  readonly text: string;
}

/** Measures the program and its peers in turn. Returns for each peer the median over all rounds of the speed ratio. */
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
    return { ratio, text: `${ratio.toFixed(2)} (${speedAt(0)}/s against ${speedAt(i + 1)}/s)` };
  });
}

/** Returns the median speed over all rounds. */
export async function speedOf(measure: Measure): Promise<number> {
  await measure(WARM_UP_MS);
  const speeds: number[] = [];
  for (let i = 0; i < ROUNDS; i++) speeds.push(await measure(ROUND_MS));
  return median(speeds);
}
