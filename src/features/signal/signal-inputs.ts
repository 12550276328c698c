import { createHash } from "node:crypto";
import type { Bars } from "../../domain/market/bars.ts";
import type { SignalInput } from "../../domain/signal/signal.ts";
import type {
  BarAnswer,
  BarAnswerHistory,
  InputState,
  SignalLog,
} from "../../domain/track-record/track-port.ts";
import { barCloseMs } from "../../market/calendar/calendar.ts";
import type { Gathered } from "./gather.ts";
import type { Digest } from "./inputs-hash.ts";
import type { Picture } from "./picture.ts";

/** Lists the inputs that a signal has, each with the time at which its newest figure became known. */
export function inputStates({ decidedAt, input }: Pick<Gathered, "decidedAt" | "input">, digest: Digest) {
  const { bars, benchmark, peers, universe, facts = {}, prints } = input;
  const states: InputState[] = [];
  const add = (name: string, known_at: string, fingerprint: string) =>
    states.push({ input: name, known_at, fingerprint });
  const series = (all: readonly Bars[]) => shortHash(all.map((one) => digest.series(one)).join());
  add("bars", decidedAt, series([bars]));
  if (benchmark !== null) add("benchmark", decidedAt, series([benchmark]));
  if (peers.length > 0) add("peers", decidedAt, series(peers));
  if (universe !== null) {
    const { time = bars.time.at(-1)!, own, hash } = universe;
    const closed = Math.min(barCloseMs(time, "1d", bars.zone), Date.parse(decidedAt));
    add("ranks", new Date(closed).toISOString(), `${hash} ${own}`);
  }
  const reported = (prints ?? []).filter(({ reportedAt }) => reportedAt <= Date.parse(decidedAt));
  if (reported.length > 0) {
    const newest = Math.max(...reported.map(({ reportedAt }) => reportedAt));
    add("prints", new Date(newest).toISOString(), `${reported.length} ${newest}`);
  }
  for (const [driver, { value, time }] of Object.entries(facts))
    add(driver, new Date(time).toISOString(), `${value}`);
  return states;
}

/** Returns the answer that a picture gives on its bar. */
export const barAnswerOf = ({ resolution, timeframe, decidedAt, consensus, inputs }: Picture): BarAnswer => ({
  symbol: resolution.instrument.symbol,
  timeframe,
  decided_at: decidedAt,
  direction: consensus.direction,
  score: consensus.score,
  grade: consensus.grade,
  inputs,
});

/** Returns the inputs of a picture and a note on those that arrived after the first answer on its bar. */
export function inputsSince(
  picture: Picture,
  signalLog: SignalLog,
): { readonly inputs: SignalInput[]; readonly notes: string[] } {
  const history = signalLog.observe(barAnswerOf(picture));
  return { inputs: [...history.inputs], notes: newerInputNotes(history) };
}

/** Returns a note that compares an answer with the first answer on its bar; none if all inputs are the same. */
export function newerInputNotes({ first, inputs, lost }: BarAnswerHistory): string[] {
  const newer = inputs.filter(({ used_since }) => used_since > first.at);
  if (newer.length === 0 && lost.length === 0) return [];
  const score = first.score === null ? "no score" : `score ${first.score.toFixed(1)}`;
  const grade = first.grade === null ? "" : `, grade ${first.grade}`;
  const changes = [
    ...newer.map(({ input, used_since }) => `${input} arrived or changed at ${used_since}`),
    ...lost.map((input) => `${input} is not available now`),
  ];
  return [
    `The first answer on this bar, at ${first.at}, was ${first.direction} (${score}${grade}). Since then: ${changes.join("; ")}.`,
  ];
}

const shortHash = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 12);
