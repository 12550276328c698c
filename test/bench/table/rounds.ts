import { median } from "../servers/child.ts";

const ROUNDS = 7;
const ROUND_MS = 1_500;
const WARM_UP_MS = 3_000;

/** Returns calls per second, measured for some milliseconds. */
export type Measure = (ms: number) => Promise<number>;

/** Measures two programs in turns. Returns the median of the ratios of a round, and the median speeds. */
export async function compare(own: Measure, peer: Measure) {
  for (const measure of [own, peer]) await measure(WARM_UP_MS);
  const rounds: [number, number][] = [];
  for (let i = 0; i < ROUNDS; i++) rounds.push([await own(ROUND_MS), await peer(ROUND_MS)]);
  const ratio = median(rounds.map(([first, second]) => first / second));
  const [ownSpeed, peerSpeed] = [0, 1].map((i) => Math.round(median(rounds.map((round) => round[i]!))));
  return {
    ratio,
    ownSpeed: ownSpeed!,
    peerSpeed: peerSpeed!,
    text: `${ratio.toFixed(2)} (${ownSpeed}/s and ${peerSpeed}/s)`,
  };
}

/** Returns the median speed of some rounds. */
export async function speedOf(measure: Measure): Promise<number> {
  await measure(WARM_UP_MS);
  const speeds: number[] = [];
  for (let i = 0; i < ROUNDS; i++) speeds.push(await measure(ROUND_MS));
  return median(speeds);
}
