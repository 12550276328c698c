import { createHash } from "node:crypto";
import type { Bars } from "../../domain/market/bars.ts";
import type { InputState } from "../../domain/track-record/track-port.ts";
import { barCloseMs } from "../../market/calendar/calendar.ts";
import type { Gathered } from "./gather.ts";
import type { Digest } from "./inputs-hash.ts";

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

const shortHash = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 12);
