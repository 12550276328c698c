import type { LoggedSignal, SignalOutcome } from "../../src/domain/track-record/track.ts";
import type { TrackRepository } from "../../src/domain/track-record/track-port.ts";
import { replayUniverse } from "../../src/features/nightly/replay.ts";
import { createCache } from "../../src/market/cache.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { dayAt } from "../../src/providers/sample/time.ts";
import {
  COMPUTED_AT,
  FIRST_DECISION,
  type ReplayedSignal,
  recordOfSignals,
  roundedR,
  writeFactsOverBase,
  writeReplayedRecord,
  writeReplayedSignals,
} from "../providers/sample/replayed-signals.ts";
import { comparedFacts } from "./sample-record/facts.ts";

/**
 * Replays every close of the simulated market since 2022, as `market-signal track replay` does, and prints the record.
 * `npm run bench -- sample-record --write` writes the record that comes with the market, and the signals that prove it.
 */
export async function run(): Promise<void> {
  const signals = await replayedSignals();
  const record = await recordOfSignals(signals);
  for (const { direction, asset_class, grade, n, over_base, interval } of record.r_over_base ?? [])
    if (grade === null)
      console.log(direction, asset_class ?? "all", n, over_base?.toFixed(3), JSON.stringify(interval));
  const compared = await comparedFacts();
  console.log(JSON.stringify(compared));
  if (!process.argv.includes("--write")) return;
  writeReplayedSignals(signals);
  writeReplayedRecord(record);
  writeFactsOverBase(compared);
}

/** Signals with an outcome. */
async function replayedSignals(): Promise<readonly ReplayedSignal[]> {
  const clock = { now: () => new Date(COMPUTED_AT) };
  const { members, ...sample } = sampleMarket({ clock });
  const found: ReplayedSignal[] = [];
  let page: readonly LoggedSignal[] = [];
  const repository = {
    async log(signals: readonly LoggedSignal[]) {
      page = signals;
      return signals.map((_, i) => String(i));
    },
    async score(outcomes: readonly (SignalOutcome & { readonly id: string })[]) {
      const results = new Map<number, number | null>();
      for (const { id, r } of outcomes) results.set(Number(id), r ?? results.get(Number(id)) ?? null);
      for (const [i, r] of results) {
        const { symbol, decided_at, direction, grade } = page[i]!;
        found.push({ symbol, day: dayAt(Date.parse(decided_at)) - 1, direction, grade, r: roundedR(r) });
      }
      return outcomes.length;
    },
  } satisfies Pick<TrackRepository, "log" | "score">;
  const request = {
    universe: "all",
    from: FIRST_DECISION,
    runId: "sample-record",
    signal: new AbortController().signal,
    progress: ({ done, total }: { done: number; total: number }) => {
      if (done % 50 === 0) console.error(`${done} of ${total}`);
    },
  } as const;
  await replayUniverse(request, {
    ...sample,
    symbols: createDirectory({ members }),
    cache: createCache(clock),
    repository: repository as unknown as TrackRepository,
  });
  return found;
}
